import {mkdtemp, readdir, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createFiles} from '../../source/drivers/files.ts';
import type {Files} from '../../source/ports/files.ts';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {readRecording} from '../../source/sessions/read-recording.ts';
import {createRecording} from '../../source/sessions/recording.ts';
import {type ReplayStep, replaySteps} from '../../source/sessions/replay.ts';
import {handClock} from './terminal-session.ts';

const size = {columns: 40, rows: 8};

/** Opens a terminal whose cells can be compared. */
export const openScreen = () => {
	const screen = createTerminalEmulator(size, {scrollback: 0});
	return {
		write: (output: string | Uint8Array) => screen.write(Buffer.from(output)),
		resize: (columns: number, rows: number) => screen.resize({columns, rows}),
		/** Returns the rows on screen. */
		rows: () => [...screen.text()],
		/** Returns a text that draws the screen from scratch. */
		drawing: () => Buffer.concat([Buffer.from('\x1bc'), screen.snapshot({scrollback: 0})]),
	};
};

/** Records a terminal on disk. */
export const recordedSession = async (budget: number, change: Partial<Files> = {}) => {
	const root = await mkdtemp(join(tmpdir(), 'hive-recording-'));
	onTestFinished(() => rm(root, {recursive: true, maxRetries: 5, retryDelay: 100}));
	const folder = join(root, 'recording');
	const files = {...createFiles(), ...change};
	const screen = openScreen();
	const {clock, pass} = handClock();
	const failures: string[] = [];
	const recording = createRecording({
		...{clock, files, folder, budget, size},
		snapshot: screen.drawing,
		failed: reason => failures.push(reason),
	});
	return {
		...{recording, screen, pass, folder, failures},
		print: async (output: string | Uint8Array): Promise<void> => {
			const bytes = Buffer.from(output);
			await screen.write(bytes);
			recording.wrote(bytes);
		},
		resize: (columns: number, rows: number): void => {
			screen.resize(columns, rows);
			recording.resized({columns, rows});
		},
		/** Returns the names and sizes of the files. */
		parts: async () =>
			Promise.all(
				(await readdir(folder).catch(() => [])).sort().map(async name => {
					const {size: bytes, mode} = await stat(join(folder, name));
					return {name, bytes, mode: mode & 0o777};
				}),
			),
		/** Returns the steps of a replay that begins at that second. */
		steps: async (from: number, speed = 1) => {
			const steps: ReplayStep[] = [];
			for await (const step of replaySteps(await readRecording(files, folder), {from, speed}))
				steps.push(step);
			return steps;
		},
		/** Returns the screen of a replay that begins at second `from`, once it has reached second `to`. */
		replayed: async (from: number, to: number): Promise<string[]> => {
			const replay = openScreen();
			for await (const {event} of replaySteps(await readRecording(files, folder), {from, speed: 1})) {
				if (event.at > to) break;
				const [columns = 0, rows = 0] = event.data.split('x').map(Number);
				if (event.type === 'r') replay.resize(columns, rows);
				else await replay.write(event.data);
			}
			return replay.rows();
		},
	};
};
