import {expect, test} from 'vitest';
import {createTurns} from '../../source/reactor/turns.ts';
import {createManualClock} from './rig.ts';

const createScene = (failing: 'turn' | 'rest') => {
	let due: (() => void)[] = [];
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
				return () => {
					due = due.filter(other => other !== call);
				};
			},
		},
		turn: () => work('turn'),
		flush: () => work('rest'),
		report: message => reports.push(message),
	});
	const mend = async () => {
		isBroken = false;
		for (const call of due.splice(0)) call();
		await turns.quiet();
		await turns.settled();
	};
	return {turns, reports, mend, retries: () => due.length};
};

test('a failed write is reported and retried, and does not keep the reactor from being idle', async () => {
	const {turns, reports, mend, retries} = createScene('rest');
	turns.request('t');
	await turns.quiet();
	await turns.settled();
	expect(turns.isQuiet()).toBe(true);
	expect(new Set(reports)).toEqual(new Set([expect.stringContaining('could not be recorded')]));
	expect(retries()).toBe(1);
	await mend();
	expect(retries()).toBe(0);
});

test('a trace whose turn failed is not settled until the turn is retried', async () => {
	const {turns, mend} = createScene('turn');
	turns.request('t');
	await turns.quiet();
	expect(turns.isQuiet()).toBe(false);
	await mend();
	expect(turns.isQuiet()).toBe(true);
});

test('finished work is written although some turn is always under way', async () => {
	const clock = createManualClock();
	let rests = 0;
	let turnsTaken = 0;
	const ends: (() => void)[] = [];
	const turns = createTurns({
		clock,
		turn: () => {
			turnsTaken += 1;
			return new Promise(resolve => ends.push(resolve));
		},
		flush: async () => {
			rests += 1;
		},
		report: () => {},
	});
	turns.request('one');
	turns.request('two');
	while (turnsTaken < 2) await new Promise(setImmediate);
	ends[0]?.();
	await new Promise(setImmediate);
	clock.advance(30);
	await new Promise(setImmediate);
	expect(turns.isQuiet()).toBe(false);
	expect(rests).toBe(1);
	for (const end of ends) end();
	await turns.close();
});

test('two turns of one trace never overlap', async () => {
	let underWay = 0;
	let most = 0;
	const turns = createTurns({
		clock: {now: () => 0, elapsed: () => 0, after: () => () => {}},
		turn: async () => {
			underWay += 1;
			most = Math.max(most, underWay);
			await new Promise(setImmediate);
			underWay -= 1;
		},
		flush: async () => {},
		report: () => {},
	});
	for (let asked = 0; asked < 5; asked++) {
		turns.request('one');
		await Promise.resolve();
	}
	await turns.quiet();
	expect(most).toBe(1);
});

test('a request before a turn reads the trace is served by that turn, and a later request by another turn', async () => {
	let turnsTaken = 0;
	const turns = createTurns({
		clock: {now: () => 0, elapsed: () => 0, after: () => () => {}},
		turn: async (traceId, looking) => {
			if (++turnsTaken > 2) return;
			turns.request(traceId);
			looking();
			if (turnsTaken === 1) turns.request(traceId);
		},
		flush: async () => {},
		report: () => {},
	});
	turns.request('one');
	await turns.quiet();
	expect(turnsTaken).toBe(2);
});
