import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {runWithoutTasks, titleOf} from '../../source/domain/trace.ts';
import {judgementOf} from '../../source/host/views/judgement.ts';
import {decideGate, isAtGate} from '../../source/ledger/final-gate.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	reduceAll,
	reduceLater,
	statusOf,
	taskOf,
} from '../helpers/events.ts';

const asked = (body = 'Change it'): NewEvent =>
	createEvent('SIGNAL', {kind: 'bee.requested', bee: 'builder', body}, {energyBudget: 12});

/** A run without a task. Each letter names a tree: before and after the run. */
const run = (agentId: string, trees = '', {status = 'completed', ...where}: Record<string, unknown> = {}) => {
	const {payload, ...rest} = finishOf(agentId, String(status));
	const [before = '', after = ''] = trees;
	const said = trees && {trees: {before: before.repeat(40), after: after.repeat(40)}};
	return [
		claimOf(agentId, '', {workspace: 'isolated', trigger: 1, ...where}),
		{...rest, payload: {...payload, ...Object(said)}},
	];
};

const gate = {...item('_review'), review: 'final'} as const;

describe('the final review of work without a task', () => {
	const due = (...events: NewEvent[]) => {
		const trace = reduceAll(asked(), ...events);
		return isAtGate(trace) ? decideGate(trace, true).gate : 'none';
	};

	test.each([
		['that a run left', run('r', 'ab')],
		['that a failed run left', run('r', 'ab', {status: 'failed'})],
		['that a cancelled run left', run('r', 'ab', {status: 'cancelled'})],
		['where the log does not know what a run left, and git does', run('r')],
		['beside a task that was cancelled', [planOf(item('a')), statusOf('a', 'cancelled'), ...run('r', 'ab')]],
	])('is created for work %s', (_, events) => expect(due(...events)).toBe('create'));

	test.each([
		['while a run is open', [...run('r', 'ab'), claimOf('s', '', {workspace: 'isolated', trigger: 1})]],
		['for a run that left the worktree as it found it', run('r', 'aa')],
		['for what a person changed between two such runs', [...run('r', 'aa'), ...run('s', 'bb')]],
		['for a run in the root', run('r', '', {workspace: 'root'})],
		['while a task has failed', [planOf(item('a')), ...run('r', 'ab'), statusOf('a', 'failed')]],
		[
			'for what a run of a cancelled task left',
			[planOf(item('a')), ...run('r', 'ab', {taskId: 'a'}), statusOf('a', 'cancelled')],
		],
	])('is not created %s', (_, events) => expect(due(...events)).toBe('none'));
});

describe('a verdict on the proposal of a run without a task', () => {
	const trace = reduceAll(asked(), ...run('r', 'ab'), proposalOf('r', ''), planOf(gate));
	const {sequence = 0} = trace.runs.get('r')?.proposal ?? {};
	const look = claimOf('g', '', {bee: 'guard', workspace: 'isolated', trigger: sequence});
	const verdict = (kind: string, agentId = 'g') =>
		createEvent('VERIFICATION', {kind, summary: 'looked'}, {agentId});
	const judged = (...events: NewEvent[]) => {
		const now = reduceLater(trace, ...events);
		return judgementOf(now, taskOf(now, '_review'));
	};

	test('is shown at the gate under the run that proposed', () => {
		expect(judged()).toMatchObject({passed: [], failed: [], unjudged: ['r']});
		expect(judged(look, verdict('verification.success'))).toMatchObject({passed: ['r'], unjudged: []});
		expect(judged(look, verdict('verification.failed'))).toMatchObject({failed: ['r'], unjudged: []});
	});

	test('counts until there is a newer proposal', () => {
		const events = [look, verdict('verification.success'), proposalOf('r', '')];
		expect(judged(...events)).toMatchObject({passed: [], unjudged: ['r']});
	});

	test('does not count from the run itself', () => {
		const now = reduceLater(
			trace,
			createEvent('VERIFICATION', {kind: 'verification.success', proposal: sequence}, {agentId: 'r'}),
		);
		expect(now.runs.get('r')?.verdict).toBeUndefined();
		expect(now.problems.at(-1)?.message).toBe('builder judged its own work on the run r');
	});

	test('does not count at the next gate', () => {
		const taken = [
			look,
			verdict('verification.success'),
			finishOf('g'),
			statusOf('_review', 'waiting_review'),
		];
		const now = reduceLater(trace, ...taken, completedOf('_review'), planOf({...gate, taskId: '_review-2'}));
		expect(judgementOf(now, taskOf(now, '_review-2'))).toMatchObject({passed: [], unjudged: []});
	});
});

describe('the first line of a request', () => {
	const title = (...events: NewEvent[]) => titleOf(reduceAll(...events));

	test('names a trace without any other name', () => {
		expect(title(asked('\n Fix the flaky upload test \nIt fails on Fridays.'))).toBe(
			'Fix the flaky upload test',
		);
		expect(title(createEvent('SIGNAL', {kind: 'session.requested', bee: 'b', body: 'Fix it'}))).toBe(
			'Fix it',
		);
		expect(title(asked('x'.repeat(200)))).toBe(`${'x'.repeat(119)}…`);
	});

	test('does not name a trace with a name by a title, a request or a task', () => {
		const titled = (kind: string) => createEvent('INSIGHT', {kind, title: 'Uploads'});
		expect(title(asked(), titled('trace.title'))).toBe('Uploads');
		expect(title(titled('trace.title'), asked())).toBe('Uploads');
		expect(title(titled('feature.requested'), asked())).toBe('Uploads');
		expect(title(planOf(item('a')), asked())).toBe('Title of a');
	});

	test('is kept as the name when a task is added, and a gate never names a trace', () => {
		expect(title(asked('Fix it'), planOf(item('a')))).toBe('Fix it');
		expect(title(asked(''), planOf(gate))).toBe('');
		expect(title(asked(''), planOf(gate), planOf(item('a')))).toBe('Title of a');
	});
});

describe('a failed run without a task', () => {
	const events = [asked(), ...run('r', 'ab', {status: 'failed'}), planOf(gate)];

	test('is shown beside the gate of its work', () => {
		expect(runWithoutTasks(reduceAll(...events))?.agentId).toBe('r');
	});

	test('is no longer shown once a gate has taken its work', () => {
		const taken = [statusOf('_review', 'waiting_review'), completedOf('_review')];
		expect(runWithoutTasks(reduceAll(...events, ...taken))).toBeUndefined();
	});
});
