import {join} from 'node:path';
import type {Clock} from '../ports/clock.ts';
import type {Files} from '../ports/files.ts';
import {createAppendQueue} from './append-queue.ts';
import {type CastEvent, eventLine, headerLine, outputEvents} from './cast.ts';

type Size = {readonly columns: number; readonly rows: number};

type Parts = {
	readonly clock: Clock;
	readonly files: Pick<Files, 'create' | 'append' | 'remove'>;
	/** Absolute path of the recording's folder. */
	readonly folder: string;
	/** Max bytes of the files; 0 records nothing. */
	readonly budget: number;
	readonly size: Size;
	/**
	 * Returns text that draws the screen after exactly the bytes passed to `wrote` so far. Called only at the
	 * start, and inside `wrote`.
	 */
	readonly snapshot: () => Uint8Array;
	/** Called once when writing has failed; the session goes on without a recording. */
	readonly failed: (reason: string) => void;
};

export type Recording = {
	/** The screen has processed these bytes of the program. */
	readonly wrote: (bytes: Uint8Array) => void;
	readonly resized: (size: Size) => void;
	/** Resolves when everything is written; later calls are ignored. */
	readonly end: () => Promise<void>;
};

/** Number of parts. The oldest is removed when there is no room, so at least 7/8 of the budget is kept. */
const segments = 8;
const batchDelayMs = 250;
const batchLength = 64 * 1024;

/** Name of a part: `000001.cast`. */
const segmentName = (number: number): string => `${String(number).padStart(6, '0')}.cast`;

/**
 * Records the output on a session's terminal, with times. Each file begins with the screen as it was then, so
 * that the oldest file can be removed. Input is recorded only if the program shows it. Never makes its caller
 * wait.
 */
export const createRecording = (parts: Parts): Recording => {
	const {clock, files, folder, budget, snapshot, failed} = parts;
	if (budget === 0) return {wrote: () => {}, resized: () => {}, end: async () => {}};
	const began = clock.elapsed();
	const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
	const kept: {readonly path: string; bytes: number}[] = [];
	let {size} = parts;
	let number = 0;
	/** Bytes of the newest part after its snapshot. */
	let recorded = 0;
	let segmentBegan = began;
	let tail: Uint8Array = new Uint8Array();
	let batch: string[] = [];
	let length = 0;
	let isOver = false;
	let cancelFlush: (() => void) | undefined;

	const stop = (): void => {
		isOver = true;
		cancelFlush?.();
		batch = [];
	};
	const writeBatches = async (texts: readonly string[]): Promise<void> => {
		for (const text of texts) await writeBatch(text);
	};
	const writeBatch = async (text: string): Promise<void> => {
		// A header begins a batch of its own; events are lists.
		const isNew = text.startsWith('{');
		if (isNew) {
			number += 1;
			kept.push({path: join(folder, segmentName(number)), bytes: 0});
		}
		const newest = kept.at(-1);
		if (newest === undefined) return;
		newest.bytes += Buffer.byteLength(text);
		await makeRoom();
		if (isNew) await files.create(newest.path, text, {mode: 0o600});
		else await files.append(newest.path, text);
	};
	const makeRoom = async (): Promise<void> => {
		while (kept.length > 1 && kept.reduce((sum, {bytes}) => sum + bytes, 0) > budget) {
			const oldest = kept.shift();
			if (oldest) await files.remove(oldest.path);
		}
	};
	const queue = createAppendQueue(writeBatches, reason => {
		stop();
		failed(reason);
	});
	const flush = (): void => {
		cancelFlush?.();
		cancelFlush = undefined;
		queue.add(batch.join(''));
		batch = [];
		length = 0;
	};
	const add = (line: string): void => {
		batch.push(line);
		length += line.length;
		if (length >= batchLength) flush();
		else cancelFlush ??= clock.after(batchDelayMs, flush);
	};
	const begin = (): void => {
		flush();
		const now = clock.elapsed();
		segmentBegan = now;
		recorded = 0;
		const drawing = outputEvents(0, decoder.decode(snapshot()));
		const timestamp = Math.floor(clock.now() / 1000);
		const {columns: width, rows: height} = size;
		const hive = {at: (now - began) / 1000, snapshot: drawing.length};
		add(headerLine({version: 2, width, height, timestamp, hive}));
		for (const event of drawing) add(eventLine(event));
	};
	const record = (event: CastEvent): void => {
		const line = eventLine(event);
		recorded += Buffer.byteLength(line);
		add(line);
	};
	const seconds = (): number => (clock.elapsed() - segmentBegan) / 1000;
	begin();
	return {
		wrote: bytes => {
			if (isOver) return;
			const all = Buffer.concat([tail, bytes]);
			tail = all.subarray(all.length - openBytes(all));
			const text = decoder.decode(all.subarray(0, all.length - tail.length));
			for (const event of outputEvents(seconds(), text)) record(event);
			// A snapshot holds whole characters only.
			if (tail.length === 0 && recorded >= budget / segments) begin();
		},
		resized: now => {
			size = now;
			if (!isOver) record({at: seconds(), type: 'r', data: `${now.columns}x${now.rows}`});
		},
		end: async () => {
			if (!isOver) {
				flush();
				stop();
			}
			await queue.idle();
		},
	};
};

/** Returns the number of bytes at the end that begin an incomplete UTF-8 character. */
const openBytes = (bytes: Uint8Array): number => {
	for (let back = 1; back <= Math.min(3, bytes.length); back++) {
		const byte = bytes[bytes.length - back] ?? 0;
		if (byte >= 0xc0) return lengthFrom(byte) > back ? back : 0;
		if (byte < 0x80) return 0;
	}
	return 0;
};

const lengthFrom = (lead: number): number => {
	if (lead >= 0xf0) return 4;
	return lead >= 0xe0 ? 3 : 2;
};
