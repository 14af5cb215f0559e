import {expect, it} from 'vitest';
import {createWriters} from '../../../source/colony/configuration/writers.ts';
import {createSingleTimer} from '../../helpers/single-timer.ts';
import {writer} from './writer.ts';

/** Writers of which nothing is recorded until `pass`, or until `recordNext` is called where records wait. */
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
		/** The moment after which what waited is recorded. */
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

it('has the first that begins and the last that ends recorded before they go on, others together a moment later', async () => {
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

it('lets nobody begin unrecorded while the last one is being taken out of the record', async () => {
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

it('tells those who wait that nothing could be recorded, and records it with the next', async () => {
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

it('makes up for what an earlier process did not record: who is open is named, who is not is not any more', async () => {
	const {resume, endWriting, recorded} = open();
	await endWriting('quick');
	await resume(['open', 'unrecorded', 'quick'], ['open', 'gone', 'quick']);
	expect(recorded.at(-1)).toEqual({begun: ['unrecorded'], ended: ['gone', 'quick']});
	await endWriting('unrecorded');
	expect(recorded.at(-1)).toEqual({begun: [], ended: ['unrecorded']});
});

it('counts nobody of an earlier process as a guard, whom others may take out of the record', async () => {
	const {resume, beginWriting, endWriting, recorded} = open();
	await resume(['a'], ['a']);
	expect(recorded).toEqual([]);
	await beginWriting('b');
	expect(recorded).toEqual([{begun: ['b'], ended: []}]);
	await endWriting('b');
	expect(recorded).toHaveLength(2);
});

it('records nothing at a start where nothing is to be said', async () => {
	const {resume, recorded} = open();
	await resume([], []);
	await resume(['a'], ['a']);
	expect(recorded).toEqual([]);
});
