import {expect, it} from 'vitest';
import type {ActionContext} from '../../../source/actions/context.ts';
import type {Command} from '../../../source/cli/command.ts';
import {proposalList} from '../../../source/cli/commands/proposal-list.ts';
import {status} from '../../../source/cli/commands/status.ts';
import {updateReceived} from '../../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../../source/dashboard/store/initial-state.ts';
import {queueKey, queueList, waitingCount} from '../../../source/dashboard/store/queue.ts';
import {traceList} from '../../../source/dashboard/store/trace-list.ts';
import {expectAccepted} from '../../../source/domain/errors.ts';
import type {NewEvent} from '../../../source/domain/event.ts';
import {createSystemClock} from '../../../source/drivers/clock.ts';
import {createMemoryBus} from '../../../source/drivers/memory-bus.ts';
import {openLedger} from '../../../source/ledger/ledger.ts';
import {sessionWith} from '../../cli/session-with.ts';
import {colonyFrom} from '../../colony/sample-colony.ts';
import {
	claimOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	statusOf,
} from '../../helpers/events.ts';

type Snapshot = {readonly traceId: string; readonly taskId: string; readonly status: string};
type Printed = {
	readonly proposals: readonly Snapshot[];
	readonly traces: readonly {readonly tasks: readonly Snapshot[]}[];
};

/** Events of a bee that has worked on the task and proposed. */
const proposed = (taskId: string) => [
	readyOf(taskId),
	claimOf(`run-${taskId}`, taskId),
	proposalOf(`run-${taskId}`, taskId),
	finishOf(`run-${taskId}`),
];
/** As `proposed`, and the task now waits for a person. */
const worked = (taskId: string) => [...proposed(taskId), statusOf(taskId, 'waiting_review')];
const leftAlone = (taskId: string) =>
	createEvent('SIGNAL', {kind: 'task.status', taskId, status: 'waiting_review', unattended: true});

const required = (taskId: string) => ({...item(taskId), review: 'required'}) as const;

/** Three tasks wait for a person, beside others, two of them at their guards. The oldest is mid-plan. */
const stories: readonly (readonly [traceId: string, events: readonly NewEvent[]])[] = [
	['trace-a', [planOf(required('first'), required('second'), item('third', 'first')), ...worked('second')]],
	['trace-b', [planOf(item('late'), item('works')), ...worked('late'), leftAlone('late')]],
	['trace-a', worked('first')],
	['trace-b', [readyOf('works'), claimOf('run-works', 'works')]],
	['trace-c', [planOf(item('over')), killOf()]],
	['trace-d', [planOf(required('guarded')), ...proposed('guarded')]],
	['trace-e', [planOf(item('attended')), ...worked('attended')]],
];

it('the dashboard, its badge, proposal list and status show the same reviews in the same order', async () => {
	let now = 0;
	const bus = createMemoryBus({clock: {...createSystemClock(), now: () => (now += 1000)}});
	const events = stories.flatMap(([traceId, said]) => said.map(event => ({...event, traceId})));
	for (const [index, event] of events.entries()) await bus.append(event, {id: `event-${index}`});
	const ledger = await openLedger(bus);
	// Only the fields that reading uses.
	const context = {
		bus,
		clock: createSystemClock(),
		checkout: 'here',
		colony: await colonyFrom({}),
		machines: async () => [],
	} as unknown as ActionContext;
	const printed = async (command: Command): Promise<Printed & {readonly text: string}> => {
		const session = sessionWith({open: async () => context, reactor: async () => undefined});
		const prepared = expectAccepted(command.prepare({flags: {}, words: [], problems: []}));
		const {json, text} = expectAccepted(await prepared.run(session)) as {
			json: Printed;
			text: () => Promise<readonly (string | {readonly text: string})[]>;
		};
		const parts = (await text()).map(part => (typeof part === 'string' ? part : part.text));
		return {...json, text: parts.join('')};
	};
	const state = updateReceived({traces: new Map(ledger.traces()), events: []})(
		initialState({columns: 120, rows: 36}, 0),
	);

	const queue = queueList.rows(state).map(row => (row.task ? queueKey(row) : ''));
	expect(queue).toEqual(['trace-a/second', 'trace-b/late', 'trace-a/first']);
	expect(waitingCount(state)).toBe(queue.length);

	const {proposals} = await printed(proposalList);
	expect(proposals.map(({traceId, taskId}) => `${traceId}/${taskId}`)).toEqual(queue);

	const {traces, text} = await printed(status);
	const waiting = traces.flatMap(({tasks}) => tasks).filter(task => task.status === 'waiting_review');
	expect(waiting.map(({traceId, taskId}) => `${traceId}/${taskId}`).sort()).toEqual(
		[...queue, 'trace-e/attended'].sort(),
	);
	const words = [...text.matchAll(/^(trace-\w) +(\S+( \S+)?)/gm)].map(
		([, traceId, word]) => `${traceId} ${word}`,
	);
	expect(words.sort()).toEqual([
		'trace-a waiting_review',
		'trace-b waiting_review',
		'trace-c killed',
		'trace-d guard running',
		'trace-e running',
	]);
	const marked = traceList.rows(state).flatMap(row => (row.trace && row.isWaiting ? [row.traceId] : []));
	expect(marked.sort()).toEqual(['trace-a', 'trace-b']);
});
