import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createScanner} from '../../source/screen/sequences.ts';
import {stream} from './streams.ts';

const scanAll = (chunks: readonly Uint8Array[]) => {
	const scanner = createScanner();
	const scanned = chunks.map(chunk => scanner.scan(chunk));
	return {
		program: scanned.map(({program}) => program).join(''),
		viewers: scanned.map(({viewers}) => viewers).join(''),
	};
};

const viewersOf = (text: string): string => scanAll([Buffer.from(text)]).viewers;

const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
	const cuts = [0, ...places.map(place => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
	return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
};

test('the parsed output is the same at any split of a stream', () => {
	const bytes = fc.oneof(stream, fc.uint8Array({maxLength: 200}));
	fc.assert(
		fc.property(bytes, fc.array(fc.nat(), {maxLength: 12}), (written, places) => {
			expect(scanAll(cutAt(written, places))).toEqual(scanAll([written]));
		}),
		{numRuns: 2000},
	);
});

test('parsed output is unchanged by a second pass', () => {
	fc.assert(
		fc.property(stream, written => {
			const {viewers} = scanAll([written]);
			expect(viewersOf(viewers)).toBe(viewers);
		}),
		{numRuns: 1000},
	);
});

test('a sequence or character is emitted whole, with its last byte', () => {
	const scanner = createScanner();
	const pieces = [...Buffer.from('a\x1b[31mé')].map(byte => scanner.scan(Uint8Array.of(byte)).viewers);
	expect(pieces).toEqual(['a', '', '', '', '', '\x1b[31m', '', 'é']);
});

test('a request that a terminal would answer is replaced by NUL for viewers', () => {
	const requests = [
		'\x1b[c',
		'\x1b[0c',
		'\x1b[>c',
		'\x1b[=c',
		'\x1bZ',
		'\x05',
		'\x1b[5n',
		'\x1b[6n',
		'\x1b[?6n',
		'\x1b[?996n',
		'\x1b[?2026$p',
		'\x1b[4$p',
		'\x1b[2$w',
		'\x1b[>q',
		'\x1b[>0q',
		'\x1b[x',
		'\x1b[18t',
		'\x1b[14;2t',
		'\x1b[8;50;200t',
		'\x1b[?u',
		'\x1b[?4m',
		'\x1b[?1;1;0S',
		'\x1b]10;?\x07',
		'\x1b]11;?\x1b\\',
		'\x1b]12;?\x07',
		'\x1b]4;1;?;2;?\x07',
		'\x1b]52;c;?\x07',
		'\x1bP$qm\x1b\\',
		'\x1bP+q544e\x1b\\',
		'\x1b_Gi=31,a=q;AAAA\x1b\\',
		'\x1b[5i',
	];
	for (const request of requests) expect(viewersOf(`a${request}b`), JSON.stringify(request)).toBe('a\0b');
});

test('a sequence that only resembles a request reaches viewers', () => {
	const others = [
		'\x1b[4 q',
		'\x1b[1"q',
		'\x1b[>4;2m',
		'\x1b[>4n',
		'\x1b[>1u',
		'\x1b[<u',
		'\x1b[u',
		'\x1b[!p',
		'\x1b[22;2t',
		'\x1b[23;2t',
		'\x1b[2S',
		'\x1b[1;5r',
		'\x1b]2;really?\x07',
		'\x1b]8;;https://a.test/?\x1b\\',
		'\x1b]11;#102030\x07',
		'\x1b]52;c;aGk=\x07',
		'\x1bPq#0\x1b\\',
		'\x1b^note\x1b\\',
		'\x1bc',
	];
	for (const other of others) expect(viewersOf(`a${other}b`), JSON.stringify(other)).toBe(`a${other}b`);
});

test('a control character inside a sequence is emitted before it, and a cancel ends the sequence', () => {
	expect(viewersOf('\x1b[3\r\n1mred')).toBe('\r\n\x1b[31mred');
	expect(viewersOf('\x1b[3\x18mno')).toBe('mno');
	expect(viewersOf('\x1b]2;tit\x1b[31mle')).toBe('\x1b[31mle');
});

test('8-bit controls and bytes that are no UTF-8 have no effect', () => {
	expect(viewersOf('a\u009b31mb\u009d2;t\u009c')).toBe('a31mb2;t');
	expect(scanAll([Uint8Array.of(0x61, 0x9b, 0x33, 0xff, 0x62)]).viewers).toBe('a\ufffd3\ufffdb');
});

test('a string sequence without an end, or over 64 KiB, is dropped', () => {
	const scanner = createScanner();
	const part = Buffer.from('x'.repeat(100_000));
	expect(scanner.scan(Buffer.from('\x1b]2;')).viewers).toBe('');
	for (let count = 0; count < 50; count++) expect(scanner.scan(part).viewers).toBe('');
	expect(scanner.scan(Buffer.from('\x07after')).viewers).toBe('after');
});

test('numbers above any screen size become 9999, and a character keeps at most 32 combining marks', () => {
	expect(viewersOf('\x1b[2147483647S\x1b[0000000012C')).toBe('\x1b[9999S\x1b[12C');
	const scanner = createScanner();
	const marks = Array.from({length: 100}, () => scanner.scan(Buffer.from('\u0301')).viewers).join('');
	expect(marks).toBe('\u0301'.repeat(32));
	expect(scanner.scan(Buffer.from('e\u0301')).viewers).toBe('e\u0301');
});
