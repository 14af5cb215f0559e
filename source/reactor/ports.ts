import type {Colony} from '../colony/colony.ts';
import type {Dispatcher} from '../dispatch/dispatcher.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {IdSource} from '../domain/ids.ts';
import type {KnownMachine} from '../domain/machine-status.ts';
import type {Trace} from '../domain/trace.ts';
import type {TraceBase} from '../domain/trace-base.ts';
import type {Bus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Failpoint} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import type {Processes} from '../ports/processes.ts';
import type {LandingPorts} from './landings/landing-ports.ts';

export type ReactorPorts = {
	readonly bus: Bus;
	/** The present configuration. */
	readonly colony: () => Colony;
	/** Resolves when the configuration matches its files. */
	readonly catchUp?: () => Promise<void>;
	/** Resolves when every known change of its files is in effect; cheap. */
	readonly caughtUp?: () => Promise<void>;
	readonly checkout: string;
	readonly ids: IdSource;
	readonly clock: Clock;
	readonly files: Files;
	readonly processes: Processes;
	readonly failpoint: Failpoint;
	readonly dispatcher: Dispatcher;
	/** The other places of the colony; absent if the log belongs to this checkout alone. */
	readonly others?: (() => readonly KnownMachine[]) | undefined;
	/**
	 * Called with each event that it considers, also with those of the time when no reactor ran, and with the
	 * trace as it is then. Must not throw or wait.
	 */
	readonly observe?: ((event: StoredEvent, trace: Trace) => void) | undefined;
	/** Called when a run was opened or closed here. */
	readonly slotsChanged?: (() => void) | undefined;
	/** By role of a bee: its program, if that is not on this machine. */
	readonly missingPrograms?: (() => Promise<ReadonlyMap<string, string>>) | undefined;
	/** How landings are planned and made. Absent: the landing queue is not worked on. */
	readonly landings?: LandingPorts;
	/** Set if only landings are worked on. */
	readonly landsOnly?: true | undefined;
	/** The only trace to work on; the others are left as they are. */
	readonly only?: string | undefined;
	/**
	 * The base that a trace would begin on now: the branch that a person named, else that of the checkout,
	 * empty for a detached HEAD. `undefined` before the first commit.
	 */
	readonly currentBase?: (trace: Trace) => Promise<TraceBase | undefined>;
	/** True if the trace branch, with uncommitted work, differs from its base. */
	readonly branchDiffers: (traceId: string) => Promise<boolean>;
	/**
	 * Finishes a merge of this checkout that was left open. Returns false while the process that began it is
	 * alive (docs/reliability.md §4).
	 */
	readonly finishMerge?: (traceId: string) => Promise<boolean>;
	/**
	 * Number of events after which checkpoints are written, so that a start has few events to fold. Default
	 * 200, or 1 for a shared log.
	 */
	readonly checkpointEvery?: number;
	/** Reports a failure that is retried or cannot be repaired, instead of throwing it. */
	readonly report: (message: string, error?: unknown) => void;
};
