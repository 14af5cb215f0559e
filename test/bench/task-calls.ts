import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {untilIdle} from '../chaos/scratch-colony.ts';
import {type Calls, countCalls, tracer} from '../helpers/count-calls.ts';
import {createBusyColony} from './busy-colony.ts';
import type {Row} from './row.ts';

/**
 * Row 36 of docs/performance.md, which test/e2e/cost-of-a-run.test.ts checks: processes and disk syncs of a
 * run.
 */
export const benchTaskCalls = async (): Promise<Row[]> => [
	...(await benchKind('without a worktree', {traces: ['a', 'b', 'c', 'd', 'e'], processes: 6, syncs: 4})),
	...(await benchKind('in a worktree that is there', {
		...{traces: ['a', 'a', 'a', 'a', 'a'], processes: 12},
		script: 'echo made >"$HIVE_TASK_ID.txt"\n',
	})),
];

type Kind = {
	/** The traces of the tasks. */
	readonly traces: readonly string[];
	/** The script of the bee in a worktree. */
	readonly script?: string;
	readonly processes: number;
	readonly syncs?: number;
};

const benchKind = async (where: string, {traces, script, ...most}: Kind): Promise<Row[]> => {
	const first = await callsOf(traces.slice(0, 1), script);
	const all = await callsOf(traces, script);
	const each = (count: (calls: Calls) => number) => (count(all) - count(first)) / (traces.length - 1);
	const programs = [...new Set(all.programs)]
		.map(name => ({name, count: each(calls => calls.programs.filter(program => program === name).length)}))
		.filter(({count}) => count > 0)
		.map(({name, count}) => `${count} ${name}`);
	// An unused supervisor may or may not have been forked ahead, at most one in all.
	const processes = Math.round(each(calls => calls.processes)) - 1;
	const syncs = each(calls => calls.syncs - calls.accounts);
	return [
		{
			...{row: 36, name: `processes of a run ${where}, besides its agent`, ratio: processes},
			...{target: `<= ${most.processes}`, met: processes <= most.processes},
			detail: `run: ${programs.join(', ')}`,
		},
		{
			...{row: 36, name: `fsyncs of a run ${where}`, ratio: syncs},
			...{target: most.syncs === undefined ? '' : `<= ${most.syncs}`, met: syncs <= (most.syncs ?? Infinity)},
			detail: 'what each run costs after the first',
		},
	];
};

/** Returns the calls of a reactor and its children until these tasks are done, one after the other. */
const callsOf = async (traces: readonly string[], script?: string): Promise<Calls> => {
	const colony = await createBusyColony({
		parallel: 1,
		...(script !== undefined && {script, worktree: true}),
	});
	try {
		for (const [index, traceId] of traces.entries()) await colony.plan(traceId, [`task-${index}`]);
		const file = join(colony.home, 'calls');
		await colony.hive(untilIdle, '', {under: tracer(file)});
		return countCalls(await readFile(file, 'utf8'));
	} finally {
		await colony.dispose();
	}
};
