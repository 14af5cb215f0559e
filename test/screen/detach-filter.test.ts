import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createDetachFilter, type FilteredInput} from '../../source/screen/detach-filter.ts';
import {ctrlKey} from '../../source/screen/detach-key.ts';

/**
 * Returns the results of these reads, up to the one that detaches. Bytes that are held at the end are
 * flushed.
 */
const typedIn = (reads: readonly string[], letter?: string) => {
	const filter = createDetachFilter(ctrlKey(letter));
	let text = '';
	let last: FilteredInput = {bytes: new Uint8Array(), leaves: 'not', holds: false, pastes: false};
	const take = (typed: FilteredInput): void => {
		last = typed;
		text += Buffer.from(typed.bytes).toString('latin1');
	};
	let unread = '';
	for (const read of reads) {
		if (last.leaves === 'yes') unread += read;
		else take(filter.read(Buffer.from(read, 'latin1')));
	}
	const {holds, after} = last;
	if (holds) take(filter.flush());
	const left = after && {after: Buffer.from(after).toString('latin1') + unread};
	return {text, leaves: last.leaves, holds, ...left};
};

const asIs = (text: string) => ({text, leaves: 'not', holds: false});
const perhaps = {text: '', leaves: 'perhaps', holds: false};

/** Ctrl+] in every encoding of terminals, with the release and repeat events of the key. */
const presses = [
	['plainly', '\x1d'],
	['as its code', '\x1b[93;5u'],
	['with the kind of event', '\x1b[93;5:1u'],
	['with Caps Lock', '\x1b[93;69u'],
	['with Num Lock', '\x1b[93;133u'],
	['with both locks', '\x1b[93;197:1u'],
	['with its shifted key', '\x1b[93:125;5u'],
	['with its place', '\x1b[93::93;5u'],
	['with all keys', '\x1b[93:125:93;69:1u'],
	['with its text', '\x1b[93;5;93u'],
	['with kind and text', '\x1b[93;5:1;93u'],
	['on a Cyrillic keyboard', '\x1b[1098::93;5u'],
	['on a keyboard where it needs Shift', '\x1b[56:93;6u'],
	['as modifyOtherKeys has it', '\x1b[27;5;93~'],
	['so with Num Lock', '\x1b[27;133;93~'],
] as const;
const release = '\x1b[93;5:3u';
const repeat = '\x1b[93;5:2u';
const ctrlDown = '\x1b[57442;5u';
const ctrlUp = '\x1b[57442;1:3u';

/** Other keys with similar encodings. */
const otherKeys = [
	...['\x1b', '\x1b\x1b', '\x1b[A', '\x1bOA', '\x1b[1;5A', '\x1b[93;5', '\x1b[27;5;9', '\x1b[[A', '\x1b[200'],
	...['\x1b[93u', '\x1b[93;6u', '\x1b[93:125;6u', '\x1b[93;7u', '\x1b[93;3u', '\x1b[91;5u', '\x1b[93;5~'],
	...['\x1b[27;5;91~', '\x1b[27;6;125~', '\x1b[27;3;93~', '\x1b[61::93;5u', '\x1b[93;5;93~', '\x1b[27u'],
	...['\x1b[1:27;5;93~', '\x1b[?93;5u', '\x1b[93;5 u', `\x1b[${'0'.repeat(70)}93;5u`, '\x9b93;5u'],
	...['\x1b[<35;5;93M', '\x1b[<0;93;5m', '\x1b[M !!', '\x1b[I', '\x1b[O', '\x1b[?997;1n', ctrlDown, ctrlUp],
	...['word', ']', '93;5u', '\r', '\0', '\x7f', '\xe2\x82\xac', '\x1b]11;rgb:0/0/0\x07', '\x1b[97;;97u'],
];
const pastes = [
	'\x1b[200~a\x1db\x1b[93;5u\r\x1b[201~',
	'\x1b[200~\x1b[201~',
	'\x1b[200~\x1b\x1b[20\x1d\x1b[201~',
];

describe('the detach key of a session', () => {
	it.each(presses)('is recognised %s', (_, key) => {
		expect(typedIn([key])).toEqual(perhaps);
	});

	it.each(presses)('is sent to the program if it is pressed twice, as in the second press: %s', (_, key) => {
		expect(typedIn(['\x1d', key])).toEqual(asIs(key));
	});

	it.each(presses)('is recognised at any split of its bytes: %s', (_, key) => {
		for (let at = 0; at <= key.length; at++)
			expect(typedIn([key.slice(0, at), key.slice(at)])).toEqual(perhaps);
	});

	it('may be set to another letter, which matches in upper and lower case', () => {
		for (const key of ['\x07', '\x1b[103;5u', '\x1b[27;5;103~', '\x1b[71;69u'])
			for (const letter of ['G', 'g']) expect(typedIn([key], letter)).toEqual(perhaps);
		for (const key of ['\x1d', '\x1b[93;5u', '\x1b[103:71;6u', '\x1b[27;6;71~'])
			expect(typedIn([key], 'G')).toEqual(asIs(key));
	});

	it('may be set to a character that needs Shift', () => {
		for (const key of ['\x1e', '\x1b[54:94;6u', '\x1b[27;6;94~', '\x1b[94;5u'])
			expect(typedIn([key], '^')).toEqual(perhaps);
	});

	it('is recognised after other input in the same read', () => {
		expect(typedIn(['ab\x1b\x1d'])).toEqual({...perhaps, text: 'ab\x1b'});
		expect(typedIn(['ab\x1b[1\x1b[93;5u'])).toEqual({...perhaps, text: 'ab\x1b[1'});
	});

	it('is ignored inside a paste, and recognised after the paste', () => {
		for (const paste of pastes) {
			expect(typedIn([paste])).toEqual(asIs(paste));
			expect(typedIn([`${paste}\x1d`])).toEqual({...perhaps, text: paste});
		}
	});

	it('detaches together with the input typed after it, which the program does not get', () => {
		for (const next of ['x', '\x1b[A', '\x1b[200~', '\x1b[91;5u', '\x1b[97;;97u'])
			expect(typedIn(['a\x1d', `${next}rest`])).toEqual({
				...{text: 'a', leaves: 'yes', holds: false},
				after: `${next}rest`,
			});
	});

	it('is not pressed again by its release or repeat, and the program receives neither', () => {
		expect(typedIn(['\x1b[93;5u', repeat, release])).toEqual(perhaps);
		expect(typedIn([`\x1b[93;5u${release}\x1b[93;5u${release}`])).toEqual(asIs(`\x1b[93;5u${release}`));
	});

	it('stays half-pressed after a modifier, mouse or focus event, which the program receives', () => {
		const others = `${ctrlUp}${ctrlDown}\x1b[97;1:3u\x1b[<35;1;1M\x1b[35;1;1M\x1b[O\x1b[I`;
		expect(typedIn([`\x1b[93;5u${others}`])).toEqual({...perhaps, text: others});
		expect(typedIn([`\x1b[93;5u${others}\x1b[93;5u`])).toEqual(asIs(`${others}\x1b[93;5u`));
	});
});

describe('the beginning of a sequence at the end of a read', () => {
	it.each(['\x1b', '\x1b[', '\x1b[9', '\x1b[93:1', '\x1b[93;5', '\x1b[27;', '\x1b[27;5;9'])(
		'is held if it may become the detach key: %j',
		beginning => {
			expect(typedIn([beginning])).toEqual({...asIs(beginning), holds: true});
		},
	);

	it.each([
		'\x1bO',
		'\x1b[<',
		'\x1b[?9',
		'\x1b[91;',
		'\x1b[1;5',
		'\x1b[93;5 ',
		'\x1b[27:1;',
		'\x1b[200~\x1b',
		'x',
	])('is passed on if it cannot become the detach key: %j', beginning => {
		expect(typedIn([beginning])).toEqual(asIs(beginning));
	});

	it('does not become the detach key after it was passed on', () => {
		const filter = createDetachFilter(ctrlKey());
		const read = (text: string) => Buffer.from(filter.read(Buffer.from(text)).bytes).toString();
		expect(read('\x1b[93')).toBe('');
		expect(Buffer.from(filter.flush().bytes).toString()).toBe('\x1b[93');
		expect(read(';5u')).toBe(';5u');
		expect(filter.read(Buffer.from('\x1d')).leaves).toBe('perhaps');
	});

	it.each(['\x1b', '\x1b[20'])('still starts a paste after it was passed on: %j', beginning => {
		const filter = createDetachFilter(ctrlKey());
		filter.read(Buffer.from(beginning));
		filter.flush();
		const rest = Buffer.from('\x1b[200~a\x1d'.slice(beginning.length));
		expect(filter.read(rest)).toEqual({bytes: rest, leaves: 'not', holds: false, pastes: true});
	});
});

describe('typed input in the detach filter', () => {
	const piece = fc.oneof(
		fc.constantFrom(...otherKeys, ...pastes),
		fc.uint8Array({maxLength: 6}).map(bytes => Buffer.from(bytes).toString('latin1')),
	);
	const key = fc.constantFrom(...presses.map(([, pressed]) => pressed), release, repeat);
	const split = (text: string, at: readonly number[]): readonly string[] => {
		const ends = at.map(end => end % (text.length + 1)).toSorted((one, other) => one - other);
		return [0, ...ends].map((start, index) => text.slice(start, ends[index] ?? text.length));
	};
	const splits = fc.array(fc.nat(), {maxLength: 12});

	it.each(otherKeys)('passes unchanged if it is not the detach key: %j', typed => {
		expect(typedIn([typed])).toMatchObject({text: typed, leaves: 'not'});
	});

	it('passes unchanged at any split if it does not contain the detach key', () => {
		const others = fc.array(fc.constantFrom(...otherKeys, ...pastes)).map(texts => texts.join('\r'));
		fc.assert(
			fc.property(others, splits, (text, at) => {
				expect(typedIn(split(text, at))).toMatchObject({text, leaves: 'not'});
			}),
			{numRuns: 1000},
		);
	});

	it('gives the same result at any split', () => {
		const all = fc.array(fc.oneof(piece, key)).map(texts => texts.join(''));
		fc.assert(
			fc.property(all, splits, fc.constantFrom(']', 'G', '^'), (text, at, letter) => {
				const {holds, ...whole} = typedIn([text], letter);
				expect(typedIn(split(text, at), letter)).toMatchObject(whole);
				expect(typedIn([...text], letter)).toMatchObject(whole);
			}),
			{numRuns: 1000},
		);
	});
});
