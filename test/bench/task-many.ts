import {monotonic} from './bare-spawns.ts';
import {type BusyColony, createBusyColony} from './busy-colony.ts';
import {peakMegabytes, residentMegabytes} from './process-figures.ts';
import type {Row} from './row.ts';
import {memoryRow, rateOfTraces} from './task-rates.ts';

const many = 10_000;
const few = 200;

/**
 * Row 32 of docs/performance.md. It takes so long that it is measured only if named: `npm run bench --
 * many-tasks`.
 */
export const benchManyTasks = async (): Promise<Row[]> => [
	...(await benchMany('in one trace', (colony, name, count, before) =>
		rateOfOneTrace(colony, name, count, before),
	)),
	...(await benchMany('in as many traces', rateOfTraces)),
];

type Rate = (colony: BusyColony, name: string, count: number, before: number) => Promise<number>;

const benchMany = async (how: string, rate: Rate): Promise<Row[]> => {
	const colony = await createBusyColony({});
	try {
		const {pid} = await colony.startReactor();
		const idle = residentMegabytes(pid);
		await rate(colony, 'warm', few, 0);
		const [base, all] = [await rate(colony, 'few', few, few), await rate(colony, 'many', many, 2 * few)];
		return [
			{
				...{row: 32, name: `tasks a second, ${many} ${how} / ${few}`, ratio: all / base},
				...{target: '>= 0.8', met: all / base >= 0.8, detail: `${all.toFixed(1)} against ${base.toFixed(1)}`},
			},
			memoryRow(`${many} tasks ${how}`, peakMegabytes(pid), idle),
		];
	} finally {
		await colony.dispose();
	}
};

/** Appends plans of some hundred tasks each, because the size of an event is limited. */
const rateOfOneTrace: Rate = async ({plan, completed}, traceId, count, before) => {
	const begin = monotonic();
	const taskIds = Array.from({length: count}, (_, index) => `task-${index}`);
	for (let first = 0; first < count; first += 500) await plan(traceId, taskIds.slice(first, first + 500));
	await completed(before + count);
	return (count / (monotonic() - begin)) * 1000;
};
