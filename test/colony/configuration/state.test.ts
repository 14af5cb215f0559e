import {describe, expect, it} from 'vitest';
import {
	accept,
	awaitingOf,
	beginWriting,
	countingVersion,
	endWriting,
	keepsLast,
	noWriters,
	stateOf,
	type Trust,
} from '../../../source/colony/configuration/state.ts';

const path = '/repo/.hive/prompts/do.md';

const writing: Trust = {writers: ['run a'], trusted: new Map([[path, 'first']]), awaiting: new Map()};
const writingNew: Trust = {...writing, trusted: new Map()};
const written: Trust = {
	writers: [],
	trusted: new Map([[path, 'first']]),
	awaiting: new Map([[path, {by: 'run a', text: 'second'}]]),
};
const removed: Trust = {...written, awaiting: new Map([[path, {by: 'run a'}]])};
const made: Trust = {...written, trusted: new Map()};

describe('a file is', () => {
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
		['free when a person changes it again', written, 'third', 'free', 'third'],
		['free when a person removes it', written, undefined, 'free', undefined],
		['free when a person makes it again', removed, 'third', 'free', 'third'],
	] as const)('%s', (_, trust, text, state, counting) => {
		expect(stateOf(trust, path, text)).toBe(state);
		expect(countingVersion(trust, path, text)).toBe(counting);
	});
});

const on = (text: string | undefined): Map<string, string | undefined> => new Map([[path, text]]);
const counting = new Map([[path, 'first']]);

describe('what is kept', () => {
	it('begins with the first writer, and ends with the last when nothing awaits a person', () => {
		const one = beginWriting(noWriters, 'run a', on('first'), counting);
		expect(one).toEqual(writing);
		const two = beginWriting(one, 'run b', on('second'), new Map([[path, 'second']]));
		expect(two).toEqual({...writing, writers: ['run a', 'run b']});
		const last = endWriting(two, 'run a', on('first'));
		expect(last).toEqual({...writing, writers: ['run b']});
		expect(endWriting(last, 'run b', on('first'))).toEqual(noWriters);
	});

	it('is the same when a writer begins or ends twice', () => {
		expect(beginWriting(writing, 'run a', on('second'), counting)).toBe(writing);
		expect(endWriting(written, 'run a', on('second'))).toBe(written);
	});

	it('has what awaits a person after the last writer, under the name it came with', () => {
		const ended = endWriting(writing, 'run a', on('second'));
		expect(ended).toEqual(written);
		const next = beginWriting(ended, 'run b', on('second'), counting);
		expect(endWriting(next, 'run b', on('second'))).toEqual(written);
		expect(endWriting(next, 'run b', on('third')).awaiting).toEqual(
			new Map([[path, {by: 'run b', text: 'third'}]]),
		);
	});

	it('names all who may have written it', () => {
		const both = {...writing, writers: ['run a', 'run b']};
		expect(awaitingOf(both, on('second')).get(path)?.by).toBe('run a or run b');
	});

	it('is what a person accepted while somebody goes on writing, else nothing', () => {
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
] as const)('a broken version after %s', (_, text, last, lastWasBroken, expected) => {
	expect(keepsLast({text, last, lastWasBroken})).toBe(expected);
});
