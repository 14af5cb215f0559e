import {describe, expect, it} from 'vitest';
import {eventTypes} from '../../source/domain/event.ts';
import {kindRule, limitsOf} from '../../source/domain/event-kinds.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import {validateEvent} from '../../source/domain/validate-event.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {directRunsFor} from '../../source/reactor/subscribers.ts';
import {
	addOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	reduceAll,
	reduceLater,
	statusOf,
	stored,
	taskOf,
	traceId,
} from '../helpers/events.ts';
import {bee, builder, colonyOf, direct} from '../reactor/scene.ts';

/**
 * Every row of the events table: type, kind, a payload with the fields of the row, and whether the kind is
 * deferrable.
 */
const rows = [
	['SIGNAL', 'feature.requested', {title: 'Add priorities', body: 'Please'}, true],
	[
		'INSIGHT',
		'task.plan',
		{
			tasks: [
				{taskId: 'a', title: 'A', body: '', bee: '', sector: 's', intent: 'i', review: 'none', dependsOn: []},
			],
		},
		true,
	],
	['SIGNAL', 'task.ready', {taskId: 'a', title: 'A', body: 'B', bee: 'b', sector: 's', intent: 'i'}, true],
	['SIGNAL', 'task.status', {taskId: 'a', status: 'ready', summary: ''}, false],
	[
		'VERIFICATION',
		'task.completed',
		{taskId: 'a', status: 'completed', summary: '', commit: '', completedAt: '2026-01-01T00:00:00Z'},
		true,
	],
	['SIGNAL', 'energy.add', {amount: 5}, false],
	['SIGNAL', 'energy.consume', {amount: 1, reason: 'task.dispatch'}, false],
	['SIGNAL', 'system.kill', {reason: 'enough'}, false],
	['MUTATION', 'code.proposal.isolated', {taskId: 'a', summary: 'x', workspace: 'isolated'}, true],
	['MUTATION', 'code.proposal.root', {taskId: 'a', summary: 'x', workspace: 'root'}, true],
	['VERIFICATION', 'verification.success', {taskId: 'a', summary: 'fine'}, true],
	['VERIFICATION', 'verification.failed', {taskId: 'a', summary: 'not fine'}, true],
	['INSIGHT', 'run.summary', {summary: 'done'}, true],
	['INSIGHT', 'trace.title', {title: 'Priorities'}, true],
	['INSIGHT', 'trace.summary', {summary: 'All of it'}, true],
	['SIGNAL', 'spec.ready', {ref: 'docs/spec.md', title: 'The spec'}, true],
	['SIGNAL', 'session.invite', {inviteId: 'i', bee: 'b', task: 'talk', status: 'pending'}, false],
	['SIGNAL', 'beekeeper.ready', {inviteId: 'i', action: 'accept'}, false],
	['INSIGHT', 'human.feedback', {taskId: 'a', message: 'Shorter'}, true],
	['SIGNAL', 'artifact.written', {ref: 'notes.md', artifactKind: 'doc'}, true],
] as const;

const isAccepted = (type: string, payload: object) => validateEvent({traceId: 't', type, payload}).ok;

describe('Events', () => {
	it('an event has one of four event types', () => {
		expect(eventTypes).toEqual(['SIGNAL', 'INSIGHT', 'MUTATION', 'VERIFICATION']);
		expect(isAccepted('NOISE', {kind: 'own'})).toBe(false);
	});

	it.each(rows)(
		'%s %s: is accepted with its fields, and a known kind is refused under another type',
		(type, kind, payload) => {
			expect(isAccepted(type, {kind, ...payload})).toBe(true);
			const other = eventTypes.find(name => name !== type) ?? type;
			expect(isAccepted(other, {kind, ...payload})).toBe(kindRule(kind) === undefined);
		},
	);

	it.each(rows)('%s %s: is deferrable unless the kind is live-only', (_, kind, __, canWait) => {
		expect(limitsOf(kind).liveOnly !== true).toBe(canWait);
	});

	it('energy kinds: are neither deferrable nor open to agents, and unknown energy kinds are treated the same', () => {
		expect(limitsOf('energy.foo')).toMatchObject({liveOnly: true, agents: 'never'});
		expect(limitsOf('energy')).toEqual({});
	});

	it('feature.requested: requires no field', () => {
		expect(isAccepted('SIGNAL', {kind: 'feature.requested'})).toBe(true);
		expect(isAccepted('SIGNAL', {kind: 'feature.requested', priority: 3, source: 'chat'})).toBe(true);
	});

	it.each([
		['task.plan', 'INSIGHT', {tasks: []}],
		['task.plan', 'INSIGHT', {tasks: [{title: 'A'}]}],
		['task.ready', 'SIGNAL', {}],
		['task.status', 'SIGNAL', {taskId: 'a', status: 'asleep'}],
		['task.completed', 'VERIFICATION', {taskId: 'a', status: 'failed'}],
		['task.completed', 'VERIFICATION', {taskId: 'a', status: 'completed', completedAt: 'today'}],
		['energy.add', 'SIGNAL', {amount: 0}],
		['verification.success', 'VERIFICATION', {}],
		['feature.requested', 'SIGNAL', {title: ['Add priorities']}],
		['feature.requested', 'INSIGHT', {title: 'Add priorities'}],
		['spec.ready', 'SIGNAL', {title: 'The spec'}],
		['spec.ready', 'INSIGHT', {ref: 'docs/spec.md'}],
	])('a %s (%s) is refused if its fields differ from its row: %j', (kind, type, payload) => {
		expect(isAccepted(type, {kind, ...payload})).toBe(false);
	});

	it('task.status: replaces the summary, and an empty or missing summary clears it', () => {
		const trace = reduceAll(
			planOf(item('a')),
			claimOf('r1', 'a'),
			finishOf('r1'),
			statusOf('a', 'waiting_review', 'first'),
		);
		expect(taskOf(trace, 'a').summary).toBe('first');
		expect(taskOf(reduceLater(trace, statusOf('a', 'waiting_review', 'second')), 'a').summary).toBe('second');
		expect(
			taskOf(
				reduceLater(
					trace,
					createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review'}),
				),
				'a',
			).summary,
		).toBe('');
	});

	it('task.completed: stores summary and commit in the task and releases its dependants', () => {
		const done = createEvent('VERIFICATION', {
			kind: 'task.completed',
			taskId: 'a',
			status: 'completed',
			summary: 's',
			commit: 'c0ffee',
		});
		const trace = reduceAll(planOf(item('a'), item('b', 'a')), done);
		expect(taskOf(trace, 'a')).toMatchObject({status: 'completed', summary: 's', commit: 'c0ffee'});
		expect(taskOf(trace, 'b').status).toBe('ready');
	});

	it('energy.add: raises what remains but not the budget, and does not revive a killed task', () => {
		const trace = reduceAll(planOf(item('a')), killOf(), addOf(5));
		expect(trace).toMatchObject({energyBudget: 12, energyRemaining: 17});
		expect(taskOf(trace, 'a').status).toBe('cancelled');
	});

	it('energy.consume: takes one unit for each dispatch', () => {
		expect(reduceAll(planOf(item('a')), claimOf('r1', 'a')).energyRemaining).toBe(11);
	});

	it.each(['isolated', 'root'] as const)(
		'code.proposal.%s: is recorded as the workspace of the task',
		workspace => {
			const trace = reduceAll(planOf(item('a')), claimOf('r1', 'a'), proposalOf('r1', 'a', workspace));
			expect(taskOf(trace, 'a').proposalWorkspace).toBe(workspace);
		},
	);

	it('trace.title: replaces the title from feature.requested', () => {
		const asked = reduceAll(createEvent('SIGNAL', {kind: 'feature.requested', title: 'Asked'}));
		expect(asked.title).toBe('Asked');
		expect(reduceLater(asked, createEvent('INSIGHT', {kind: 'trace.title', title: 'Named'})).title).toBe(
			'Named',
		);
	});

	it('trace.summary: sets the description of the trace', () => {
		expect(reduceAll(createEvent('INSIGHT', {kind: 'trace.summary', summary: 'All of it'})).summary).toBe(
			'All of it',
		);
	});
});

describe('Event rules', () => {
	it('2: a colony signal starts the bees that subscribe to it directly', () => {
		const scout = bee('scout', {subscribes: [direct({type: 'SIGNAL', kind: 'feature.requested'})]});
		const event = createEvent('SIGNAL', {kind: 'feature.requested', title: 'x'});
		expect(runsFor(event, scout)).toEqual(['scout']);
	});

	it.each([
		'task.ready',
		'task.status',
		'energy.add',
		'energy.consume',
		'session.invite',
		'beekeeper.ready',
		'system.kill',
		'task.foo',
		'energy.foo',
	])('2: the platform kind %s starts no bee directly', kind => {
		const eager = bee('eager', {subscribes: [direct({type: 'SIGNAL', kind}), direct({type: 'SIGNAL'})]});
		expect(runsFor(createEvent('SIGNAL', {kind, taskId: 'a', status: 'ready', amount: 1}), eager)).toEqual(
			[],
		);
	});

	it.each([
		['code.proposal.isolated', 'isolated', ['guard']],
		['code.proposal.isolated', 'root', []],
		['code.proposal.root', 'root', ['guard']],
		['code.proposal.root', 'isolated', []],
	])(
		'Proposal paths: a bee that subscribes to %s starts only for a matching proposal (%s)',
		(kind, workspace, started) => {
			const guard = bee('guard', {
				worktree: workspace === 'isolated',
				subscribes: [direct({type: 'MUTATION', kind})],
			});
			expect(runsFor(proposalOf('r1', 'a', workspace), guard)).toEqual(started);
		},
	);

	it.each([true, false])(
		'Proposal paths: a guard of any proposal reviews both kinds with worktree: %s',
		worktree => {
			const guard = bee('guard', {worktree, subscribes: [direct({type: 'MUTATION'})]});
			for (const workspace of ['isolated', 'root'])
				expect(runsFor(proposalOf('r1', 'a', workspace), guard)).toEqual(['guard']);
			expect(
				runsFor(createEvent('MUTATION', {kind: 'code.proposal', taskId: 'a', summary: 'x'}), guard),
			).toEqual(['guard']);
		},
	);

	it.each([
		['MUTATION', 'code.proposal.odd'],
		['MUTATION', 'code.proposals'],
		['VERIFICATION', 'verification.odd'],
	] as const)('2: the unknown kind %s/%s starts no bee directly', (type, kind) => {
		const subscribes = [direct({type, kind}), direct({type})];
		const event = createEvent(type, {kind, taskId: 'a', summary: 'x'});
		for (const worktree of [true, false])
			expect(runsFor(event, bee('eager', {worktree, subscribes}))).toEqual([]);
	});

	it('1: an event that is delivered again is folded only once', () => {
		const events = stored([planOf(item('a')), claimOf('r1', 'a')]);
		const {trace} = applyEvents(reduceAll(), events);
		expect(trace.energyRemaining).toBe(11);
		expect(applyEvents(trace, events)).toEqual({trace, ready: []});
	});

	it('3: applying an event returns which tasks became ready', () => {
		const trace = reduceAll(planOf(item('a'), item('b', 'a'), item('c', 'a')));
		expect(applyEvents(trace, stored([completedOf('a')], trace.sequence + 1)).ready).toEqual(['b', 'c']);
	});

	it('4: the ledger returns the snapshot of a trace and applies events to it, over any bucket', async () => {
		const bus = createMemoryBus({clock: createSystemClock()});
		const ledger = await openLedger(bus);
		await bus.append(planOf(item('a')), {id: 'plan'});
		ledger.apply(stored([planOf(item('a'))]));
		expect(taskOf(ledger.snapshot(traceId), 'a').status).toBe('ready');
		await ledger.checkpoint();
		expect(taskOf((await openLedger(bus)).snapshot(traceId), 'a').status).toBe('ready');
	});
});

const runsFor = (event: ReturnType<typeof createEvent>, subscriber: ReturnType<typeof bee>): string[] => {
	const trace = reduceAll(planOf(item('a')), claimOf('r1', 'a'));
	const [given] = stored([event], trace.sequence + 1);
	if (given === undefined) return [];
	return directRunsFor(given, reduceLater(trace, event), colonyOf([builder, subscriber])).map(
		({bee: role}) => role,
	);
};

describe('Identifiers', () => {
	const ids = createIdSource(
		() => 0x0123456789ab,
		digits => 'f'.repeat(digits),
	);

	it('traceId: has "trace-" and 16 lowercase hex digits that start with 48 bits of UTC milliseconds, and sorts by time', () => {
		const [first, second] = [ids.trace(), ids.trace()];
		expect(first).toBe('trace-0123456789abffff');
		expect(second).toMatch(/^trace-[0-9a-f]{16}$/);
		expect(first < second).toBe(true);
	});

	it('traceId: a trace id from a person may have another form', () => {
		expect(validateEvent({traceId: 'my.trace', type: 'SIGNAL', payload: {kind: 'own'}}).ok).toBe(true);
	});

	it('agentId: is random hex', () => {
		expect(ids.agent()).toMatch(/^[0-9a-f]+$/);
	});
});
