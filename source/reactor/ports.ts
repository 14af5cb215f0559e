import type {Colony} from '../colony/colony.ts';
import type {Dispatcher} from '../dispatch/dispatcher.ts';
import type {IdSource} from '../domain/ids.ts';
import type {SeenPlace} from '../domain/place.ts';
import type {Bus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Reach} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import type {Processes} from '../ports/processes.ts';

export type ReactorPorts = {
	readonly bus: Bus;
	/** The configuration as it is now. */
	readonly colony: () => Colony;
	/** Resolves when the configuration is as its files are by now. */
	readonly catchUp?: () => Promise<void>;
	/** Resolves when every change of its files that is known of by now counts; cheap. */
	readonly caughtUp?: () => Promise<void>;
	readonly checkout: string;
	readonly ids: IdSource;
	readonly clock: Clock;
	readonly files: Files;
	readonly processes: Processes;
	readonly reach: Reach;
	readonly dispatcher: Dispatcher;
	/** The other places of the colony; nothing where this checkout has the log for itself. */
	readonly others?: (() => readonly SeenPlace[]) | undefined;
	/** Called when a run was opened or closed here. */
	readonly slotsChanged?: (() => void) | undefined;
	/** Of each bee whose program is not on this machine, by its role, that program. */
	readonly missingPrograms?: (() => Promise<ReadonlyMap<string, string>>) | undefined;
	/** Only this trace is worked on; the others are left as they are. */
	readonly only?: string | undefined;
	/**
	 * The branch that the checkout is on, empty for a detached HEAD, and its commit; nothing before the first
	 * one.
	 */
	readonly currentBase?: () => Promise<{readonly branch: string; readonly commit: string} | undefined>;
	/** The trace branch, uncommitted work included, differs from its base. */
	readonly branchDiffers: (traceId: string) => Promise<boolean>;
	/**
	 * Ends a merge of this checkout that its maker left open; false while that maker is alive
	 * (docs/reliability.md §4).
	 */
	readonly finishMerge?: (traceId: string) => Promise<boolean>;
	/**
	 * Events after which checkpoints are written, so that a start folds a short tail; 200, or 1 where the log
	 * is shared.
	 */
	readonly checkpointEvery?: number;
	/** Something failed that will be tried again, or cannot be: reported, not thrown. */
	readonly report: (message: string, error?: unknown) => void;
};
