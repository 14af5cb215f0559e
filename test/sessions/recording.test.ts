import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readEvent, readHeader} from '../../source/sessions/cast.ts';
import {recordedSession} from './recorded-session.ts';

describe('the recording of a session', () => {
	it('is asciicast v2 in files with mode 0600: output and size changes with their times', async () => {
		const session = await recordedSession(1024 * 1024);
		session.pass(1500);
		await session.print('Hello\r\n');
		session.pass(1000);
		session.resize(50, 9);
		await session.recording.end();
		expect(await session.parts()).toMatchObject([{name: '000001.cast', mode: 0o600}]);
		const text = await readFile(join(session.folder, '000001.cast'), 'utf8');
		const [header = '', ...events] = text.trimEnd().split('\n');
		expect(JSON.parse(header)).toEqual({
			version: 2,
			width: 40,
			height: 8,
			timestamp: Date.UTC(2030, 0, 1) / 1000,
			hive: {at: 0, snapshot: 1},
		});
		expect(events.slice(1).map(line => JSON.parse(line))).toEqual([
			[1.5, 'o', 'Hello\r\n'],
			[2.5, 'r', '50x9'],
		]);
	});

	it('is written in batches while the session goes on', async () => {
		const session = await recordedSession(1024 * 1024);
		await session.print('Hello');
		session.pass(200);
		await new Promise(setImmediate);
		expect(await session.parts()).toEqual([]);
		session.pass(50);
		await new Promise(setImmediate);
		expect(await session.parts()).toHaveLength(1);
	});

	it('does not exist if its budget is 0', async () => {
		const session = await recordedSession(0);
		await session.print('Hello');
		await session.recording.end();
		expect(await session.parts()).toEqual([]);
	});

	it('has whole characters at any split of the output', async () => {
		const text = 'Gr\u00fc\u00dfe \u{1f41d}\u6f22\u5b57 \ufeff.';
		const bytes = Buffer.from(text);
		await fc.assert(
			fc.asyncProperty(fc.integer({min: 1, max: bytes.length}), async step => {
				const session = await recordedSession(1024 * 1024);
				for (let at = 0; at < bytes.length; at += step) await session.print(bytes.subarray(at, at + step));
				await session.recording.end();
				const said = (await session.steps(0)).filter(({event}) => event.type === 'o').slice(1);
				expect(said.map(({event}) => event.data).join('')).toBe(text);
			}),
			{numRuns: 8},
		);
	});

	it('drops the oldest part to keep its budget, and the rest replays to the same screen', async () => {
		const budget = 64 * 1024;
		const session = await recordedSession(budget);
		const screens: string[][] = [];
		for (let second = 0; second < 400; second++) {
			await session.print(
				`\x1b[${1 + (second % 8)};${1 + (second % 20)}H\x1b[3${second % 8}m${second} \u00e9 ${'z'.repeat(second % 300)}`,
			);
			screens.push(session.screen.rows());
			session.pass(1000);
			await new Promise(setImmediate);
		}
		await session.recording.end();
		const parts = await session.parts();
		const total = parts.reduce((sum, {bytes}) => sum + bytes, 0);
		expect(parts[0]?.name).not.toBe('000001.cast');
		expect(total).toBeLessThanOrEqual(budget);
		expect(total).toBeGreaterThan(budget * 0.7);
		const drawings = (await session.steps(0)).filter(({event}) => event.data.startsWith('\x1bc'));
		expect(drawings, 'the screen must be drawn once, at the start').toHaveLength(1);
		for (const second of [300, 350, 377, 399]) {
			expect(await session.replayed(0, second), `whole replay up to second ${second}`).toEqual(
				screens[second],
			);
			expect(await session.replayed(second, second), `replay from second ${second}`).toEqual(screens[second]);
		}
	});

	it('stops if the disk is full, and reports that once', async () => {
		const session = await recordedSession(1024 * 1024, {
			append: async () => {
				throw new Error('No space left on device.');
			},
		});
		for (let at = 0; at < 5; at++) {
			await session.print('x'.repeat(100_000));
			await new Promise(setImmediate);
		}
		await session.recording.end();
		expect(session.failures).toEqual(['No space left on device.']);
	});

	it('buffers a bounded amount of output for a slow disk', async () => {
		const session = await recordedSession(1024 * 1024, {append: () => new Promise(() => {})});
		for (let at = 0; at < 100; at++) session.recording.wrote(Buffer.alloc(100_000, 'x'));
		expect(session.failures).toEqual(['The disk is too slow.']);
	});
});

describe('a replay', () => {
	it('keeps the pauses of the session up to 2 s, divided by the speed', async () => {
		const session = await recordedSession(1024 * 1024);
		for (const pause of [500, 60_000, 1000]) {
			session.pass(pause);
			await session.print(`after ${pause}`);
		}
		await session.recording.end();
		const waits = async (from: number, speed: number) =>
			(await session.steps(from, speed))
				.filter(({event}) => event.data.startsWith('after'))
				.map(({delayMs: milliseconds}) => Math.round(milliseconds));
		expect(await waits(0, 1)).toEqual([500, 2000, 1000]);
		expect(await waits(0, 4)).toEqual([125, 500, 250]);
		expect(await waits(60, 1)).toEqual([0, 500, 1000]);
		expect(await waits(1000, 1)).toEqual([0, 0, 0]);
	});

	it('validates content that other programs wrote into the files', () => {
		for (const line of [
			'',
			'{',
			'[]',
			'[1,"o"]',
			'["1","o","x"]',
			'[-1,"o","x"]',
			'[1,"i","x"]',
			'[1e999,"o","x"]',
			'null',
		])
			expect(readEvent(line)).toBeUndefined();
		for (const line of [
			'[]',
			'{"version":2}',
			'{"version":2,"width":1,"height":1,"timestamp":0,"hive":{"at":-1}}',
			'null',
		])
			expect(readHeader(line)).toBeUndefined();
		fc.assert(fc.property(fc.string(), line => void [readEvent(line), readHeader(line)]));
	});
});
