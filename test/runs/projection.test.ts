import {expect, test} from 'vitest';
import type {HiveEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import type {Files} from '../../source/ports/files.ts';
import {projectTrace} from '../../source/runs/projection.ts';
import {
	claimOf,
	completedOf,
	finishOf,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
} from '../helpers/events.ts';

/** Returns the files that are written for a change of a trace, by the name of the task. */
const written = async (before: Trace | undefined, after: Trace): Promise<Record<string, string>> => {
	const texts: Record<string, string> = {};
	const write: Files['write'] = async (path, text) => {
		texts[path.split('/').slice(-2).join('/')] = text;
	};
	await projectTrace({write} as Files, '/colony', before, after);
	return texts;
};

const large = reduceAll(planOf(...Array.from({length: 200}, (_, index) => item(`task-${index}`))));

test('only the files of changed tasks are written, whatever else the trace contains', async () => {
	const running = reduceLater(large, readyOf('task-0'), claimOf('r1', 'task-0'));
	expect(Object.keys(await written(large, running))).toEqual(['task-0/task.md', 'task-0/runs.ndjson']);
	const over = reduceLater(running, finishOf('r1'), completedOf('task-0'));
	expect(Object.keys(await written(running, over)).sort()).toEqual([
		'task-0/runs.ndjson',
		'task-0/task.md',
		'task-1/task.md',
	]);
});

test('a task that changed several times between two writes is written once, in its newest state', async () => {
	const over = reduceLater(
		large,
		readyOf('task-0'),
		claimOf('r1', 'task-0'),
		finishOf('r1'),
		completedOf('task-0'),
	);
	const texts = await written(large, over);
	expect(texts['task-0/task.md']).toContain('status: "completed"');
	expect(texts['task-0/runs.ndjson']?.trim().split('\n')).toHaveLength(1);
});

test('the runs of a task are all written, in the order of their claims', async () => {
	const again: HiveEvent[] = [finishOf('r1', 'failed'), readyOf('task-0'), claimOf('r2', 'task-0')];
	const running = reduceLater(large, readyOf('task-0'), claimOf('r1', 'task-0'));
	const texts = await written(running, reduceLater(running, ...again));
	const runs = texts['task-0/runs.ndjson']?.trim().split('\n') ?? [];
	expect(runs.map(line => JSON.parse(line).agentId)).toEqual(['r1', 'r2']);
});
