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

/**
 * Rows 49 to 51 and 55 of docs/performance.md: a dashboard of 200x50 that stays open, against an Ink that
 * draws as many cells.
 */
export const benchOpenAllDay = async (): Promise<Row[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-all-day-'));
	try {
		const entry = 'test/bench/open-all-day-program.ts';
		const hive = await bundleApp(entry, path.join(folder, 'hive.mjs'), [readyAtOnce, inkRowCache]);
		const stock = await bundleApp(entry, path.join(folder, 'stock.mjs'), [readyAtOnce]);
		const both = async <Figures>(kind: string): Promise<{ours: Figures[]; bare: Figures[]}> => {
			const ours: Figures[] = [];
			const bare: Figures[] = [];
			for (let round = 0; round < rounds; round++) {
				ours.push(await figuresOf(hive, kind));
				bare.push(await figuresOf(stock, `bare-${kind}`));
			}
			return {ours, bare};
		};
		return [
			busyRow(49, await both('busy'), ''),
			busyRow(55, await both('printing'), ' that print'),
			restRow(await both('rest')),
			dayRow(await both('day')),
		];
	} finally {
		await rm(folder, {recursive: true});
	}
};

type Shares = {readonly share: number; readonly bytes: number};
type Day = {readonly before: number; readonly growth: number};
type Both<Figures> = {readonly ours: readonly Figures[]; readonly bare: readonly Figures[]};

const shareOf = (figures: readonly Shares[]): number => 100 * median(figures.map(({share}) => share));

const busyRow = (row: number, {ours, bare}: Both<Shares>, doing: string): Row => {
	const ratio = shareOf(ours) / shareOf(bare);
	return {
		row,
		name: `dashboard, 50 events/s, 100 live runs${doing}, 10k tasks / bare Ink: CPU`,
		ratio,
		target: '<= 2',
		met: ratio <= 2,
		detail: `${shareOf(ours).toFixed(1)} against ${shareOf(bare).toFixed(1)} % of a core, ${rounds} rounds`,
	};
};

const restRow = ({ours, bare}: Both<Shares>): Row => {
	const drawn = median(ours.map(({bytes}) => bytes));
	const [share, other] = [shareOf(ours), shareOf(bare)];
	return {
		row: 50,
		name: 'dashboard at rest: share of a core (%)',
		ratio: share,
		target: '<= 0.2, no bytes',
		met: share <= 0.2 && drawn === 0,
		detail: `a bare Ink ${other.toFixed(2)} %; ${drawn} bytes drawn, ${rounds} rounds`,
	};
};

const dayRow = ({ours, bare}: Both<Day>): Row => {
	const growthOf = (figures: readonly Day[]): number => median(figures.map(({growth}) => growth));
	const before = median(ours.map(figures => figures.before));
	const ratio = (before + growthOf(ours)) / before;
	return {
		row: 51,
		name: 'dashboard: heap after the 100k events of a day / at its start',
		ratio,
		target: '<= 1.1',
		met: ratio <= 1.1,
		detail: `${before.toFixed(0)} MB and ${growthOf(ours).toFixed(1)}; a bare Ink grows by ${growthOf(bare).toFixed(1)}, ${rounds} rounds`,
	};
};

const figuresOf = async <Figures>(program: string, kind: string): Promise<Figures> => {
	const {CI: _ci, NODE_EXTRA_CA_CERTS: _certificates, ...env} = process.env;
	const {stdout} = await promisify(execFile)(process.execPath, ['--expose-gc', program, kind], {env});
	return JSON.parse(stdout);
};
