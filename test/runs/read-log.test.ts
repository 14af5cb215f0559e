import {appendFile, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createRedactorOfPieces} from '../../source/domain/redact.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createLogReader, linesOf, redactBytes} from '../../source/runs/read-log.ts';

async function* chunksOf(bytes: Uint8Array, size: number) {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
	const all: Item[] = [];
	for await (const item of items) all.push(item);
	return all;
};

describe('a log reader', () => {
	it('returns the existing bytes, then only the added ones, and none if the file does not exist', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'hive-log-'));
		onTestFinished(() => rm(folder, {recursive: true, maxRetries: 5, retryDelay: 100}));
		const path = join(folder, 'stdout.log');
		const reader = createLogReader(createFiles(), path);
		const read = async () => Buffer.concat(await collect(reader.added())).toString();
		expect(await read()).toBe('');
		const long = 'x'.repeat(200_000);
		await appendFile(path, long);
		expect(await read()).toBe(long);
		await appendFile(path, 'more');
		expect(await read()).toBe('more');
	});
});

describe('the lines of a log', () => {
	const text = 'one\n\nthr\u00e9e \u{1F41D}\nlast';

	it.each([1, 2, 3, 1000])('are complete for any chunk size: %d bytes', async size => {
		expect(await collect(linesOf(chunksOf(Buffer.from(text), size)))).toEqual(text.split('\n'));
	});

	it('are split if a line has no end, so that memory stays bounded', async () => {
		const pieces = await collect(linesOf(chunksOf(Buffer.alloc(300_000, 'x'), 10_000)));
		expect(pieces.join('')).toBe('x'.repeat(300_000));
		expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThanOrEqual(64 * 1024);
	});

	it('show bytes that are no UTF-8 as replacement characters', async () => {
		expect(await collect(linesOf(chunksOf(Buffer.from([0x61, 0xff, 0x0a]), 3)))).toEqual(['a\ufffd']);
	});
});

describe('the bytes of a log', () => {
	it('pass unchanged, whatever they are', async () => {
		const bytes = Buffer.from(Array.from({length: 1024}, (_, at) => (at * 7) % 256));
		for (const size of [1, 100, 1024]) {
			const passed = await collect(redactBytes(chunksOf(bytes, size), createRedactorOfPieces([])));
			expect(Buffer.concat(passed).equals(bytes)).toBe(true);
		}
	});

	it('are redacted even if a secret arrives in two chunks', async () => {
		const bytes = Buffer.from('key: sesame-open-1\nrest');
		const passed = await collect(redactBytes(chunksOf(bytes, 9), createRedactorOfPieces(['sesame-open-1'])));
		expect(Buffer.concat(passed).toString()).toBe('key: [redacted]\nrest');
	});
});
