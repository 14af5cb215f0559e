import {expect} from 'vitest';
import {builder, createColony, type Line, type ScriptedBee} from '../helpers/colony-on-disk.ts';

type Scene = Parameters<typeof createColony>[0];

export const traceId = 'trace-1';

/** Creates a colony and runs its trace until a person must act; `exit` is the expected exit code. */
export const createWaiting = async (
	tasks: readonly object[] = [{taskId: 'work', title: 'Do the work'}],
	scene: Scene = {},
	exit = 8,
) => {
	const colony = await createColony(scene);
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: JSON.stringify({tasks})});
	const onTrace = ['--trace', traceId];
	const run = async (expected: number) => {
		const ended = await colony.hive(['run', '--until-idle']);
		expect(ended, ended.stderr).toMatchObject({exitCode: expected});
	};
	await run(exit);
	return {
		...colony,
		run,
		tasks: async () =>
			(await colony.ask<{tasks: Record<string, string>[]}>(['task', 'list', ...onTrace])).tasks,
		statuses: async (): Promise<Record<string, string>> => {
			const {tasks} = await colony.ask<{tasks: {taskId: string; status: string}[]}>([
				'task',
				'list',
				...onTrace,
			]);
			return Object.fromEntries(tasks.map(({taskId, status}) => [taskId, status]));
		},
		honey: async () =>
			(await colony.ask<{energyRemaining: number}>(['energy', 'show', ...onTrace])).energyRemaining,
		events: async (kind: string): Promise<readonly Line[]> =>
			(await colony.replay(traceId)).filter(({payload}) => payload.kind === kind),
		approve: (...more: string[]) => [
			'proposal',
			'approve',
			...onTrace,
			...(more.includes('--task') ? [] : ['--task', '_review']),
			...more,
		],
		/** Returns the merges of the trace on `main`, newest first. */
		merges: async () => {
			const found = await colony.git([
				'log',
				'--first-parent',
				'--merges',
				'--format=%H %s',
				`--grep=Hive-Trace: ${traceId}`,
				'main',
			]);
			return found.split('\n').filter(line => line !== '');
		},
	};
};

/** Returns a script that writes this text to a file and exits with 0. */
export const writes = (file: string, words: string): ScriptedBee => ({
	...builder,
	script: `echo "${words}" >"${file}"; echo "wrote ${file}"`,
});
