import {describe, expect, it} from 'vitest';
import type {PullRequest} from '../../../source/domain/pull-request.ts';
import {traceSnapshot, traceView} from '../../../source/host/views/trace.ts';
import {buildRun, buildTask, buildTrace} from '../../dashboard/build-trace.ts';
import {addOf, createEvent, finishOf, item, killOf, planOf, reduceAll} from '../../helpers/events.ts';

const waits = buildTask('waits', {status: 'waiting_review', review: 'required'});
const attended = buildTask('attended', {status: 'waiting_review'});
const proposal = {sequence: 40, workspace: 'isolated', summary: 'a change'} as const;
const guarded = buildTask('guarded', {status: 'running', review: 'required', agentId: 'over', proposal});
const failed = buildTask('failed', {status: 'failed', summary: 'tests failed'});
const blocked = buildTask('blocked', {status: 'blocked', summary: 'Honey reserve exhausted'});
const done = buildTask('done', {status: 'completed'});
const cancelled = buildTask('cancelled', {status: 'cancelled'});
const planned = buildTask('planned');
const ready = buildTask('ready', {status: 'ready'});

const request: PullRequest = {
	...{taskId: '_review', state: 'open', by: 'cli', tree: 'f'.repeat(40), base: 'main', number: 12},
	...{approved: 60, approvedAt: '2026-01-01T12:00:00.000Z', reworked: 0, checks: [], comments: []},
};

const viewOf = (
	tasks: Parameters<typeof buildTrace>[1]['tasks'] = [],
	runs = [] as ReturnType<typeof buildRun>[],
) => traceView(buildTrace('t', {tasks, runs}));
const asked = (status: 'running' | 'completed' | 'failed', summary = '') =>
	viewOf([], [buildRun('scout', {status, summary})]);

describe('the status of a trace', () => {
	it.each([
		['what needs a person most', [blocked, failed, waits], 'waiting_review'],
		['a failure before honey', [blocked, failed, done], 'failed'],
		['what waits for honey', [ready, blocked, done], 'blocked'],
		['what can be taken', [planned, ready, done], 'ready'],
		['what is planned', [planned, done], 'planned'],
		['that bees are at work on what waits for no person', [attended, done], 'running'],
		['that all of it is over', [cancelled, done], 'completed'],
		['that all of it was given up', [cancelled, cancelled], 'cancelled'],
		['that nothing has come of it yet', [], 'requested'],
	] as const)('shows %s', (_, tasks, status) => {
		expect(viewOf([...tasks]).status).toBe(status);
	});

	it('shows running bees, and beside them what needs a person', () => {
		const bee = buildRun('r');
		expect(viewOf([waits, failed], [bee])).toMatchObject({
			status: 'running',
			needs: 'waiting_review',
			note: '',
		});
		expect(viewOf([planned], [bee])).not.toHaveProperty('needs');
	});

	it('needs no person while its review waits at the forge, and one again once a rework is not sent', () => {
		const gate = buildTask('_review', {status: 'waiting_review', review: 'final'});
		const viewAt = (finishedAt: string) => {
			const trees = {before: 'a'.repeat(40), after: 'b'.repeat(40)};
			const rework = buildRun('r', {status: 'completed', workspace: 'isolated', finishedAt, trees});
			return traceView(buildTrace('t', {tasks: [gate, done], runs: [rework], pullRequest: request}));
		};
		const atForge = viewAt('2026-01-01T11:00:00.000Z');
		expect(atForge).toMatchObject({status: 'waiting_review', state: 'at the forge'});
		expect(atForge).not.toHaveProperty('needs');
		expect(atForge.note).toBe('Pull request #12 waits at the forge');
		expect(viewAt('2026-01-01T13:00:00.000Z')).toMatchObject({
			...{status: 'waiting_review', state: 'waiting_review', needs: 'waiting_review', note: ''},
		});
	});

	it('has one word for the most important state: a kill, a need, or a guard that everything waits for', () => {
		const over = buildRun('over', {taskId: 'guarded', status: 'completed'});
		const guard = buildRun('g', {bee: 'guard', taskId: 'guarded', trigger: 40});
		const other = buildRun('r', {taskId: 'other'});
		expect(traceView(buildTrace('t', {killed: true, tasks: [waits]})).state).toBe('killed');
		expect(viewOf([waits, guarded], [over, guard]).state).toBe('waiting_review');
		expect(viewOf([planned, guarded], [over, guard]).state).toBe('guard running');
		expect(viewOf([guarded, buildTask('other', {status: 'running'})], [over, guard, other]).state).toBe(
			'running',
		);
		expect(viewOf([guarded], [over, guard, other]).state).toBe('running');
		expect(viewOf([planned]).state).toBe('planned');
	});

	it('of a request without tasks is that of its run', () => {
		expect(asked('running').status).toBe('running');
		expect(asked('completed').status).toBe('completed');
		expect(asked('failed')).toMatchObject({status: 'failed', needs: 'failed'});
	});

	it('is killed after a kill, without a need for a person', () => {
		const view = traceView(buildTrace('t', {killed: true, tasks: [waits]}));
		expect(view).toMatchObject({killed: true, status: 'cancelled'});
		expect(view).not.toHaveProperty('needs');
	});

	it('is waiting for honey when only an event requests a run', () => {
		expect(traceView(buildTrace('t', {tasks: [done]}), 'honey')).toMatchObject({
			status: 'blocked',
			needs: 'blocked',
			note: 'Blocked: Honey reserve exhausted',
		});
	});
});

describe('the note on a trace that does not move', () => {
	it('is the reason of its kill, when there was one', () => {
		expect(traceView(reduceAll(planOf(item('a')), killOf('wrong idea'))).note).toBe('Killed: wrong idea');
		expect(traceView(buildTrace('t', {killed: true})).note).toBe('Killed');
	});

	it('is the summary of the task that the status is about, or its title without a summary', () => {
		expect(viewOf([blocked, failed]).note).toBe('Failed: tests failed');
		expect(viewOf([blocked]).note).toBe('Blocked: Honey reserve exhausted');
		expect(viewOf([{...blocked, summary: ''}]).note).toBe('Blocked: Work on blocked');
	});

	it('is the summary of the last run for a request without tasks', () => {
		expect(asked('failed', 'no such program').note).toBe('Failed: no such program');
		expect(asked('failed').note).toBe('Failed');
	});
});

describe('the overview of a trace', () => {
	it('counts completed tasks, without the gates that hive adds', () => {
		const gate = buildTask('_review', {status: 'completed', review: 'final'});
		expect(viewOf([done, planned, gate])).toMatchObject({work: {done: 1, total: 2}});
	});

	it("has the trace's own title, or else that of its first task", () => {
		expect(viewOf([done]).title).toBe('Work on done');
		expect(traceView(buildTrace('t', {title: 'Login', tasks: [done]})).title).toBe('Login');
	});
});

describe('the honey of a trace', () => {
	it('is the seed of the colony plus additions, before the first claim', () => {
		const unseeded = reduceAll(createEvent('SIGNAL', {kind: 'feature.requested', title: 'Ask'}), addOf(5));
		expect(traceSnapshot(unseeded, {energyBudget: 12})).toMatchObject({
			energyBudget: 12,
			energyRemaining: 17,
		});
	});

	it('is fixed after the first claim, whatever the colony setting becomes', () => {
		const seeded = reduceAll(planOf(item('a')), addOf(5));
		expect(traceSnapshot(seeded, {energyBudget: 99})).toMatchObject({energyBudget: 12, energyRemaining: 17});
	});
});

it('a trace is printed for scripts as tasks and runs with the specified fields, empty where unknown', () => {
	const events = [
		planOf(item('a')),
		createEvent('SIGNAL', {
			kind: 'energy.consume',
			amount: 1,
			reason: 'task.dispatch',
			agentId: 'r',
			bee: 'builder',
			taskId: 'a',
			place: 'here',
		}),
	];
	const fields = (snapshot: object | undefined) => Object.keys(snapshot ?? {}).join(' ');
	const {tasks, runs, invites, ...rest} = traceSnapshot(reduceAll(...events), {energyBudget: 12});
	expect(invites).toEqual([]);
	expect(fields(rest)).toBe('traceId title energyBudget energyRemaining spent killed place issue problems');
	expect(fields(tasks[0])).toBe(
		'traceId taskId title bee sector intent review status dependsOn summary commit proposalWorkspace updatedAt body pausedUntil waitsFor evidence',
	);
	expect(runs[0]).toMatchObject({
		agentId: 'r',
		taskId: 'a',
		status: 'running',
		finishedAt: '',
		exitCode: null,
	});
	expect(traceSnapshot(reduceAll(...events, finishOf('r')), {energyBudget: 12}).runs[0]).toMatchObject({
		exitCode: 0,
	});
});
