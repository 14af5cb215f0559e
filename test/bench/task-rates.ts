import {type BareSpawns, monotonic, startBareSpawns} from './bare-spawns.ts';
import {type BusyColony, createBusyColony} from './busy-colony.ts';
import {median} from './median.ts';
import {peakMegabytes, residentMegabytes} from './process-figures.ts';
import type {Row} from './row.ts';

const width = 4;
const rounds = 5;

/** Rows 30, 31 and 33 of docs/performance.md: tasks that do nothing against processes that do nothing. */
export const benchTaskRates = async (): Promise<Row[]> => {
	const bare = startBareSpawns();
	try {
		return [
			...(await benchRate(bare, {row: 30, worktree: false, traces: 200, least: 0.06})),
			...(await benchRate(bare, {row: 31, worktree: true, traces: 40, least: 0.02})),
		];
	} finally {
		bare.end();
	}
};

type Course = {
	readonly row: number;
	readonly worktree: boolean;
	/** The number of traces in each round, with one task each. */
	readonly traces: number;
	readonly least: number;
};

const benchRate = async (bare: BareSpawns, {row, worktree, traces, least}: Course): Promise<Row[]> => {
	const colony = await createBusyColony({worktree, parallel: width});
	try {
		const reactor = await colony.startReactor();
		const idle = residentMegabytes(reactor.pid);
		await rateOfTraces(colony, 'warm', 10, 0);
		const rates: {bare: number; hive: number}[] = [];
		for (let round = 0; round < rounds; round++)
			rates.push({
				bare: await rateOfSpawns(bare),
				hive: await rateOfTraces(colony, `round-${round}`, traces, 10 + round * traces),
			});
		const peak = peakMegabytes(reactor.pid);
		const ratio = median(rates.map(({bare, hive}) => hive / bare));
		const where = worktree ? 'one worktree per trace' : 'no worktrees';
		return [
			{
				...{row, ratio, target: `>= ${least}`, met: ratio >= least},
				name: `tasks a second, ${where} / bare spawns a second`,
				detail: `${median(rates.map(({hive}) => hive)).toFixed(1)} against ${median(rates.map(({bare}) => bare)).toFixed(0)}, ${width} at a time, ${rounds} rounds of ${traces}`,
			},
			memoryRow(`${rounds * traces} traces, ${where}`, peak, idle),
		];
	} finally {
		await colony.dispose();
	}
};

export const memoryRow = (what: string, peak: number, idle: number): Row => ({
	...{row: 33, name: `peak memory of the reactor over ${what} / when idle`, ratio: peak / idle},
	...{target: '<= 2', met: peak / idle <= 2},
	detail: `${peak.toFixed(0)} against ${idle.toFixed(0)} MB`,
});

const rateOfSpawns = async (bare: BareSpawns): Promise<number> => {
	const count = 400;
	const {milliseconds} = await bare.run({count, width, steps: [['/bin/true']]});
	return (count / milliseconds) * 1000;
};

/**
 * Returns tasks per second, from the first append to the last completion. `before` is the number completed
 * earlier.
 */
export const rateOfTraces = async (
	{plan, completed}: BusyColony,
	name: string,
	traces: number,
	before: number,
): Promise<number> => {
	const begin = monotonic();
	await Promise.all(Array.from({length: traces}, (_, index) => plan(`${name}-${index}`, ['task'])));
	await completed(before + traces);
	return (traces / (monotonic() - begin)) * 1000;
};
