import {describe, expect, it} from 'vitest';
import {
	accept,
	acceptWritten,
	awaitingOf,
	beginWriting,
	endWriting,
	keepsLastVersion,
	noWriters,
	stateOf,
	type Trust,
	versionInForce,
} from '../../../source/colony/configuration/state.ts';
import {writer} from './writer.ts';

const path = '/repo/.hive/prompts/do.md';

const writing: Trust = {writers: [writer('run a')], trusted: new Map([[path, 'first']]), awaiting: new Map()};
const writingNew: Trust = {...writing, trusted: new Map()};
const written: Trust = {
	writers: [],
	trusted: new Map([[path, 'first']]),
	awaiting: new Map([[path, {by: 'run a was open', text: 'second'}]]),
};
const removed: Trust = {...written, awaiting: new Map([[path, {by: 'run a was open'}]])};
const made: Trust = {...written, trusted: new Map()};

describe('the state of a configuration file', () => {
	it.each([
		['free without writers', noWriters, 'first', 'free', 'first'],
		['free where there is none', noWriters, undefined, 'free', undefined],
		['guarded while somebody may write', writing, 'first', 'guarded', 'first'],
		['awaiting when it changes then', writing, 'second', 'awaiting', 'first'],
		['awaiting when it is removed then', writing, undefined, 'awaiting', 'first'],
		['awaiting when it is made then', writingNew, 'first', 'awaiting', undefined],
		['awaiting after that', written, 'second', 'awaiting', 'first'],
		['awaiting when it was removed', removed, undefined, 'awaiting', 'first'],
		['awaiting when it was made', made, 'second', 'awaiting', undefined],
		['free when it is as it was trusted again', written, 'first', 'free', 'first'],
		['awaiting when it is changed again', written, 'third', 'awaiting', 'first'],
		['awaiting when it is removed after that', written, undefined, 'awaiting', 'first'],
		['awaiting when it is made again', removed, 'third', 'awaiting', 'first'],
	] as const)('is %s', (_, trust, text, state, counting) => {
		expect(stateOf(trust, path, text)).toBe(state);
		expect(versionInForce(trust, path, text)).toBe(counting);
	});
});

const on = (text: string | undefined): Map<string, string | undefined> => new Map([[path, text]]);
const counting = new Map([[path, 'first']]);

describe('the record of writers', () => {
	it('begins with the first writer, and ends with the last if no file awaits a person', () => {
		const one = beginWriting(noWriters, writer('run a'), on('first'), counting);
		expect(one).toEqual(writing);
		const two = beginWriting(one, writer('run b'), on('second'), new Map([[path, 'second']]));
		expect(two).toEqual({...writing, writers: [writer('run a'), writer('run b')]});
		const last = endWriting(two, 'run a', on('first'));
		expect(last).toEqual({...writing, writers: [writer('run b')]});
		expect(endWriting(last, 'run b', on('first'))).toEqual(noWriters);
	});

	it('is unchanged if a writer begins or ends twice', () => {
		expect(beginWriting(writing, writer('run a'), on('second'), counting)).toBe(writing);
		expect(endWriting(written, 'run a', on('second'))).toBe(written);
	});

	it('lists files that await a person after the last writer, with the writer that changed them', () => {
		const ended = endWriting(writing, 'run a', on('second'));
		expect(ended).toEqual(written);
		const next = beginWriting(ended, writer('run b'), on('second'), counting);
		expect(endWriting(next, 'run b', on('second'))).toEqual(written);
		expect(endWriting(next, 'run b', on('third')).awaiting).toEqual(
			new Map([[path, {by: 'run b was open', text: 'third'}]]),
		);
	});

	it('names the runs that may have written a file', () => {
		const named = (...names: string[]) =>
			awaitingOf({...writing, writers: names.map(writer)}, on('second')).get(path)?.by;
		expect(named('run a', 'run b')).toBe('run a was open or run b was open');
		expect(named('run a', 'run b', 'run c', 'run d')).toBe('run a was open or run b was open or 2 more');
	});

	it('trusts a file that hive wrote for a person, unless the file already awaits one', () => {
		const other = '/repo/.hive/bees/new.yaml';
		const before = new Map([...on('first'), [other, undefined]]);
		const after = new Map([...on('second'), [other, 'role: x']]);
		const going = acceptWritten(writing, before, after);
		expect(stateOf(going, path, 'second')).toBe('guarded');
		expect(stateOf(going, other, 'role: x')).toBe('guarded');
		expect(acceptWritten(writing, on('theirs'), on('theirs and mine')).trusted).toEqual(writing.trusted);
		expect(acceptWritten(written, on('second'), on('third'))).toEqual(written);
	});

	it('keeps an acceptance while a writer is open, and else ends', () => {
		expect(accept(written, new Map([[path, 'second']]))).toBe(noWriters);
		const going = accept(writing, new Map([[path, 'second']]));
		expect(stateOf(going, path, 'second')).toBe('guarded');
		expect(stateOf(going, path, 'first')).toBe('awaiting');
	});
});

it.each([
	['a good one', 'second', 'first', false, true],
	['none', 'second', undefined, false, false],
	['a broken one', 'second', 'first', true, false],
	['the same one', 'first', 'first', false, false],
] as const)('a broken version keeps only a valid one: after %s', (_, text, last, lastWasBroken, expected) => {
	expect(keepsLastVersion({text, last, lastWasBroken})).toBe(expected);
});
