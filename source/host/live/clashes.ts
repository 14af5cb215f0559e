import type {ActionContext} from '../../actions/context.ts';
import {refuseElsewhere} from '../../actions/decide-and-append.ts';
import {isTerminal, taskStatuses} from '../../domain/task.ts';
import {taskMarks} from '../../domain/task-marks.ts';
import {lastThatChanged, openRuns, type Trace} from '../../domain/trace.ts';
import type {Git} from '../../ports/git.ts';
import {type ChangedLines, readChangedLines, sharedPaths} from '../../workspaces/trees/changed-lines.ts';
import {mergeTrees} from '../../workspaces/trees/objects.ts';
import {readRecordedWork} from '../../workspaces/worktree/recorded-work.ts';
import type {Clashes, Conflict, Overlap} from '../views/clashes.ts';

type ClashContext = Pick<ActionContext, 'git' | 'colony' | 'checkout'>;

/**
 * Cache of git's results for pairs of commits, which never change. Kept as long as both commits are in use.
 */
type Known = {
	readonly conflicts: Map<string, Promise<readonly string[]>>;
	readonly changes: Map<string, Promise<ChangedLines | undefined>>;
};

export type ReadClashes = (traces: Iterable<Trace>) => Promise<Clashes>;

/**
 * Returns a reader of clashes in the repository as it is at each call. A call runs git only for what is new
 * since the previous one.
 */
export const createClashReader = (reading: ClashContext): ReadClashes => {
	let known = nothingKnown();
	return async traces => {
		const live = [...traces].filter(
			trace => mayClash(trace) && refuseElsewhere(trace, reading.checkout) === undefined,
		);
		const before = known;
		known = nothingKnown();
		return readNow(reading, live, before, known);
	};
};

const nothingKnown = (): Known => ({conflicts: new Map(), changes: new Map()});

const readNow = async (
	{git, colony: {root}}: ClashContext,
	live: readonly Trace[],
	before: Known,
	now: Known,
): Promise<Clashes> => {
	const conflicts = new Map<string, Conflict>();
	const bases = new Map<string, string>();
	const changes: Change[] = [];
	for (const trace of live) {
		const {traceId} = trace;
		const found = await readRecordedWork(git, {root, traceId}).catch(() => undefined);
		if (found === undefined) continue;
		const key = `${found.base} ${found.work}`;
		const {base, work} = found;
		if (isChanging(trace)) {
			const read = before.changes.get(key) ?? readChange(git, root, {base, work}).catch(() => undefined);
			now.changes.set(key, read);
			const changed = await read;
			if (changed !== undefined) changes.push({traceId, changed});
		}
		if (hasOpenGate(trace)) {
			bases.set(traceId, base);
			const read = before.conflicts.get(key) ?? readConflicts(git, root, {base, work}).catch(() => []);
			now.conflicts.set(key, read);
			const paths = await read;
			if (paths.length > 0) conflicts.set(traceId, {work, paths});
		}
	}
	return {conflicts, overlaps: overlapsIn(changes), bases};
};

/**
 * Returns a key that changes when the result for the trace may change. While runs are open, it depends only
 * on recorded trees, since the log does not have the later work of open runs.
 */
export const clashKey = (trace: Trace): string =>
	mayClash(trace)
		? `${trace.traceId} ${openRuns(trace).length === 0 ? trace.sequence : lastThatChanged(trace)?.trees?.after} ${hasOpenGate(trace)}`
		: '';

type Change = {readonly traceId: string; readonly changed: ChangedLines};

const overlapsIn = (changes: readonly Change[]): readonly Overlap[] =>
	changes.flatMap(({traceId, changed}, index) =>
		changes.slice(index + 1).flatMap(other => {
			const paths = sharedPaths(changed, other.changed);
			return paths.length === 0 ? [] : [{traceIds: [traceId, other.traceId] as const, paths}];
		}),
	);

const mayClash = (trace: Trace): boolean => !trace.killed && (isChanging(trace) || hasOpenGate(trace));

const isChanging = (trace: Trace): boolean =>
	trace.tasks.hasAny(unfinished) && lastThatChanged(trace) !== undefined;

const hasOpenGate = ({tasks, merge}: Trace): boolean =>
	merge === undefined && [...tasks.having(waiting)].some(({review}) => review === 'final');

const waiting = taskMarks(['waiting_review']);
const unfinished = taskMarks(taskStatuses.filter(status => !isTerminal(status)));

type Commits = {readonly base: string; readonly work: string};

const readConflicts = async (git: Git, root: string, {base, work}: Commits): Promise<readonly string[]> =>
	(await mergeTrees(git, root, base, work)).conflicts;

/** Compared with the merge base of the trace's work and its base. */
const readChange = async (
	git: Git,
	root: string,
	{base, work}: Commits,
): Promise<ChangedLines | undefined> => {
	const fork = await git.attempt(['merge-base', base, work], {cwd: root});
	if (fork.exitCode !== 0) return undefined;
	return readChangedLines(git, root, {commit: fork.stdout.trim(), tree: work});
};
