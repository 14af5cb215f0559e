import type {Clock} from '../../ports/clock.ts';

/** Notified of who may write in the root: before the first write, and after the last. Both may be repeated. */
export type Writers = {
	readonly beginWriting: (by: string) => Promise<void>;
	readonly endWriting: (by: string) => Promise<void>;
};

export const runAsWriter = (agentId: string): string => `run ${agentId}`;
export const mergeAsWriter = (traceId: string): string => `the merge of ${traceId}`;

/** What a person does about a version that awaits them. */
export const acceptHint = 'Look at it with "git diff", then run "hive doctor --accept".';

/** Who began or ended since it was recorded last. */
export type WriterChanges = {readonly begun: readonly string[]; readonly ended: readonly string[]};

export type RecordedWriters = Writers & {
	/**
	 * Makes up for what an earlier process of this checkout did not come to record: those who are still open are named, those of
	 * `recorded` who are not are not any more. Who has ended here meanwhile is not open.
	 */
	readonly resume: (open: readonly string[], recorded: readonly string[]) => Promise<void>;
	/** Resolves when the record says all that was told. */
	readonly settled: () => Promise<void>;
};

const quietMilliseconds = 100;

/**
 * Has who writes recorded. Files are guarded as long as the record names anybody, so the first to begin and the last to end wait for
 * it; what becomes of others meanwhile is recorded a moment later, together. After a crash in between, `resume` makes up for it.
 *
 * @param record writes the changes down; those that it failed to are given to it again
 */
export const createWriters = (
	clock: Clock,
	record: (changes: WriterChanges) => Promise<void>,
): RecordedWriters => {
	const open = new Set<string>();
	let endedEarly: Set<string> | undefined = new Set();
	/** By who they are: whether they write. */
	let unrecorded: ReadonlyMap<string, boolean> = new Map();
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
		const those = (writes: boolean) => [...changes].flatMap(([by, now]) => (now === writes ? [by] : []));
		try {
			await record({begun: those(true), ended: those(false)});
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
	const change = async (by: string, writes: boolean): Promise<void> => {
		if (writes) open.add(by);
		else open.delete(by);
		unrecorded = new Map([...unrecorded].filter(([other]) => other !== by)).set(by, writes);
		const others = writes ? open.size - 1 : open.size;
		if (isGuarded && others > 0) recordLater();
		else await recordNow();
	};
	return {
		beginWriting: by => change(by, true),
		endWriting: by => {
			endedEarly?.add(by);
			return change(by, false);
		},
		resume: async (found, recorded) => {
			const still = found.filter(by => !endedEarly?.has(by));
			endedEarly = undefined;
			const gone = recorded.filter(by => !open.has(by) && !still.includes(by));
			const begun = still.filter(by => !recorded.includes(by));
			unrecorded = new Map([
				...gone.map(by => [by, false] as const),
				...begun.map(by => [by, true] as const),
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
