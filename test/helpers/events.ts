import type {EventType, NewEvent, Payload, StoredEvent} from '../../source/domain/event.ts';
import type {PlanItem} from '../../source/domain/plan-item.ts';
import {runEventId} from '../../source/domain/run.ts';
import type {Task} from '../../source/domain/task.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {emitToTap, isTapped} from './log-tap.ts';

export const traceId = 'trace-0000000000000001';

/** Creates an event of the trace above. `folded` or a bus adds the transport fields. */
export const createEvent = (type: EventType, payload: Payload, extra: Partial<NewEvent> = {}): NewEvent => ({
	traceId,
	type,
	payload,
	...extra,
});

export const planOf = (...tasks: PlanItem[]): NewEvent =>
	createEvent('INSIGHT', {kind: 'task.plan', tasks}, {energyBudget: 12});

export const item = (taskId: string, ...dependsOn: string[]): PlanItem => ({
	taskId,
	title: `Title of ${taskId}`,
	dependsOn,
});

export const claimOf = (agentId: string, taskId: string, extra: object = {}): NewEvent =>
	createEvent('SIGNAL', {
		kind: 'energy.consume',
		amount: 1,
		reason: 'task.dispatch',
		agentId,
		bee: 'builder',
		taskId,
		place: 'here',
		...extra,
	});

export const finishOf = (agentId: string, status = 'completed', summary = ''): NewEvent =>
	createEvent('SIGNAL', {
		kind: 'run.finished',
		agentId,
		bee: 'builder',
		status,
		exitCode: status === 'completed' ? 0 : 1,
		summary,
	});

export const completedOf = (taskId: string, extra: Partial<NewEvent> = {}): NewEvent =>
	createEvent('VERIFICATION', {kind: 'task.completed', taskId, status: 'completed', summary: 'done'}, extra);

export const statusOf = (taskId: string, status: string, summary = '', agentId?: string): NewEvent =>
	createEvent('SIGNAL', {
		kind: 'task.status',
		taskId,
		status,
		summary,
		...(agentId === undefined ? {} : {agentId}),
	});

export const readyOf = (taskId: string, extra: object = {}): NewEvent =>
	createEvent('SIGNAL', {kind: 'task.ready', taskId, ...extra});

/** Returns both announcements of a task that became ready. */
export const announcedOf = (taskId: string): readonly NewEvent[] => [
	readyOf(taskId),
	statusOf(taskId, 'ready'),
];

export const proposalOf = (agentId: string, taskId: string, workspace = 'isolated'): NewEvent =>
	createEvent('MUTATION', {kind: `code.proposal.${workspace}`, taskId, summary: 'a change'}, {agentId});

export const addOf = (amount: number): NewEvent => createEvent('SIGNAL', {kind: 'energy.add', amount});

export const killOf = (reason?: string): NewEvent =>
	createEvent('SIGNAL', {kind: 'system.kill', ...(reason === undefined ? {} : {reason})});

/** Adds sequences from `first` on, and times a second apart. */
export const stored = (events: readonly NewEvent[], first = 1): StoredEvent[] =>
	events.map((event, index) => ({
		...event,
		sequence: first + index,
		id: `event-${first + index}`,
		at: new Date(Date.UTC(2026, 0, 1) + (first + index) * 1000).toISOString(),
	}));

export const reduceAll = (...events: NewEvent[]): Trace => reduceMore(emptyTrace(traceId), stored(events));

/** Creates a proposal of the run about task `a` as the runtime publishes it, next in the trace. */
export const wholeProposal = (trace: Trace, agentId: string, verification: string): StoredEvent => {
	const submission = {taskId: 'a', tree: 'a'.repeat(40), verification, summary: 'a change'};
	const proposed = createEvent('MUTATION', {kind: 'code.proposal.isolated', ...submission}, {agentId});
	const [event] = stored([proposed], trace.sequence + 1);
	if (event === undefined) throw new Error('nothing is stored');
	return {...event, id: runEventId(traceId, agentId, 'proposal')};
};

/** Returns the trace after more events. */
export const reduceLater = (trace: Trace, ...events: NewEvent[]): Trace =>
	reduceMore(trace, stored(events, trace.sequence + 1));

const reduceMore = (from: Trace, events: readonly StoredEvent[]): Trace => {
	const {trace} = applyEvents(from, events);
	if (isTapped()) keepLog(from, trace, events);
	return trace;
};

/** The logs of the traces that were folded here, for recorders. */
const logs = new WeakMap<Trace, readonly StoredEvent[]>();

const keepLog = (from: Trace, to: Trace, events: readonly StoredEvent[]): void => {
	const log = [...(logs.get(from) ?? []), ...events];
	logs.set(to, log);
	emitToTap(log);
};

export const taskOf = (trace: Trace, taskId: string): Task => {
	const task = trace.tasks.get(taskId);
	if (task === undefined) throw new Error(`no task ${taskId}`);
	return task;
};

export const statuses = (trace: Trace): Record<string, string> =>
	Object.fromEntries([...trace.tasks.values()].map(({taskId, status}) => [taskId, status]));
