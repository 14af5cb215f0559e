import type {RunRecord} from '../../domain/run.ts';
import {type Trace, titleOrId} from '../../domain/trace.ts';
import type {Clock} from '../../ports/clock.ts';

/** Who may write in the checkout. */
export type Writer = {
	/** Stays the same over restarts. */
	readonly id: string;
	/** What they are at: `"Sort the list" was running`. */
	readonly words: string;
};

/**
 * Notified of who may write in the checkout: before the first write, and after the last. Both may be
 * repeated.
 */
export type Writers = {
	readonly beginWriting: (by: Writer) => Promise<void>;
	readonly endWriting: (id: string) => Promise<void>;
};

export const runWriterId = (agentId: string): string => `run ${agentId}`;
export const mergeWriterId = (traceId: string): string => `the merge of ${traceId}`;

/** Any run: also one with a worktree of its own knows where the root is. */
export const runAsWriter = (trace: Trace, run: RunRecord): Writer => ({
	id: runWriterId(run.agentId),
	words: run.interactive
		? `the session with ${run.bee} was open`
		: `${quoted(trace.tasks.get(run.taskId ?? '')?.title || titleOrId(trace))} was ${run.verifies === undefined ? 'running' : 'verified'}`,
});

export const mergeAsWriter = (trace: Trace): Writer => ({
	id: mergeWriterId(trace.traceId),
	words: `${quoted(titleOrId(trace))} was merged`,
});

/** Characters of a title. */
const longestTitle = 60;

const quoted = (title: string): string =>
	`"${title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title}"`;

/** Who began or ended since it was recorded last; of those who ended the ids. */
export type WriterChanges = {readonly begun: readonly Writer[]; readonly ended: readonly string[]};

export type RecordedWriters = Writers & {
	/**
	 * Makes up for what an earlier process of this checkout did not come to record: those who are still open
	 * are named, those of `recorded`, which are ids, who are not are not any more. Who has ended here meanwhile
	 * is not open.
	 */
	readonly resume: (open: readonly Writer[], recorded: readonly string[]) => Promise<void>;
	/** Resolves when the record says all that was told. */
	readonly settled: () => Promise<void>;
};

const quietMilliseconds = 100;

/**
 * Has who writes recorded. Files are guarded as long as the record names anybody, so the first to begin and
 * the last to end wait for it; what becomes of others meanwhile is recorded a moment later, together. After a
 * crash in between, `resume` makes up for it.
 *
 * @param record writes the changes down; those that it failed to are given to it again
 */
export const createWriters = (
	clock: Clock,
	record: (changes: WriterChanges) => Promise<void>,
): RecordedWriters => {
	const open = new Set<string>();
	let endedEarly: Set<string> | undefined = new Set();
	/** By id: who has begun; nothing of one who has ended. */
	let unrecorded: ReadonlyMap<string, Writer | undefined> = new Map();
	/** The record names somebody who began here, and goes on to until this process changes it. */
	let isGuarded = false;
	let last: Promise<void> = Promise.resolve();
	let next: Promise<void> | undefined;
	let cancel: (() => void) | undefined;
	const write = async (): Promise<void> => {
		const changes = unrecorded;
		const goesOn = open.size > 0;
		isGuarded &&= goesOn;
		unrecorded = new Map();
		const begun = [...changes.values()].flatMap(writer => writer ?? []);
		const ended = [...changes.keys()].filter(id => changes.get(id) === undefined);
		try {
			await record({begun, ended});
			isGuarded = goesOn;
		} catch (error) {
			unrecorded = new Map([...changes, ...unrecorded]);
			throw error;
		}
	};
	const recordNow = (): Promise<void> => {
		next ??= last
			.catch(() => {})
			.then(() => {
				next = undefined;
				cancel?.();
				cancel = undefined;
				last = write();
				return last;
			});
		return next;
	};
	const recordLater = (): void => {
		cancel ??= clock.after(quietMilliseconds, () => {
			cancel = undefined;
			// The changes are kept for the next time, at the latest when the last one ends.
			recordNow().catch(() => {});
		});
	};
	const change = async (id: string, writer: Writer | undefined): Promise<void> => {
		if (writer) open.add(id);
		else open.delete(id);
		unrecorded = new Map([...unrecorded].filter(([other]) => other !== id)).set(id, writer);
		const others = writer ? open.size - 1 : open.size;
		if (isGuarded && others > 0) recordLater();
		else await recordNow();
	};
	return {
		beginWriting: by => change(by.id, by),
		endWriting: id => {
			endedEarly?.add(id);
			return change(id, undefined);
		},
		resume: async (found, recorded) => {
			const still = found.filter(({id}) => !endedEarly?.has(id));
			endedEarly = undefined;
			const gone = recorded.filter(id => !open.has(id) && !still.some(by => by.id === id));
			const begun = still.filter(({id}) => !recorded.includes(id));
			unrecorded = new Map<string, Writer | undefined>([
				...gone.map(id => [id, undefined] as const),
				...begun.map(by => [by.id, by] as const),
				...unrecorded,
			]);
			if (unrecorded.size > 0) await recordNow();
		},
		settled: async () => {
			if (unrecorded.size > 0) await recordNow();
			else await last;
		},
	};
};
