import {describe, expect, test} from 'vitest';
import type {Colony} from '../../source/colony/colony.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {awaitsBranch} from '../../source/ledger/final-gate.ts';
import {decide} from '../../source/reactor/decide.ts';
import type {Step} from '../../source/reactor/steps.ts';
import {
	announcedOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statusOf,
	taskOf,
} from '../helpers/events.ts';
import {
	bee,
	builder,
	colonyOf,
	type Given,
	guard,
	machineOf,
	mason,
	pendingRun,
	planner,
	receiver,
	rootGuard,
	scout,
} from './scene.ts';

const colony = colonyOf([builder, mason, scout, guard, rootGuard, planner]);

/** Formats each step as text: the action and its subject. */
const words = (trace: Trace, given: Given = {}, read: Colony = colony): string[] =>
	decide(trace, read, machineOf(given)).steps.map(wordsOf);

const wordsOf = (step: Step): string => {
	switch (step.do) {
		case 'append': {
			const {kind, taskId, status = '', summary = ''} = step.event.payload;
			return [kind, taskId, status, summary].filter(word => word !== '' && word !== undefined).join(' ');
		}
		case 'claim':
			return ['claim', step.bee, step.taskId, step.trigger].filter(word => word !== undefined).join(' ');
		case 'drop':
			return `drop ${step.bee} ${step.trigger}`;
		case 'dropInvite':
			return `drop ${step.inviteId}`;
		case 'stop':
			return `stop ${step.run.agentId}: ${step.reason}`;
		default:
			return `${step.do} ${step.run.agentId}`;
	}
};

const ready = reduceAll(planOf(item('a')), ...announcedOf('a'));
const running = reduceLater(ready, claimOf('r1', 'a'), statusOf('a', 'running', '', 'r1'));

describe('a run that has used its trace up', () => {
	const limited = reduceAll({...planOf(item('a')), maxCost: 1}, ...announcedOf('a'));
	const open = reduceLater(limited, claimOf('r1', 'a'), statusOf('a', 'running', '', 'r1'));
	const runs = new Map([['r1', 'alive'] as const]);

	test('is stopped with the limit as the reason', () => {
		expect(words(open, {runs, usage: new Map([['r1', {costUsd: 1}]])})).toEqual([
			'stop r1: Cost limit reached',
		]);
	});

	test('goes on below the limit, or if it is not known to make another model call', () => {
		expect(words(open, {runs, usage: new Map([['r1', {costUsd: 0.99}]])})).toEqual([]);
		expect(words(open, {runs, usage: new Map([['other', {costUsd: 5}]])})).toEqual([]);
	});
});

describe('a ready task', () => {
	test('is announced before any other step', () => {
		expect(words(reduceAll(planOf(item('a'))))).toEqual(['task.ready a']);
	});

	test('is also announced by task.status, and then claimed', () => {
		expect(words(reduceAll(planOf(item('a')), readyOf('a')))).toEqual(['task.status a ready']);
		expect(words(ready)).toEqual(['claim builder a']);
	});

	test('waits while every slot is taken', () => {
		expect(words(ready, {freeSlots: 0})).toEqual([]);
	});

	test('is blocked when the reserve is exhausted', () => {
		const spent = reduceLater(
			reduceAll({...planOf(item('a')), energyBudget: 1}),
			claimOf('r1', 'a'),
			finishOf('r1', 'failed'),
			...announcedOf('a'),
		);
		expect(words(spent)).toEqual(['task.status a blocked Honey reserve exhausted']);
	});

	test('can use the reserve that its own claim will seed', () => {
		const unseeded = reduceAll({...planOf(item('a')), energyBudget: 0}, ...announcedOf('a'));
		expect(unseeded.energyRemaining).toBe(0);
		expect(words(unseeded)).toEqual(['claim builder a']);
	});

	test('waits until the run that a retry replaced has ended', () => {
		const retried = reduceLater(running, readyOf('a', {replaces: 'r1'}), statusOf('a', 'ready'));
		expect(words(retried, {runs: new Map([['r1', 'alive']])})).toEqual(['stop r1: replaced by a retry']);
		expect(words(reduceLater(retried, finishOf('r1', 'cancelled')))).toEqual(['claim builder a']);
	});

	test.each([
		['a bee that is gone', {bee: 'leaver'}, 'There is no bee "leaver" in .hive/bees/'],
		['a bee that takes no tasks', {bee: 'guard'}, 'The bee "guard" does not take task.ready'],
		['a sector that is gone', {sector: 'web'}, 'There is no sector "web" in .hive/colony.yaml'],
	])('with %s fails and spends nothing', (_, given, summary) => {
		const trace = reduceAll(planOf({...item('a'), ...given}), ...announcedOf('a'));
		expect(words(trace)).toEqual([`task.status a failed ${summary}`]);
	});
});

describe('a workspace', () => {
	const both = (bees: [string, string]) =>
		reduceAll(
			planOf({...item('a'), bee: bees[0]}, {...item('b'), bee: bees[1]}),
			...announcedOf('a'),
			...announcedOf('b'),
		);
	const held = (bees: [string, string]) => reduceLater(both(bees), claimOf('r1', 'a', {bee: bees[0]}));
	const busy: Given = {runs: new Map([['r1', 'busy']])};
	const claims = (trace: Trace, given: Given): string[] =>
		words(trace, {...busy, ...given}).filter(step => step.startsWith('claim'));

	test('of a trace admits only one writer', () => {
		expect(claims(held(['builder', 'builder']), {})).toEqual([]);
	});

	test('of a trace admits no reader beside a writer and no writer beside a reader', () => {
		const withReader = colonyOf([builder, bee('reader', {worktree: true})]);
		const step = (bees: [string, string]) =>
			words(reduceLater(both(bees), claimOf('r1', 'a', {bee: bees[0]})), busy, withReader).filter(word =>
				word.startsWith('claim'),
			);
		expect(step(['builder', 'reader'])).toEqual([]);
		expect(step(['reader', 'builder'])).toEqual([]);
		expect(step(['reader', 'reader'])).toEqual(['claim reader b']);
	});

	test('in the root is shared by all traces and admits one writer or any number of readers', () => {
		const mine = reduceAll(planOf({...item('a'), bee: 'mason'}), ...announcedOf('a'));
		const reads = reduceAll(planOf({...item('a'), bee: 'scout'}), ...announcedOf('a'));
		expect(claims(mine, {root: {writers: 0, readers: 1}})).toEqual([]);
		expect(claims(mine, {root: {writers: 1, readers: 0}})).toEqual([]);
		expect(claims(reads, {root: {writers: 1, readers: 0}})).toEqual([]);
		expect(claims(reads, {root: {writers: 0, readers: 3}})).toEqual(['claim scout a']);
	});

	test('of a trace does not block a bee that works in the root', () => {
		expect(claims(held(['builder', 'scout']), {})).toEqual(['claim scout b']);
	});
});

describe('an open run', () => {
	const states = (state: 'unbegun' | 'alive' | 'ended' | 'vanished' | 'overdue' | 'busy') => ({
		runs: new Map([['r1', state] as const]),
	});

	test('is announced once', () => {
		const claimed = reduceLater(ready, claimOf('r1', 'a'));
		expect(words(claimed, states('alive'))).toEqual(['task.status a running']);
		expect(words(running, states('alive'))).toEqual([]);
	});

	test.each([
		['unbegun', ['begin r1']],
		['ended', ['collect r1']],
		['vanished', ['collect r1']],
		['overdue', ['stop r1: timed out']],
		['busy', []],
	] as const)('that the trace still needs and that is %s', (state, steps) => {
		expect(words(running, states(state))).toEqual(steps);
	});

	test('of a killed trace is stopped, whether or not it began, and nothing else happens in the trace', () => {
		const killed = reduceLater(running, killOf('enough'));
		expect(words(killed, states('alive'))).toEqual(['stop r1: enough']);
		expect(words(killed, states('unbegun'))).toEqual(['stop r1: enough']);
		expect(words(killed, states('ended'))).toEqual(['collect r1']);
	});

	test('of a task that a person completed is stopped', () => {
		expect(words(reduceLater(running, completedOf('a')), states('alive'))).toEqual([
			'stop r1: the task is completed',
		]);
	});

	test('of another checkout is left to that checkout', () => {
		expect(words(running, {...states('ended'), checkout: 'there'})).toEqual([]);
	});

	test('that was claimed here is finished here, although the trace belongs to another checkout', () => {
		const trace = reduceLater(running, claimOf('r2', '', {trigger: 1, place: 'there'}));
		expect(words(trace, {checkout: 'there', runs: new Map([['r2', 'unbegun']])})).toEqual(['begin r2']);
	});

	test('is collected while a merge is open, but no run starts', () => {
		const gate = reduceAll(
			planOf(item('a'), item('b'), {...item('gate'), review: 'final'}),
			completedOf('a'),
			statusOf('gate', 'waiting_review'),
			...announcedOf('b'),
			claimOf('r1', 'b', {trigger: 1}),
			createEvent('SIGNAL', {kind: 'merge.started', taskId: 'gate', tree: 't', by: 'human'}),
		);
		expect(gate.merge).toBeDefined();
		expect(words(gate, states('ended'))).toEqual(['collect r1']);
	});
});

describe('a task whose run ended well', () => {
	const done = (review: 'none' | 'required', workspace?: string) =>
		reduceLater(
			reduceAll(planOf({...item('a'), review}), ...announcedOf('a'), claimOf('r1', 'a')),
			...(workspace === undefined ? [] : [proposalOf('r1', 'a', workspace)]),
			finishOf('r1', 'completed', 'well'),
		);
	const proposal = (trace: Trace) => taskOf(trace, 'a').proposal?.sequence ?? 0;

	test('is completed if no review is set', () => {
		expect(words(done('none'))).toEqual(['task.completed a completed well']);
		expect(words(done('none', 'root'))).toEqual(['task.completed a completed well']);
		expect(words(done('none', 'isolated'))).toEqual(['task.completed a completed well']);
	});

	test('waits for the commit gate when it proposed in the worktree and a bee publishes task.completed', () => {
		const gated = colonyOf([builder, receiver]);
		expect(words(done('none', 'isolated'), {}, gated)).toEqual(['task.status a waiting_review well']);
		expect(words(done('none', 'root'), {}, gated)).toEqual(['task.completed a completed well']);
		expect(words(done('none'), {}, gated)).toEqual(['task.completed a completed well']);
	});

	test('waits for a person if its review is required', () => {
		expect(words(done('required'))).toEqual(['task.status a waiting_review well']);
	});

	test.each(['root', 'isolated'])(
		'with a required review and a proposal (%s) stays running while a guard is pending or open',
		workspace => {
			const trace = done('required', workspace);
			const pending = [
				pendingRun(`code.proposal.${workspace}`, 'guard', {trigger: proposal(trace), taskId: 'a'}),
			];
			expect(words(trace, {pending, freeSlots: 0})).toEqual([]);
			const guarded = reduceLater(trace, claimOf('g1', 'a', {trigger: proposal(trace), bee: 'guard'}));
			expect(words(guarded, {runs: new Map([['g1', 'alive']])})).toEqual([]);
		},
	);

	test.each(['root', 'isolated'])(
		'with a required review and a proposal (%s) then waits, and its summary states the verdict or its absence',
		workspace => {
			const proposed = done('required', workspace);
			const guarded = reduceLater(proposed, claimOf('g1', 'a', {trigger: proposal(proposed), bee: 'guard'}));
			const silent = reduceLater(guarded, finishOf('g1'));
			expect(words(silent)).toEqual(['task.status a waiting_review well (no guard gave a verdict)']);
			const verdict = createEvent(
				'VERIFICATION',
				{kind: 'verification.failed', taskId: 'a', summary: 'no tests'},
				{agentId: 'g1'},
			);
			expect(words(reduceLater(guarded, verdict, finishOf('g1')))).toEqual([
				'task.status a waiting_review Guard failed: no tests',
			]);
		},
	);
});

describe('a pending direct run', () => {
	const requested = reduceAll({
		...createEvent('SIGNAL', {kind: 'feature.requested', title: 'Do it'}),
		energyBudget: 1,
	});
	const plans = [pendingRun('feature.requested', 'planner')];

	test('is claimed with the sequence of the event that it answers', () => {
		expect(words(requested, {pending: plans})).toEqual(['claim planner 1']);
	});

	test('stays pending without an event while honey, a slot or the workspace is missing', () => {
		const spent = reduceLater(requested, claimOf('r1', '', {trigger: 9, bee: 'x'}), finishOf('r1'));
		expect(spent.energyRemaining).toBe(0);
		expect(words(spent, {pending: plans})).toEqual([]);
		expect(words(requested, {pending: plans, freeSlots: 0})).toEqual([]);
		expect(words(requested, {pending: plans, root: {writers: 1, readers: 0}})).toEqual([]);
	});

	test('is claimed without a slot if a person waits for a session, but not without honey or the workspace', () => {
		const asked = reduceAll({
			...createEvent('SIGNAL', {kind: 'session.requested', bee: 'mason'}),
			energyBudget: 1,
		});
		const pending = [pendingRun('session.requested', 'mason', {taskId: 'a'})];
		const colony = colonyOf([builder, mason]);
		expect(decide(asked, colony, machineOf({pending, freeSlots: 0})).steps).toEqual([
			{
				...{do: 'claim', bee: 'mason', trigger: 1, workspace: 'root'},
				...{interactive: true, reason: 'session.start'},
			},
		]);
		expect(words(asked, {pending, root: {writers: 0, readers: 1}}, colony)).toEqual([]);
		const spent = reduceLater(asked, claimOf('r1', '', {trigger: 9, bee: 'x'}), finishOf('r1'));
		expect(words(spent, {pending}, colony)).toEqual([]);
	});

	test('waits until the run that emitted its event has ended', () => {
		const pending = [pendingRun('feature.requested', 'planner', {author: 'r1', trigger: running.sequence})];
		expect(words(running, {pending, runs: new Map([['r1', 'alive']])})).toEqual([]);
	});

	test('is dropped once a run answers it, its bee is gone, or the trace is killed', () => {
		const answered = reduceLater(requested, claimOf('p1', '', {trigger: 1, bee: 'planner'}));
		expect(words(answered, {pending: plans, runs: new Map([['p1', 'alive']])})).toEqual(['drop planner 1']);
		expect(words(requested, {pending: plans}, colonyOf([builder]))).toEqual(['drop planner 1']);
		expect(words(reduceLater(requested, killOf()), {pending: plans})).toEqual(['drop planner 1']);
	});

	test('is dropped once it is answered, also in a checkout that does not own the trace', () => {
		const answered = reduceLater(requested, claimOf('p1', '', {trigger: 1, bee: 'planner'}));
		expect(words(answered, {pending: plans, checkout: 'there'})).toEqual(['drop planner 1']);
		expect(words(running, {pending: [pendingRun('x', 'planner', {trigger: 2})], checkout: 'there'})).toEqual(
			[],
		);
	});

	test('is dropped if a newer event supersedes its proposal or verdict', () => {
		const first = reduceLater(running, proposalOf('r1', 'a'));
		const second = reduceLater(first, proposalOf('r1', 'a'));
		const ofTrigger = (trigger: number) => [
			pendingRun('code.proposal.isolated', 'guard', {trigger, taskId: 'a'}),
		];
		expect(words(second, {pending: ofTrigger(first.sequence), freeSlots: 0})).toEqual([
			`drop guard ${first.sequence}`,
		]);
		expect(words(second, {pending: ofTrigger(second.sequence), freeSlots: 0})).toEqual([]);
		const verdict = createEvent('VERIFICATION', {kind: 'verification.success', taskId: 'a', summary: 'fine'});
		const judged = reduceLater(first, verdict);
		const answers = [pendingRun('verification.success', 'receiver', {trigger: judged.sequence, taskId: 'a'})];
		expect(words(judged, {pending: answers, freeSlots: 0}, colonyOf([builder, receiver]))).toEqual([]);
		expect(
			words(reduceLater(judged, verdict), {pending: answers, freeSlots: 0}, colonyOf([receiver])),
		).toEqual([`drop receiver ${judged.sequence}`]);
	});

	test.each(['code.proposal.odd', 'verification.odd'])(
		'does not count as a judge for a signal called %s',
		kind => {
			const proposed = reduceLater(
				running,
				proposalOf('r1', 'a'),
				createEvent('SIGNAL', {kind, taskId: 'a'}),
			);
			const pending = [pendingRun(kind, 'planner', {trigger: proposed.sequence, taskId: 'a'})];
			expect(words(proposed, {pending})).toContain(`claim planner a ${proposed.sequence}`);
		},
	);

	test('is claimed again for a retry, and dropped if a gate took the work first', () => {
		const gate = {...item('last'), review: 'final'} as const;
		const proposed = reduceLater(
			reduceAll(planOf(item('a'), gate)),
			claimOf('r1', 'a'),
			proposalOf('r1', 'a'),
		);
		const trigger = proposed.sequence;
		const retried = reduceLater(
			proposed,
			...[finishOf('r1'), completedOf('a'), claimOf('g1', 'a', {trigger, bee: 'guard'})],
			...[finishOf('g1', 'failed'), statusOf('last', 'waiting_review'), readyOf('a', {replaces: 'g1'})],
		);
		const pending = [pendingRun('code.proposal.isolated', 'guard', {trigger, taskId: 'a'})];
		expect(words(retried, {pending})).toEqual([`claim guard a ${trigger}`]);
		const merging = createEvent('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'});
		expect(words(reduceLater(retried, merging), {pending})).toEqual([]);
		expect(words(reduceLater(retried, merging, completedOf('last')), {pending})).toEqual([
			`drop guard ${trigger}`,
		]);
	});

	test('is claimed before new tasks, so that a guard judges the work it was asked about', () => {
		const pending = [pendingRun('code.proposal.isolated', 'guard')];
		expect(words(ready, {pending})[0]).toBe('claim guard 1');
	});
});

describe('a gate', () => {
	const finished = reduceAll(
		planOf(item('a')),
		...announcedOf('a'),
		claimOf('r1', 'a'),
		proposalOf('r1', 'a'),
	);
	const quiet = reduceLater(finished, finishOf('r1'), completedOf('a'));
	const planned = {...item('gate'), review: 'final' as const};

	/** A run without recorded trees. */
	const unknown = [claimOf('u1', 'a', {workspace: 'isolated', trigger: 1}), finishOf('u1')];

	test('is made without a git check if everything is done and something was proposed in the worktree', () => {
		expect(awaitsBranch(quiet)).toBe(false);
		expect(decide(quiet, colony, machineOf()).steps).toMatchObject([
			{do: 'append', event: {payload: {kind: 'task.plan', tasks: [{taskId: '_review', review: 'final'}]}}},
		]);
	});

	test('is made if the branch differs from its base, and not if there is nothing to merge', () => {
		const quiet = reduceAll(planOf(item('a')), ...unknown, completedOf('a'));
		expect(awaitsBranch(quiet)).toBe(true);
		expect(words(quiet)).toEqual([]);
		expect(words(quiet, {branchDiffers: true})).toEqual(['task.plan']);
	});

	test('does not open while a run is open, a direct run is pending, or a task is unfinished or failed', () => {
		const trigger = finished.sequence;
		const open = reduceLater(quiet, claimOf('g1', 'a', {trigger, bee: 'guard'}));
		expect(words(open, {runs: new Map([['g1', 'alive']])})).toEqual([]);
		const pending = [pendingRun('code.proposal.isolated', 'guard', {taskId: 'a', trigger})];
		expect(words(quiet, {pending, freeSlots: 0})).toEqual([]);
		const more = reduceLater(quiet, planOf(item('b')), ...announcedOf('b'));
		expect(words(more)).toEqual(['claim builder b']);
		expect(words(reduceLater(more, statusOf('b', 'failed')))).toEqual([]);
	});

	test('that is the only task of the plan is opened, or skipped if there is nothing to merge', () => {
		const alone = reduceAll(planOf(planned), ...unknown);
		expect(awaitsBranch(alone)).toBe(true);
		expect(words(alone)).toEqual(['task.completed gate completed Final gate skipped: nothing to merge']);
		expect(words(alone, {branchDiffers: true})).toEqual([
			'task.status gate waiting_review Ready for review and merge',
		]);
	});

	test('that the plan contains is opened, or skipped if there is nothing to merge', () => {
		const trace = reduceAll(planOf(item('a'), planned), ...unknown, completedOf('a'));
		expect(words(trace, {branchDiffers: true})).toEqual([
			'task.status gate waiting_review Ready for review and merge',
		]);
		expect(words(trace)).toEqual(['task.completed gate completed Final gate skipped: nothing to merge']);
	});

	test('that the plan contains counts as done if a person cancelled all work, and no other gate is made', () => {
		const cancelled = reduceAll(planOf(item('a'), planned), ...unknown, statusOf('a', 'cancelled'));
		expect(words(cancelled)).toEqual(['task.completed gate completed Final gate skipped: nothing to merge']);
		expect(words(cancelled, {branchDiffers: true})).toEqual([
			'task.status gate waiting_review Ready for review and merge',
		]);
		const gateless = reduceAll(planOf(item('a')), ...unknown, statusOf('a', 'cancelled'));
		expect(awaitsBranch(gateless)).toBe(false);
		expect(words(gateless, {branchDiffers: true})).toEqual([]);
	});

	test('is followed by another gate if work was added after it', () => {
		const merged = reduceLater(
			quiet,
			planOf({...item('_review'), review: 'final'}),
			statusOf('_review', 'waiting_review'),
			completedOf('_review'),
		);
		expect(words(merged)).toEqual([]);
		const again = decide(merged, colony, machineOf({branchDiffers: true})).steps;
		expect(again).toMatchObject([{event: {payload: {tasks: [{taskId: '_review-2'}]}}}]);
	});
});
