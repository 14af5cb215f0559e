import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {inkRowCache} from '../../build/ink-row-cache.mjs';
import {readyAtOnce} from '../../build/ready-at-once.mjs';
import {bundleApp} from '../dashboard/bundle-app.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const rounds = 3;

type Figures = {
	readonly firstFrame: number;
	readonly longestKey: number;
	readonly longestStall: number;
	/** The CPU time of the drawing thread for these frames. */
	readonly firstUsed: number;
	readonly longestTurn: number;
	readonly memory: number;
};

/**
 * Rows 52 to 54 of docs/performance.md: a person pages through a review of 1,000 files and 300,000 changed
 * lines.
 */
export const benchLargeReview = async (): Promise<Row[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-large-review-'));
	try {
		const file = path.join(folder, 'review.mjs');
		const program = await bundleApp('test/bench/large-review-program.ts', file, [readyAtOnce, inkRowCache]);
		const figures: Figures[] = [];
		for (let round = 0; round < rounds; round++) figures.push(await figuresOf(program));
		const of = (name: keyof Figures): number => median(figures.map(one => one[name]));
		const row = (number: number, name: string, ratio: number, most: number, detail: string): Row => ({
			...{row: number, name: `review of 1,000 files, 300k lines: ${name}`, ratio},
			...{target: `<= ${most}`, met: ratio <= most, detail: `${detail}, ${rounds} rounds`},
		});
		return [
			row(
				...([52, 'patch to first frame (ms)', of('firstUsed'), 150] as const),
				`${of('firstFrame').toFixed(0)} ms passed`,
			),
			row(
				...([53, 'longest turn after it (ms)', of('longestTurn'), 50] as const),
				`${of('longestStall').toFixed(0)} ms passed; longest key ${of('longestKey').toFixed(0)} ms`,
			),
			row(54, 'memory (MB)', of('memory'), 250, 'of the process, its thread included'),
		];
	} finally {
		await rm(folder, {recursive: true});
	}
};

const figuresOf = async (program: string): Promise<Figures> => {
	const {CI: _ci, NODE_EXTRA_CA_CERTS: _certificates, ...env} = process.env;
	const {stdout} = await promisify(execFile)(process.execPath, [program], {env});
	return JSON.parse(stdout);
};
