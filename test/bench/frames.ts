import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import type {Plugin} from 'esbuild';
import {inkRowCache} from '../../build/ink-row-cache.mjs';
import {readyAtOnce} from '../../build/ready-at-once.mjs';
import {bundleApp} from '../dashboard/bundle-app.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';
import {median, quantile} from './median.ts';
import type {Row} from './row.ts';

type Frames = {
	readonly times: number[];
	readonly bytes: number[];
	/** The bytes of the changed row, styles included. */
	readonly rowBytes: number;
	readonly clears: number;
	readonly cpu: number;
};

const rounds = 5;
const keys = 60;
/** The number of keys before the measurement, because the first keys compile the code. */
const warmUp = 10;

/**
 * Rows 19, 20, 22 and 23 of docs/performance.md: one changed cell on a screen of 200x50, and keys in a real
 * terminal.
 */
export const benchFrames = async (): Promise<Row[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-frames-'));
	try {
		const hive = await bundle(folder, 'hive', [readyAtOnce, inkRowCache]);
		const stock = await bundle(folder, 'stock', [readyAtOnce]);
		const measured: {ours: Frames; few: Frames; ink: Frames}[] = [];
		for (let round = 0; round < rounds; round++)
			measured.push({
				ours: await framesOf(hive, 10_000),
				ink: await framesOf(stock, 10_000),
				few: await framesOf(hive, 50),
			});
		return [...frameRows(measured), await keyRow(hive)];
	} finally {
		await rm(folder, {recursive: true});
	}
};

const frameRows = (measured: readonly {ours: Frames; few: Frames; ink: Frames}[]): Row[] => {
	const over = (pick: (round: (typeof measured)[number]) => number): number => median(measured.map(pick));
	const ours = over(({ours}) => median(ours.times));
	const ink = over(({ink}) => median(ink.times));
	const few = over(({few}) => median(few.times));
	const cpu = over(({ours: mine, ink: theirs}) => mine.cpu / theirs.cpu);
	const bytes = over(({ours: mine}) => median(mine.bytes));
	const rowBytes = over(({ours: mine}) => mine.rowBytes);
	const clears = over(({ours: mine}) => mine.clears);
	const told = `${rounds} rounds`;
	return [
		{
			row: 19,
			name: 'frame, one cell, 10k tasks / stock Ink, same components',
			ratio: ours / ink,
			target: '<= 0.3',
			met: ours / ink <= 0.3,
			detail: `${ours.toFixed(2)} / ${ink.toFixed(2)} ms, CPU ${cpu.toFixed(2)}, ${told}`,
		},
		{
			row: 20,
			name: 'frame at 10k tasks / at 50',
			ratio: ours / few,
			target: '<= 1.15',
			met: ours / few <= 1.15,
			detail: `${ours.toFixed(2)} / ${few.toFixed(2)} ms, ${told}`,
		},
		{
			row: 23,
			name: 'bytes of a one-cell frame / of its row',
			ratio: bytes / rowBytes,
			target: '<= 2, no clears',
			met: bytes / rowBytes <= 2 && clears === 0,
			detail: `${bytes} bytes of which the row ${rowBytes}, ${clears} clears, ${told}`,
		},
	];
};

const keyRow = async (program: string): Promise<Row> => {
	const ours: number[] = [];
	const floor: number[] = [];
	for (let round = 0; round < 3; round++) {
		ours.push(...(await keyTimes(program, 'keys')));
		floor.push(...(await keyTimes(program, 'raw-keys')));
	}
	const [p99, raw] = [quantile(ours, 0.99), quantile(floor, 0.99)];
	return {
		row: 22,
		name: 'key to bytes p99 at 50 events/s, less raw ANSI (ms)',
		ratio: p99 - raw,
		target: '<= 16 ms',
		met: p99 - raw <= 16,
		detail: `${p99.toFixed(1)} - ${raw.toFixed(1)} ms, medians ${median(ours).toFixed(1)} and ${median(floor).toFixed(1)}, ${3 * keys} keys`,
	};
};

/** Returns the milliseconds from a key that changes the tab to the first bytes of the new tab. */
const keyTimes = async (program: string, kind: string): Promise<number[]> => {
	const terminal = openTerminal([process.execPath, program, kind]);
	const times: number[] = [];
	try {
		await terminal.until(screen => screen.includes('Traces 1 of 4'));
		for (let key = -warmUp; key < keys; key++) {
			const [name, title] = key % 2 === 0 ? ['3', 'Needs you 1 of'] : ['1', 'Traces 1 of 4'];
			const started = performance.now();
			const shown = terminal.wrote(title);
			terminal.type(name);
			await shown;
			if (key >= 0) times.push(performance.now() - started);
			await new Promise(resolve => setTimeout(resolve, 10 + (key % 7) * 5));
		}
	} finally {
		terminal.close();
	}
	return times;
};

const bundle = (folder: string, name: string, plugins: Plugin[]): Promise<string> =>
	bundleApp('test/bench/frames-program.ts', path.join(folder, `${name}.mjs`), plugins);

const framesOf = async (program: string, tasks: number): Promise<Frames> => {
	const {CI: _ci, NODE_EXTRA_CA_CERTS: _certificates, ...env} = process.env;
	const {stdout} = await promisify(execFile)(process.execPath, [program, 'frames', String(tasks)], {env});
	return JSON.parse(stdout);
};
