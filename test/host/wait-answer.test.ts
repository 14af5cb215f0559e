import {describe, expect, it} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {readDecisions} from '../../source/host/review/decisions.ts';
import {answerWait, waitGoals} from '../../source/host/waits/wait-answer.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	statusOf,
	traceId,
} from '../helpers/events.ts';
import {createManualClock} from '../reactor/rig.ts';

const script = 'adapter: script\ncommand: [sh]\n';
const colony = await colonyFrom({
	'colony.yaml': 'slug: shop\n',
	'bees/scout.yaml': `${script}subscribes: [{type: SIGNAL, kind: feature.requested, dispatch: direct}]\n`,
	'bees/builder.yaml': `${script}worktree: true\npublishes: [{type: MUTATION, kind: code.proposal.isolated}]\n`,
	'bees/guard.yaml': `${script}worktree: true\nsubscribes: [{type: MUTATION, kind: code.proposal.isolated, dispatch: direct}]\npublishes: [{type: VERIFICATION, kind: task.completed}]\n`,
});

/** Returns the answer for each goal, in the order of the goals. */
const answers = async (events: readonly NewEvent[], branchDiffers = false) => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	for (const [index, event] of events.entries()) await bus.append(event, {id: `event-${index}`});
	const ledger = await openLedger(bus);
	const decisions = await readDecisions({bus, clock, colony, checkout: 'here'}, ledger);
	const trace = ledger.snapshot(traceId);
	return waitGoals.map(goal => {
		const answer = answerWait(trace, decisions.of(trace, {branchDiffers}), goal);
		return answer.state === 'stuck' ? answer.because : answer.state;
	});
};

const requested = createEvent('SIGNAL', {kind: 'feature.requested', title: 'x'}, {energyBudget: 12});
const asks = (agentId: string, trigger: number, bee: string, taskId = '') =>
	claimOf(agentId, taskId, {trigger, bee, ...(taskId === '' ? {taskId: undefined} : {})});
const rooted = planOf({...item('a'), bee: 'scout'});
const run = [claimOf('run1', 'a'), statusOf('a', 'running', '', 'run1')];
const proposed = [planOf(item('a')), readyOf('a'), ...run, proposalOf('run1', 'a'), finishOf('run1')];
const gate = planOf({...item('_review'), review: 'final'});

describe('the answer to `hive wait`', () => {
	it.each<[string, readonly NewEvent[], readonly string[], boolean?]>([
		['is open while its planning is due', [requested], ['open', 'open', 'open']],
		['is open while its planning runs', [requested, asks('run1', 1, 'scout')], ['open', 'open', 'open']],
		[
			'says that its planning failed',
			[requested, asks('run1', 1, 'scout'), finishOf('run1', 'failed')],
			['failed', 'failed', 'reached'],
		],
		[
			'takes a trace without a task for no completed one',
			[requested, asks('run1', 1, 'scout'), finishOf('run1')],
			['person', 'person', 'reached'],
		],
		['is open while a task is due', [rooted], ['open', 'open', 'open']],
		[
			'is open while a run has ended and its task has not',
			[rooted, ...run, finishOf('run1')],
			['open', 'open', 'open'],
		],
		['comes with the last completed task', [rooted, completedOf('a')], ['reached', 'person', 'reached']],
		[
			'is open while git asks for a gate that is not there yet',
			[rooted, claimOf('u1', 'b', {trigger: 1, workspace: 'isolated'}), finishOf('u1'), completedOf('a')],
			['open', 'open', 'open'],
			true,
		],
		[
			'is open while a bee may complete what waits',
			[...proposed, statusOf('a', 'waiting_review')],
			['open', 'open', 'open'],
		],
		[
			'names a review once no bee will complete what waits',
			[
				...proposed,
				statusOf('a', 'waiting_review'),
				asks('run2', 5, 'guard', 'a'),
				finishOf('run2', 'completed'),
				createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review', unattended: true}),
			],
			['person', 'reached', 'reached'],
		],
		[
			'names a gate that a person is to decide',
			[rooted, completedOf('a'), gate, statusOf('_review', 'waiting_review')],
			['person', 'reached', 'reached'],
		],
		[
			'names a review while another task runs',
			[
				planOf({...item('b'), review: 'required'}, item('a')),
				...[claimOf('run0', 'b'), finishOf('run0'), statusOf('b', 'waiting_review')],
				...[readyOf('a'), ...run],
			],
			['open', 'reached', 'open'],
		],
		[
			'names a failed task before exhausted honey',
			[
				{...planOf(item('a'), item('b')), energyBudget: 1},
				...run,
				finishOf('run1', 'failed'),
				statusOf('b', 'blocked'),
			],
			['failed', 'failed', 'reached'],
		],
		[
			'names exhausted honey',
			[
				{...planOf(item('a'), item('b')), energyBudget: 1},
				...run,
				finishOf('run1'),
				completedOf('a'),
				statusOf('b', 'blocked'),
			],
			['honey', 'honey', 'reached'],
		],
		['takes a killed trace for a failed one', [rooted, killOf()], ['failed', 'failed', 'reached']],
		[
			'takes a trace that was killed before its plan for a failed one',
			[requested, killOf()],
			['failed', 'failed', 'reached'],
		],
	])('%s', async (_, events, expected, branchDiffers) => {
		expect(await answers(events, branchDiffers)).toEqual(expected);
	});
});
