import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {commandGroups} from '../../source/cli/commands.ts';
import {loadGroups} from '../../source/cli/describe.ts';
import {readArgv} from '../../source/cli/read-argv.ts';
import {readValues} from '../../source/cli/read-values.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Review} from '../../source/domain/task.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {commandLineOf, flagKeyOf} from '../../source/host/actions/command-line.ts';
import {inputFields} from '../../source/host/actions/input-fields.ts';
import {type ActionId, actionTable} from '../../source/host/actions/table.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {buildRun, buildTrace} from '../dashboard/build-trace.ts';
import {
	claimOf,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	reduceAll,
	statusOf,
	taskOf,
	traceId,
} from '../helpers/events.ts';

const rows = Object.entries(actionTable);
const commands = (await loadGroups(commandGroups)).flatMap(group => group.commands);
const commandOf = (id: string) => commands.find(({path}) => path === id.replaceAll('.', ' '))!;

describe.each(rows)('the action %s', (id, row) => {
	it('is in the table under its own id, and is a command with that name or the name that it declares', () => {
		expect(row.id).toBe(id);
		const [path = id, flag] = row.command?.split(' --') ?? [];
		expect(Object.keys(commandOf(path).flags)).toEqual(
			expect.arrayContaining(flag === undefined ? [] : [flag]),
		);
	});

	it('is refused inside a run, since agents are not people', async () => {
		const context = {insideRun: {traceId, agentId: 'run1'}} as unknown as ActionContext;
		expect(await row.run(context, {})).toMatchObject({ok: false, refusal: {code: 'not_for_agents'}});
	});

	it('refuses invalid input before reading anything', async () => {
		const nothing = {insideRun: undefined} as unknown as ActionContext;
		expect(await row.run(nothing, 'nonsense')).toMatchObject({ok: false, refusal: {code: 'usage'}});
	});
});

/** Returns arbitrary valid input for the fields of the action. */
const inputOf = (id: ActionId) =>
	fc.record(
		Object.fromEntries(
			inputFields(actionTable[id]).map(({name, kind, least = 0, most = 9, choices = []}) => [
				name,
				kind === 'boolean'
					? fc.boolean()
					: kind === 'integer'
						? fc.integer({min: least, max: most})
						: kind === 'number'
							? fc.integer({min: 1, max: 100 * most}).map(cents => cents / 100)
							: kind === 'choice'
								? fc.constantFrom(...choices)
								: fc.string({minLength: 1}),
			]),
		),
	);

/** Splits a line into words as a shell does. */
const asShellReads = (line: string): string[] =>
	execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], {encoding: 'utf8'})
		.split('\0')
		.slice(0, -1);

const wholly = [
	'proposal.approve',
	'proposal.reject',
	'task.retry',
	'task.cancel',
	'kill',
	'energy.add',
] as const;

it.each(wholly)('the command line of %s is parsed back to its input, whatever the input', id => {
	const {flags} = commandOf(id);
	fc.assert(
		fc.property(inputOf(id), input => {
			const line = asShellReads(commandLineOf(actionTable[id], input));
			const words = id.split('.').length;
			expect(line.slice(0, words + 1)).toEqual(['hive', ...id.split('.')]);
			const {values, problems} = readValues(flags, {}, readArgv(line.slice(words + 1), flags));
			expect(problems).toEqual([]);
			for (const [name, value] of Object.entries(input)) expect(values[flagKeyOf(name)]).toEqual(value);
		}),
		{numRuns: 50},
	);
});

describe('an action that is not possible now gives the reason', () => {
	const blocked = (id: ActionId, trace = reduceAll(planOf(item('a'))), taskId = 'a') =>
		actionTable[id].blocked?.({trace, task: taskOf(trace, taskId)});

	it('for a retry of a task that is not failed, running or waiting', () => {
		expect(blocked('task.retry')).toBe('Only what failed, is paused, runs or waits can be retried.');
		expect(blocked('proposal.approve')).toBe('Nothing here waits for a review.');
		expect(blocked('task.cancel')).toBeUndefined();
	});

	it('for a task with an incomplete dependency', () => {
		const planned = reduceAll(planOf(item('a'), item('b'), item('c', 'a', 'b')));
		expect(blocked('task.start', planned, 'b')).toBeUndefined();
		expect(blocked('task.start', planned, 'c')).toBe('It waits for Title of a, Title of b.');
		expect(blocked('task.start', planned, 'a')).toBe('Only a planned task can be started.');
	});

	it('for runs that are already frozen, or already running, as far as known', () => {
		const begun = buildTrace('t', {runs: [buildRun('run1'), buildRun('run2')]});
		const offered = (trace: Trace, frozen?: Readonly<Record<string, boolean>>) => {
			const doings =
				frozen &&
				new Map(
					Object.entries(frozen).map(([id, is]) => [
						id,
						{about: '', spokeAt: 0, ...(is && {isFrozen: true as const})},
					]),
				);
			return (['freeze', 'thaw'] as const).filter(
				id => actionTable[id].blocked?.({trace, ...(doings && {activities: doings})}) === undefined,
			);
		};
		expect(offered(buildTrace('t', {runs: [buildRun('run1', {status: 'completed'})]}))).toEqual([]);
		expect(offered(begun, {run1: false, run2: false})).toEqual(['freeze']);
		expect(offered(begun, {run1: true, run2: true})).toEqual(['thaw']);
		expect(offered(begun, {run1: true, run2: false})).toEqual(['freeze', 'thaw']);
		expect(offered(begun, {run1: true})).toEqual(['freeze', 'thaw']);
		expect(offered(begun, {})).toEqual(['freeze']);
		expect(offered(begun)).toEqual(['freeze', 'thaw']);
		expect(offered({...begun, killed: true}, {run1: true})).toEqual([]);
	});

	it('for the rejection of a task without a review of its own, naming a retry instead', () => {
		const waiting = reduceAll(
			planOf(item('a')),
			claimOf('run1', 'a'),
			finishOf('run1'),
			statusOf('a', 'waiting_review'),
		);
		expect(blocked('proposal.approve', waiting)).toBeUndefined();
		expect(blocked('proposal.reject', waiting)).toContain('a retry sends it back');
		expect(blocked('task.retry', waiting)).toBeUndefined();
	});

	it('for the rejection of a task at its guard, which can still be approved', () => {
		const guarded = reduceAll(
			planOf({...item('a'), review: 'required'}),
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
		);
		expect(blocked('proposal.approve', guarded)).toBeUndefined();
		expect(blocked('proposal.reject', guarded)).toContain('Its guard has not judged it yet');
	});

	it('for a killed trace', () => {
		const killed = reduceAll(planOf(item('a')), killOf());
		for (const id of ['kill', 'energy.add', 'freeze', 'task.cancel'] as const)
			expect(blocked(id, killed)).toBe('The trace is killed.');
	});
});

describe('a task whose guard is still running', () => {
	const proposedBy = async (review: Review, ...more: readonly NewEvent[]) => {
		const bus = createMemoryBus({clock: createSystemClock()});
		const proposed = [planOf({...item('a'), review}), claimOf('run1', 'a'), proposalOf('run1', 'a')];
		const guard = claimOf('guard1', 'a', {bee: 'reviewer', trigger: 3});
		for (const [index, event] of [...proposed, guard, finishOf('run1'), ...more].entries())
			await bus.append(event, {id: `event-${index}`});
		const context = {
			...{bus, clock: createSystemClock(), insideRun: undefined, by: 'human'},
			ids: {event: () => crypto.randomUUID()},
			reactorIsAlive: async () => true,
		} as unknown as ActionContext;
		const asked = (id: 'proposal.approve' | 'task.retry') => (input: object) =>
			actionTable[id].run(context, {traceId, taskId: 'a', ...input});
		return {approve: asked('proposal.approve'), retry: asked('task.retry')};
	};
	const said = {value: {sentences: ['Approved a.', 'Its guard reviewer still runs.']}};

	it('is refused approval before the verdict, unless a person approves without the guard', async () => {
		const {approve} = await proposedBy('required');
		expect(await approve({})).toMatchObject({
			refusal: {code: 'guard_running', message: expect.stringContaining('reviewer (guard1)')},
		});
		expect(await approve({withoutGuard: true})).toMatchObject(said);
	});

	it('can be retried without stopping a run, since the run of the task is over', async () => {
		const {retry} = await proposedBy('required');
		expect(await retry({})).toMatchObject({
			value: {value: {replaces: ''}, sentences: ['Task a is ready again.', expect.anything()]},
		});
	});

	it('is approved at a commit gate, with a note that the guard runs', async () => {
		const {approve} = await proposedBy('none', statusOf('a', 'waiting_review'));
		expect(await approve({})).toMatchObject(said);
	});
});

it('an action reports its result, and who does the rest', async () => {
	const bus = createMemoryBus({clock: createSystemClock()});
	await bus.append(planOf(item('a'), item('b', 'a')), {id: 'plan'});
	const context = {
		...{bus, insideRun: undefined, by: 'human', colony: await colonyFrom({})},
		ids: {event: () => crypto.randomUUID()},
		reactorIsAlive: async () => false,
	} as unknown as ActionContext;
	expect(await actionTable['energy.add'].run(context, {traceId, amount: 5})).toMatchObject({
		ok: true,
		value: {
			value: {amount: 5, energyRemaining: 17},
			sentences: [`Added 5 honey to ${traceId}: 17 left (budget 12).`],
		},
	});
	expect(await actionTable['energy.add'].run(context, {traceId, amount: 0})).toMatchObject({
		ok: false,
		refusal: {code: 'usage', details: [{path: 'amount'}]},
	});
	await bus.append(claimOf('run1', 'a'), {id: 'claim'});
	await bus.append(finishOf('run1', 'failed'), {id: 'finish'});
	expect(await actionTable['task.retry'].run(context, {traceId, taskId: 'a'})).toMatchObject({
		value: {
			sentences: [
				'Task a is ready again.',
				'No reactor is alive, so it waits until you start "hive" or "hive run".',
			],
		},
	});
});
