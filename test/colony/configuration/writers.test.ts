import {expect, it} from 'vitest';
import {createWriters} from '../../../source/colony/configuration/writers.ts';
import {createSingleTimer} from '../../helpers/single-timer.ts';
import {writer} from './writer.ts';

/** Opens writers whose records are stored at `pass`, or with `waits` one by one at `recordNext`. */
const open = ({waits = false} = {}) => {
	const recorded: {readonly begun: readonly string[]; readonly ended: readonly string[]}[] = [];
	const timer = createSingleTimer();
	const waiting: (() => void)[] = [];
	let fault: Error | undefined;
	const writers = createWriters(timer.clock, async ({begun, ended}) => {
		if (waits) await new Promise<void>(resolve => waiting.push(resolve));
		if (fault) throw fault;
		recorded.push({begun: begun.map(({id}) => id), ended});
	});
	return {
		...writers,
		beginWriting: (id: string) => writers.beginWriting(writer(id)),
		resume: (open: readonly string[], named: readonly string[]) => writers.resume(open.map(writer), named),
		recorded,
		/** Fires the timer that stores the delayed changes. */
		pass: async () => {
			timer.fire();
			await writers.settled();
		},
		isDue: timer.isSet,
		recordNext: () => waiting.shift()?.(),
		fail: (error: Error | undefined) => {
			fault = error;
		},
	};
};

const turn = () => new Promise(resolve => setImmediate(resolve));

it('the first begin and the last end are stored before they resolve, and others together a moment later', async () => {
	const {beginWriting, endWriting, recorded, pass} = open();
	await beginWriting('a');
	expect(recorded).toEqual([{begun: ['a'], ended: []}]);
	await beginWriting('b');
	await beginWriting('c');
	await endWriting('a');
	expect(recorded).toHaveLength(1);
	await pass();
	expect(recorded.slice(1)).toEqual([{begun: ['b', 'c'], ended: ['a']}]);
	await endWriting('b');
	expect(recorded).toHaveLength(2);
	await endWriting('c');
	expect(recorded.slice(2)).toEqual([{begun: [], ended: ['b', 'c']}]);
});

it('a begin during the removal of the last writer waits until it is stored', async () => {
	const {beginWriting, endWriting, recorded, recordNext} = open({waits: true});
	const begun: string[] = [];
	const begin = (by: string) => void beginWriting(by).then(() => begun.push(by));
	begin('a');
	await turn();
	recordNext();
	await turn();
	void endWriting('a');
	await turn();
	begin('b');
	begin('c');
	await turn();
	expect(begun).toEqual(['a']);
	recordNext();
	await turn();
	recordNext();
	await turn();
	expect(begun).toEqual(['a', 'b', 'c']);
	expect(recorded.at(-1)).toEqual({begun: ['b', 'c'], ended: []});
});

it('waiting writers receive the failure to store, and their change is stored with the next one', async () => {
	const {beginWriting, endWriting, recorded, pass, fail, isDue} = open();
	fail(new Error('full'));
	await expect(beginWriting('a')).rejects.toThrow('full');
	await expect(beginWriting('b')).rejects.toThrow('full');
	fail(undefined);
	await beginWriting('c');
	expect(recorded).toEqual([{begun: ['a', 'b', 'c'], ended: []}]);
	await endWriting('a');
	expect(isDue()).toBe(true);
	fail(new Error('full'));
	await expect(pass()).rejects.toThrow('full');
	fail(undefined);
	await endWriting('b');
	await endWriting('c');
	expect(recorded.slice(1)).toEqual([{begun: [], ended: ['a', 'b', 'c']}]);
});

it('a resume stores open writers that are missing and ends those that are gone', async () => {
	const {resume, endWriting, recorded} = open();
	await endWriting('quick');
	await resume(['open', 'unrecorded', 'quick'], ['open', 'gone', 'quick']);
	expect(recorded.at(-1)).toEqual({begun: ['unrecorded'], ended: ['gone', 'quick']});
	await endWriting('unrecorded');
	expect(recorded.at(-1)).toEqual({begun: [], ended: ['unrecorded']});
});

it('a writer of an earlier process is not relied upon, since other processes may remove it', async () => {
	const {resume, beginWriting, endWriting, recorded} = open();
	await resume(['a'], ['a']);
	expect(recorded).toEqual([]);
	await beginWriting('b');
	expect(recorded).toEqual([{begun: ['b'], ended: []}]);
	await endWriting('b');
	expect(recorded).toHaveLength(2);
});

it('a resume without a difference stores nothing', async () => {
	const {resume, recorded} = open();
	await resume([], []);
	await resume(['a'], ['a']);
	expect(recorded).toEqual([]);
});
