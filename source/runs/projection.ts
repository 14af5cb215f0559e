import {join, relative} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import type {RunRecord} from '../domain/run.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import type {Task} from '../domain/task.ts';
import {taskRecord} from '../domain/task-record.ts';
import type {Trace} from '../domain/trace.ts';
import type {Files} from '../ports/files.ts';
import {runDirectory, taskDirectory, traceDirectory} from './layout.ts';

/**
 * Writes the files of each task that differs between two snapshots of a trace (docs/rules.md §7). Removes the
 * folder of a purged trace, and those of tasks that a person took out of a plan.
 */
export const projectTrace = async (
	files: Files,
	root: string,
	before: Trace | undefined,
	after: Trace,
): Promise<void> => {
	// The purge has removed the folder, but files may have been written meanwhile.
	if (after.purged !== undefined) await files.remove(traceDirectory(root, after.traceId));
	const {traceId} = after;
	let written = 0;
	const write = async (taskId: string, name: string, text: string): Promise<void> => {
		await files.write(join(taskDirectory(root, traceId, taskId), name), text);
		if (++written % filesPerTurn === 0) await nextTurn();
	};
	if (before !== undefined && before.plan?.sequence !== after.plan?.sequence)
		for (const taskId of before.tasks.keys())
			if (!after.tasks.has(taskId)) await files.remove(taskDirectory(root, traceId, taskId));
	for (const task of after.tasks.changedSince(before?.tasks))
		await write(task.taskId, 'task.md', renderTask(traceId, task));
	for (const [taskId, runs] of changedRuns(before, after))
		await write(taskId, 'runs.ndjson', renderRuns(root, traceId, runs));
};

/** Number of files to write before other work gets a turn. */
const filesPerTurn = 20;

/** Returns all runs of each task that has a new or changed run. */
const changedRuns = (before: Trace | undefined, {tasks, runs}: Trace): ReadonlyMap<string, RunRecord[]> => {
	const changed = new Map<string, RunRecord[]>();
	for (const run of runs.changedSince(before?.runs)) {
		const {taskId = '', agentId} = run;
		if (tasks.has(taskId) && !differsOnlyInEmitted(before?.runs.get(agentId), run)) changed.set(taskId, []);
	}
	if (changed.size > 0) for (const run of runs.values()) changed.get(run.taskId ?? '')?.push(run);
	return changed;
};

/** True if only the count of emitted events differs, which the files do not contain. */
const differsOnlyInEmitted = (before: RunRecord | undefined, run: RunRecord): boolean =>
	before !== undefined && isDeepStrictEqual({...before, emitted: run.emitted}, run);

/** `task.md`: front matter in the order of docs/rules.md §7, then the body. JSON values are valid YAML. */
export const renderTask = (traceId: string, task: Task): string => {
	const front = {...taskRecord(traceId, task), updatedAt: `${task.updatedAt.slice(0, 19)}Z`};
	const lines = Object.entries(front).map(
		([key, value]) =>
			`${key}: ${JSON.stringify(typeof value === 'string' ? withoutControlCharacters(value) : value)}`,
	);
	const body = withoutControlCharacters(task.body);
	return `---\n${lines.join('\n')}\n---\n\n${body}${body.endsWith('\n') ? '' : '\n'}`;
};

/** Removes control characters, since people print these files. Tabs stay, since the files quote code. */
const withoutControlCharacters = (text: string): string =>
	text
		.split('\t')
		.map(part => sanitizeText(part).text)
		.join('\t');

/** `runs.ndjson`: one line per run of the task, including open runs. */
const renderRuns = (root: string, traceId: string, runs: readonly RunRecord[]): string =>
	runs
		.map(({agentId, bee, startedAt, finishedAt, status}) =>
			JSON.stringify({
				agentId,
				bee,
				runDir: relative(root, runDirectory(root, traceId, agentId)),
				startedAt,
				finishedAt: finishedAt ?? '',
				runStatus: status,
			}),
		)
		.map(line => `${line}\n`)
		.join('');
