import {expect, test} from 'vitest';
import {createTurns} from '../../source/reactor/turns.ts';

const createScene = (failing: 'turn' | 'rest') => {
	const due: (() => void)[] = [];
	const reports: string[] = [];
	let isBroken = true;
	const work = async (what: string) => {
		if (isBroken && what === failing) throw new Error('full');
	};
	const turns = createTurns({
		clock: {
			now: () => 0,
			elapsed: () => 0,
			after: (_, call) => {
				due.push(call);
				return () => {};
			},
		},
		turn: () => work('turn'),
		rest: () => work('rest'),
		report: message => reports.push(message),
	});
	const mend = async () => {
		isBroken = false;
		for (const call of due.splice(0)) call();
		await turns.quiet();
	};
	return {turns, reports, mend, retries: () => due.length};
};

test('what cannot be written down is reported and tried again, and keeps nobody from being idle', async () => {
	const {turns, reports, mend, retries} = createScene('rest');
	turns.request('t');
	await turns.quiet();
	expect(turns.isQuiet()).toBe(true);
	expect(reports).toEqual([expect.stringContaining('could not be written down')]);
	expect(retries()).toBe(1);
	await mend();
	expect(retries()).toBe(0);
});

test('a trace whose turn failed is not done with until it is tried again', async () => {
	const {turns, mend} = createScene('turn');
	turns.request('t');
	await turns.quiet();
	expect(turns.isQuiet()).toBe(false);
	await mend();
	expect(turns.isQuiet()).toBe(true);
});
