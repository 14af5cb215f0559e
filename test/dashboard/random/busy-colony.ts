import type {StoredEvent} from '../../../source/domain/event.ts';
import type {RunRecord} from '../../../source/domain/run.ts';
import type {Task} from '../../../source/domain/task.ts';
import type {Trace} from '../../../source/domain/trace.ts';
import type {SessionView} from '../../../source/host/views/session.ts';
import type {Random} from '../../simulator/random.ts';
import {ago, buildEvent, buildInvite, buildRun, buildTask, buildTrace} from '../build-trace.ts';
import {type createFixtureWorld, fixtureTraces} from '../fixture-world.ts';

type Tell = ReturnType<typeof createFixtureWorld>['tell'];

/** The maximum number of traces; beyond it the oldest is removed. */
const mostTraces = 12;

/** Creates a busy colony: each call changes one thing that the dashboard shows. */
export const createBusyColony = (tell: Tell, random: Random): (() => void) => {
	let traces = new Map(fixtureTraces);
	let count = 0;
	const put = (trace: Trace, kind: string): void => {
		traces = new Map(traces).set(trace.traceId, trace);
		const [oldest] = traces.keys();
		if (traces.size > mostTraces && oldest !== undefined) traces.delete(oldest);
		const event: StoredEvent = buildEvent(trace.traceId, 'SIGNAL', kind, {summary: `change ${count}`});
		tell.update({traces, events: [event]});
	};
	const trace = (): Trace => random.pickAny([...traces.values()]) ?? newTrace();
	const newTrace = (): Trace =>
		buildTrace(`trace-${random.hex(16)}`, {
			title: `Feature ${count}`,
			tasks: [buildTask('one'), buildTask('two', {dependsOn: ['one']})],
		});
	const withTasks = (old: Trace, change: (task: Task) => Task): Trace =>
		buildTrace(old.traceId, {
			...old,
			tasks: [...old.tasks.values()].map(change),
			runs: [...old.runs.values()],
			invites: [...old.invites.values()],
		});
	const withRun = (old: Trace, run: RunRecord): Trace =>
		buildTrace(old.traceId, {
			...old,
			tasks: [...old.tasks.values()],
			runs: [...[...old.runs.values()].filter(({agentId}) => agentId !== run.agentId), run],
			invites: [...old.invites.values()],
		});
	const changes: readonly (() => void)[] = [
		() => put(newTrace(), 'feature.requested'),
		() => {
			const status = random.pick<Task['status']>([
				'planned',
				'running',
				'waiting_review',
				'completed',
				'failed',
			]);
			const old = trace();
			const chosen = random.pickAny([...old.tasks.keys()]);
			const proposal = {sequence: count, workspace: 'isolated', summary: 'work'} as const;
			put(
				withTasks(old, task =>
					task.taskId === chosen ? {...task, status, ...(status === 'waiting_review' && {proposal})} : task,
				),
				'task.status',
			);
		},
		() => {
			const old = trace();
			const taskId = random.pickAny([...old.tasks.keys()]);
			put(
				withRun(
					old,
					buildRun(random.hex(16), {
						...(taskId && {taskId}),
						...(random.chance(0.3) && {interactive: true}),
						startedAt: ago(1),
					}),
				),
				'run.started',
			);
		},
		() => {
			const old = trace();
			const run = random.pickAny([...old.runs.values()]);
			if (run !== undefined)
				put(withRun(old, {...run, status: 'failed', finishedAt: ago(0), exitCode: 1}), 'run.finished');
		},
		() => {
			const old = trace();
			put(
				buildTrace(old.traceId, {
					...old,
					tasks: [...old.tasks.values()],
					runs: [...old.runs.values()],
					invites: [buildInvite(`invite-${random.hex(4)}`)],
				}),
				'invite.requested',
			);
		},
		() => put({...trace(), killed: true}, 'kill'),
		() => tell.log(`line ${count} of the log\n`),
		() => tell.complaint(`Complaint ${count}.`),
		() =>
			tell.status({reactor: random.pick(['here', 'elsewhere', 'none']), bus: {state: 'live'}, places: []}),
		() =>
			tell.doing(
				new Map([
					['5d2f91aa00bb11cc', {tool: 'edit', about: `file-${count}.ts`, spokeAt: Date.parse(ago(0))}],
				]),
			),
		() => tell.sessions(sessionsOf(traces)),
		() => tell.spent({since: ago(600), cost: count / 100}),
	];
	return () => {
		count += 1;
		random.pickAny(changes)?.();
	};
};

const sessionsOf = (traces: ReadonlyMap<string, Trace>): readonly SessionView[] =>
	[...traces.values()].flatMap(trace =>
		[...trace.runs.values()]
			.filter(({interactive}) => interactive)
			.map(run => ({
				sessionId: run.agentId,
				traceId: trace.traceId,
				bee: run.bee,
				state: run.status === 'running' ? ('working' as const) : ('failed' as const),
				...{startedAt: run.startedAt, attached: 0, title: '', lastRows: []},
			})),
	);
