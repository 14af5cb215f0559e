import {isDeepStrictEqual} from 'node:util';
import type {ActionContext} from '../../actions/context.ts';
import {refuseElsewhere} from '../../actions/decide-and-append.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {isShown, type Trace} from '../../domain/trace.ts';
import type {Clock} from '../../ports/clock.ts';
import {readBase} from '../../workspaces/merge/base.ts';
import {findFork} from '../../workspaces/merge/fork.ts';
import {baseGone, baseUnknown} from '../../workspaces/merge/merge-refusals.ts';
import {previewBytes} from '../../workspaces/merge/preview.ts';
import {describeChange} from '../../workspaces/trees/attribution.ts';
import {resolve} from '../../workspaces/trees/objects.ts';
import {captureTree} from '../../workspaces/trees/tree.ts';
import {findWorktree} from '../../workspaces/worktree/find-worktree.ts';
import {pause} from '../pause.ts';
import type {Comparison} from './compare.ts';
import {countsOf} from './preview.ts';

/** The files of a trace's worktree, compared with the commit at which its work left the base. */
export type LiveChange = Comparison & {
	/** Ids of the two ends of the patch: a commit, and the tree of the present files. */
	readonly fork: string;
	readonly work: string;
	/** When the files were read, milliseconds since 1970. */
	readonly readAt: number;
};

type LiveContext = Pick<ActionContext, 'git' | 'colony' | 'checkout' | 'redact' | 'clock'>;

/**
 * Returns the absolute path of the trace's worktree. Refused if it is gone, or on another machine.
 */
export const openWorktree = async (
	{git, colony: {root}, checkout}: Pick<LiveContext, 'git' | 'colony' | 'checkout'>,
	trace: Trace,
): Promise<Outcome<string>> => {
	if (!isShown(trace)) return traceNotFound(trace.traceId);
	return refuseElsewhere(trace, checkout) ?? findWorktree(git, {root, traceId: trace.traceId});
};

/** Returns the present change, or undefined if the files are those of the tree `known`. */
export const readLiveChange = async (
	context: LiveContext,
	trace: Trace,
	known?: string,
): Promise<Outcome<LiveChange | undefined>> => {
	const {git, colony, clock, redact = (text: string) => text} = context;
	const location = {root: colony.root, traceId: trace.traceId};
	const worktree = await openWorktree(context, trace);
	if (!worktree.ok) return worktree;
	const readAt = clock.now();
	const [work, head, base] = await Promise.all([
		captureTree(git, worktree.value),
		resolve(git, worktree.value, 'HEAD'),
		readBase(git, colony.root, trace.traceId),
	]);
	if (base === undefined) return baseUnknown(trace.traceId);
	if (!base.commit) return baseGone(base);
	const fork = await findFork(git, location, base, {commit: head ?? ''});
	if (!fork.ok) return fork;
	if (`${fork.value} ${work}` === known) return accepted(undefined);
	const change = await describeChange(git, {
		...{workspace: worktree.value, before: fork.value, after: work, maxBytes: previewBytes},
	});
	const {files, patch, truncated} = change;
	return accepted({
		...{files: files.map(countsOf), patch: redact(patch), truncated, fork: fork.value, work, readAt},
	});
};

/** Minimum interval between readings of files that an agent changes, in milliseconds. */
const minIntervalMs = 1000;
/** A reading may take at most this share of the time, so that a large repository is not read all the time. */
const maxShare = 0.2;

type Following = {
	readonly context: LiveContext;
	/** The trace up to the last event that was read. */
	readonly trace: () => Trace;
	readonly signal: AbortSignal;
	readonly call: (change: Outcome<LiveChange>) => void;
};

/**
 * Passes the current change to `call`, then each later one, until the signal is aborted. It reads at most
 * once a second. Agents and people change files without a sign in the log.
 */
export const followLiveChange = async ({context, trace, signal, call}: Following): Promise<void> => {
	const {clock} = context;
	let known: string | undefined;
	let refused: unknown;
	while (!signal.aborted) {
		const startedAt = clock.now();
		const read = await readLiveChange(context, trace(), known);
		if (signal.aborted) return;
		if (!read.ok) {
			if (!isDeepStrictEqual(read.refusal, refused)) call(read);
			[known, refused] = [undefined, read.refusal];
		} else if (read.value !== undefined) {
			const change = read.value;
			[known, refused] = [`${change.fork} ${change.work}`, undefined];
			call(accepted(change));
		}
		await pause(clock, signal, intervalAfter(clock, startedAt));
	}
};

const intervalAfter = (clock: Clock, startedAt: number): number =>
	Math.max(minIntervalMs, (clock.now() - startedAt) / maxShare);
