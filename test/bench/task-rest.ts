import {setTimeout as pause} from 'node:timers/promises';
import {createBusyColony, sayBegun} from './busy-colony.ts';
import {median} from './median.ts';
import {residentMegabytes, workOf} from './process-figures.ts';
import type {Row} from './row.ts';

/** V8 last returns memory some 8 seconds after a process was active. */
const settlingMilliseconds = 12_000;
const seconds = 10;
const sleepers = 100;

/** Rows 39 and 40 of docs/performance.md: an idle reactor, and a reactor whose agents sleep. */
export const benchTaskRest = async (): Promise<Row[]> => {
	const colony = await createBusyColony({script: `${sayBegun}exec sleep 300\n`, parallel: sleepers});
	try {
		const {pid} = await colony.startReactor();
		const idle = await watchRest(pid);
		await Promise.all(Array.from({length: sleepers}, (_, index) => colony.plan(`trace-${index}`, ['task'])));
		for (let begun = 0; begun < sleepers; begun++) await colony.begun();
		const asleep = await watchRest(pid);
		const more = asleep.megabytes - idle.megabytes;
		return [
			{
				...{row: 39, name: 'idle reactor: wake-ups a second', ratio: idle.wakes},
				...{target: '<= 4', met: idle.wakes <= 4, detail: detailOf(idle)},
			},
			{
				...{row: 39, name: 'idle reactor: % of a core', ratio: idle.percent},
				...{target: '< 0.5', met: idle.percent < 0.5, detail: detailOf(idle)},
			},
			{
				...{row: 40, name: `reactor of ${sleepers} sleeping agents: % of a core`, ratio: asleep.percent},
				...{target: '< 1', met: asleep.percent < 1, detail: detailOf(asleep)},
			},
			{
				...{row: 40, name: `reactor of ${sleepers} sleeping agents: MB above its idle size`, ratio: more},
				...{target: '<= 60', met: more <= 60, detail: `${idle.megabytes.toFixed(0)} MB when idle`},
			},
		];
	} finally {
		await colony.dispose();
	}
};

type Rest = {readonly wakes: number; readonly percent: number; readonly megabytes: number};

/** Returns medians of seconds, so that one garbage collection does not count as a permanent cost. */
const watchRest = async (pid: number): Promise<Rest> => {
	await pause(settlingMilliseconds);
	const marks = [{at: performance.now(), ...workOf(pid)}];
	for (let second = 0; second < seconds; second++) {
		await pause(1000);
		marks.push({at: performance.now(), ...workOf(pid)});
	}
	const each = marks.slice(1).map((mark, index) => {
		const before = marks[index] ?? mark;
		const elapsed = mark.at - before.at;
		return {
			wakes: ((mark.sleeps - before.sleeps) / elapsed) * 1000,
			percent: ((mark.milliseconds - before.milliseconds) / elapsed) * 100,
		};
	});
	return {
		wakes: median(each.map(({wakes}) => wakes)),
		percent: median(each.map(({percent}) => percent)),
		megabytes: residentMegabytes(pid),
	};
};

const detailOf = ({wakes, percent, megabytes}: Rest): string =>
	`${wakes.toFixed(1)} wake-ups, ${percent.toFixed(2)} %, ${megabytes.toFixed(0)} MB; medians of ${seconds} seconds`;
