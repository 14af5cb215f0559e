import {branchOf} from '../../domain/ids.ts';
import type {Holding} from '../../domain/reason.ts';
import {exhausted, lacking, type Spendable} from '../../domain/reserve.ts';
import {isPausedRun} from '../../domain/run.ts';
import {isPaused, type Task} from '../../domain/task.ts';
import {taskMarks} from '../../domain/task-marks.ts';
import {runWithoutTasks, type Trace, titleOrId} from '../../domain/trace.ts';
import {awaitingMerge, gatesLeft} from '../../ledger/queue.ts';
import {because, causeKey, type InboxEntry} from './inbox-entry.ts';
import {localMoment} from './local-time.ts';

/**
 * Entries for what holds up a trace. A limit is used up, its branch has to be merged, a bee cannot be run, or
 * a limit of a tool has to pass.
 */
export const heldEntries = (trace: Trace, holding: Holding | undefined): readonly InboxEntry[] => {
	const tasks = [...trace.tasks.having(blocked)];
	const short = tasks.filter(task => !isPaused(task));
	return [
		...(short.length > 0 || holding === 'honey' ? [shortEntry(trace, short)] : []),
		...awaitingMerge(trace).map(task => unmergedEntry(trace, task)),
		...(holding === 'configuration' ? [configurationEntry(trace, noBee)] : []),
		...(holding === 'version' ? [configurationEntry(trace, tooOld)] : []),
		...pausedTasks(trace, tasks.filter(isPaused)),
		...pausedRequest(trace, holding),
	];
};

const blocked = taskMarks(['blocked']);

const shortEntry = (trace: Trace, tasks: readonly Task[]): InboxEntry => {
	const lacks = exhausted(trace) ?? 'honey';
	const [since] = tasks.map(({updatedAt}) => updatedAt).sort();
	return {
		key: causeKey('blocked', trace, '', lastClaim(trace)),
		...{kind: 'blocked', category: 'blocked'},
		...{traceId: trace.traceId, title: titleOrId(trace)},
		...(since !== undefined && {since}),
		sentence: `${lacking[lacks].status}: it goes on when you ${added[lacks]}.`,
		actions: ['energy.add', 'kill'],
	};
};

/** The branch may be merged where hive does not see it. Then a person has to say that the task can begin. */
const unmergedEntry = (trace: Trace, {taskId, title}: Task): InboxEntry => {
	const [gate] = gatesLeft(trace);
	return {
		key: causeKey('blocked', trace, taskId, gate?.updatedAt ?? ''),
		...{kind: 'blocked', category: 'blocked'},
		...{traceId: trace.traceId, taskId, title: title || titleOrId(trace)},
		...(gate && {since: gate.updatedAt}),
		sentence: `It waits for the merge of ${branchOf(trace.traceId)}: start it once that is merged.`,
		actions: ['task.start', 'task.cancel'],
	};
};

const added: Readonly<Record<Spendable, string>> = {
	honey: 'add honey',
	cost: 'raise the cost limit',
	tokens: 'raise the token limit',
};

/**
 * Nothing is claimed while a limit is used up. So if it is used up again, the last run is another one and the
 * key changes.
 */
const lastClaim = ({runs}: Trace): string =>
	[...runs.values()].findLast(({verifies}) => verifies === undefined)?.agentId ?? '';

const noBee = 'A bee that it needs cannot be run here: see "hive doctor".';
const tooOld =
	'A newer hive has worked on the log: update hive where the trace belongs. "hive doctor" there says more.';

const configurationEntry = (trace: Trace, sentence: string): InboxEntry => ({
	key: causeKey('configuration', trace, sentence === noBee ? '' : 'version', lastClaim(trace)),
	...{kind: 'configuration', category: 'configuration'},
	...{traceId: trace.traceId, title: titleOrId(trace)},
	sentence,
	actions: ['kill'],
});

/** Tasks that wait for the same moment wait for the same limit, so they share an entry. */
const pausedTasks = (trace: Trace, tasks: readonly Task[]): readonly InboxEntry[] => {
	const moments = new Set(tasks.map(({pausedUntil}) => pausedUntil ?? ''));
	return [...moments].flatMap(until => {
		const [task, ...more] = tasks.filter(({pausedUntil}) => pausedUntil === until);
		if (task === undefined) return [];
		const {taskId, title, updatedAt, summary} = task;
		return [
			{
				...pausedEntry(trace, until, summary),
				...{taskId, since: updatedAt, actions: ['task.retry', 'task.cancel'] as const},
				title: (more.length === 0 && title) || titleOrId(trace),
			},
		];
	});
};

/** A run that an event asked for, and that no task shows. */
const pausedRequest = (trace: Trace, holding: Holding | undefined): readonly InboxEntry[] => {
	const run = runWithoutTasks(trace);
	if (run !== undefined && isPausedRun(run)) {
		const {pausedUntil = '', summary = '', agentId, finishedAt} = run;
		const entry = pausedEntry(trace, pausedUntil, summary);
		const since = finishedAt === undefined ? {} : {since: finishedAt};
		return [{...entry, ...since, agentId, actions: ['bee.retry', 'kill']}];
	}
	const isShown = holding !== 'limit' || [...trace.tasks.having(blocked)].some(isPaused);
	return isShown ? [] : [{...pausedEntry(trace, '', ''), actions: ['kill']}];
};

const pausedEntry = (trace: Trace, until: string, summary: string): Omit<InboxEntry, 'actions'> => ({
	key: causeKey('paused', trace, '', until || lastClaim(trace)),
	...{kind: 'paused', category: 'paused'},
	...{traceId: trace.traceId, title: titleOrId(trace)},
	sentence: because(
		until === '' ? 'A limit of its tool has to pass' : `Paused until ${localMoment(until)}`,
		summary,
	),
});
