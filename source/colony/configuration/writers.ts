import type {RunRecord} from '../../domain/run.ts';
import {type Trace, titleOrId} from '../../domain/trace.ts';
import type {Clock} from '../../ports/clock.ts';

/** A run, session or merge that may write in the checkout. */
export type Writer = {
	/** Stable across restarts. */
	readonly id: string;
	/** Its work as text: `"Sort the list" was running`. */
	readonly description: string;
};

/** Notified before a writer's first write and after its last one. Both calls are idempotent. */
export type Writers = {
	readonly beginWriting: (by: Writer) => Promise<void>;
	readonly endWriting: (id: string) => Promise<void>;
};

export const runWriterId = (agentId: string): string => `run ${agentId}`;
export const mergeWriterId = (traceId: string): string => `the merge of ${traceId}`;

/** Every run counts, even in a worktree of its own, since its agent knows where the root is. */
export const runAsWriter = (trace: Trace, run: RunRecord): Writer => ({
	id: runWriterId(run.agentId),
	description: run.interactive
		? `the session with ${run.bee} was open`
		: `${quoteTitle(trace.tasks.get(run.taskId ?? '')?.title || titleOrId(trace))} was ${run.verifies === undefined ? 'running' : 'verified'}`,
});

export const mergeAsWriter = (trace: Trace): Writer => ({
	id: mergeWriterId(trace.traceId),
	description: `${quoteTitle(titleOrId(trace))} was merged`,
});

/** Max characters of a title. */
const maxTitleLength = 60;

const quoteTitle = (title: string): string =>
	`"${title.length > maxTitleLength ? `${title.slice(0, maxTitleLength - 1)}…` : title}"`;

/** Writers that began since the last record, and the ids of those that ended. */
export type WriterChanges = {readonly begun: readonly Writer[]; readonly ended: readonly string[]};

export type RecordedWriters = Writers & {
	/**
	 * Completes what an earlier process of this checkout did not record. Adds the writers in `open`, and ends
	 * those in `recorded` (ids) that are not open. A writer that has ended here meanwhile is not open.
	 */
	readonly resume: (open: readonly Writer[], recorded: readonly string[]) => Promise<void>;
	/** Resolves when all changes are recorded. */
	readonly settled: () => Promise<void>;
};

const debounceMs = 100;

/**
 * Records which writers are open. Files are guarded while the record names any writer. So the first writer to
 * begin and the last to end wait for the record. Other changes are recorded together a moment later. After a
 * crash in between, `resume` completes the record.
 * @param record writes the changes; failed changes are passed to it again
 */
export const createWriters = (
	clock: Clock,
	record: (changes: WriterChanges) => Promise<void>,
): RecordedWriters => {
	const open = new Set<string>();
	let endedEarly: Set<string> | undefined = new Set();
	/** Changes by id: the writer if it began, undefined if it ended. */
	let unrecorded: ReadonlyMap<string, Writer | undefined> = new Map();
	/** True if the record names a writer that began here, and will until this process changes it. */
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
		cancel ??= clock.after(debounceMs, () => {
			cancel = undefined;
			// Failed changes are kept for the next record, which comes at the latest when the last writer ends.
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
