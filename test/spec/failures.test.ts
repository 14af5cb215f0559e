import {describe, expect} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {once, rows} from './rows.ts';

const contract = {required: [{type: 'INSIGHT', kind_one_of: ['task.plan'], count: 1}]};

const bees = {
	builder: {script: 'echo "no luck" >&2; exit 3'},
	lazy: {completion_contract: contract, script: 'echo did nothing'},
	mute: {run_summary: 'disabled', script: 'echo said'},
};

type Task = {readonly taskId: string; readonly [field: string]: unknown};

const task = (taskId: string) => ['--trace', 't', '--task', taskId] as const;

const failed = once(async () => {
	const colony = await createColony({bees, settings: {defaults: {energy_budget: 3}}});
	const create = (taskId: string, bee: string) =>
		colony.ask(['task', 'create', ...task(taskId), '-b', 'x', '--bee', bee, '--intent', 'i', '--autorun']);
	const look = async (): Promise<Readonly<Record<string, Task>>> => {
		const {tasks} = await colony.ask<{tasks: Task[]}>(['task', 'list', '--trace', 't']);
		return Object.fromEntries(tasks.map(one => [one.taskId, one]));
	};
	await create('fails', 'builder');
	await create('lazy', 'lazy');
	await create('mute', 'mute');
	await create('broke', 'mute');
	const {exitCode} = await colony.hive(['run', '--until-idle']);
	const tasks = await look();
	const events = await colony.replay('t');
	const topUp = await colony.ask(['energy', 'add', '--trace', 't', '--amount', '5']);
	await colony.ask(['task', 'retry', ...task('fails')]);
	const retried = await look();
	const ready = (await colony.replay('t')).filter(
		({payload}) => payload.kind === 'task.ready' && payload.taskId === 'fails',
	);
	return {exitCode, tasks, topUp, retried, ready, payloads: events.map(({payload}) => payload)};
});

describe('Errors', () => {
	rows(failed, {
		'adapter run returns another status than completed: the task fails with the summary of the run, and task.status announces it':
			({tasks, payloads}) => {
				expect(tasks.fails).toMatchObject({status: 'failed', summary: 'exit code 3: no luck'});
				expect(payloads).toContainEqual(
					expect.objectContaining({kind: 'task.status', taskId: 'fails', status: 'failed'}),
				);
			},
		'script exits non-zero: the run fails': ({payloads}) =>
			expect(payloads).toContainEqual(
				expect.objectContaining({kind: 'run.finished', taskId: 'fails', status: 'failed', exitCode: 3}),
			),
		'energy remaining is 0 at dispatch: the task is blocked with "Honey reserve exhausted"': ({
			tasks,
			exitCode,
		}) => {
			const blocked = Object.values(tasks).filter(({status}) => status === 'blocked');
			expect(blocked).toMatchObject([{summary: 'Honey reserve exhausted'}]);
			expect(exitCode).toBe(9);
		},
	});
});

describe('Configuration: .hive/bees/<name>.yaml', () => {
	rows(failed, {
		'completion_contract: a run that does not meet the contract is downgraded': ({tasks}) =>
			expect(tasks.lazy?.status).toBe('failed'),
		'run_summary: the value "disabled" publishes no summary': ({tasks, payloads}) => {
			const said = payloads.filter(({kind}) => kind === 'run.summary').map(({taskId}) => taskId);
			expect(said).not.toContain('mute');
			expect(tasks.mute?.status).toBe('completed');
		},
	});
});

describe('CLI commands', () => {
	rows(failed, {
		'hive energy add: raises what remains but not the budget': ({topUp}) =>
			expect(topUp).toMatchObject({energyBudget: 3, energyRemaining: 5}),
		'hive task retry: publishes task.ready again with the same bee, intent and body': ({ready}) =>
			expect(ready.at(-1)?.payload).toMatchObject({bee: 'builder', intent: 'i', body: 'x'}),
	});
});

describe('States and transitions', () => {
	rows(failed, {
		'failed → ready: a retry clears the summary': ({retried}) =>
			expect(retried.fails).toMatchObject({status: 'ready', summary: ''}),
		'blocked → ready: a top-up unblocks the task': ({retried}) =>
			expect(retried.broke?.status).not.toBe('blocked'),
	});
});
