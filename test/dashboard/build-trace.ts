import type {StoredEvent} from '../../source/domain/event.ts';
import {type Invite, rosterOfInvites} from '../../source/domain/invite.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import type {Task} from '../../source/domain/task.ts';
import {emptyTrace, rosterOfRuns, rosterOfTasks, type Trace} from '../../source/domain/trace.ts';

/** Noon of the fixtures. */
export const noon = Date.parse('2026-03-01T14:02:11.000Z');
export const ago = (minutes: number): string => new Date(noon - minutes * 60_000).toISOString();

export const buildTask = (taskId: string, change: Partial<Task> = {}): Task => ({
	taskId,
	title: `Work on ${taskId}`,
	body: '',
	bee: 'builder',
	review: 'none',
	status: 'planned',
	dependsOn: [],
	summary: '',
	commit: '',
	updatedAt: ago(6),
	attempt: 1,
	announced: true,
	...change,
});

export const buildRun = (agentId: string, change: Partial<RunRecord> = {}): RunRecord => ({
	agentId,
	bee: 'builder',
	place: 'here',
	status: 'running',
	announced: true,
	replaced: false,
	startedAt: ago(2),
	...change,
});

export const buildTrace = (
	traceId: string,
	{
		tasks = [],
		runs = [],
		invites = [],
		...change
	}: Partial<Omit<Trace, 'tasks' | 'runs' | 'invites'>> & {
		tasks?: Task[];
		runs?: RunRecord[];
		invites?: Invite[];
	},
): Trace => ({
	...emptyTrace(traceId),
	createdAt: ago(12),
	updatedAt: ago(1),
	energyBudget: 12,
	energyRemaining: 7,
	...change,
	tasks: rosterOfTasks(tasks),
	runs: rosterOfRuns(runs),
	invites: rosterOfInvites(invites),
});

/** A trace whose approved merge waits in the landing queue. */
export const buildLanding = (
	traceId: string,
	change: Partial<Omit<Trace, 'tasks' | 'runs' | 'invites'>> & {runs?: RunRecord[]} = {},
): Trace =>
	buildTrace(traceId, {
		title: `Trace ${traceId}`,
		tasks: [buildTask('_review', {title: 'Review', review: 'final', status: 'waiting_review', bee: ''})],
		landing: {
			...{taskId: '_review', tree: 'f'.repeat(40), work: 'a'.repeat(40), base: 'main', by: 'cli'},
			...{strategy: 'merge', checks: [], checked: 0, at: ago(3), sequence: 60},
		},
		...change,
	});

export const buildInvite = (inviteId: string, change: Partial<Invite> = {}): Invite => ({
	inviteId,
	bee: 'drone',
	task: `Talk about ${inviteId}`,
	status: 'pending',
	createdAt: ago(5),
	updatedAt: ago(5),
	...change,
});

let sequence = 0;

export const buildEvent = (
	traceId: string,
	type: StoredEvent['type'],
	kind: string,
	payload: Record<string, unknown> = {},
): StoredEvent => {
	sequence += 1;
	return {traceId, type, payload: {kind, ...payload}, sequence, id: `e${sequence}`, at: ago(1)};
};

export const mapOf = (...traces: readonly Trace[]): ReadonlyMap<string, Trace> =>
	new Map(traces.map(trace => [trace.traceId, trace]));
