import type {Colony} from '../colony/colony.ts';
import type {ConfigurationStore} from '../colony/configuration/store.ts';
import type {WriteAccepted} from '../colony/configuration/trust.ts';
import type {Writers} from '../colony/configuration/writers.ts';
import type {KnownCheckout} from '../colony/known-checkouts.ts';
import type {RunToEnd} from '../dispatch/end-run.ts';

import type {Detail} from '../domain/errors.ts';
import type {IdSource} from '../domain/ids.ts';
import type {NotifySettings} from '../domain/notify.ts';
import type {SeenPlace} from '../domain/place.ts';
import type {Redactor} from '../domain/redact.ts';
import type {Trace} from '../domain/trace.ts';
import type {RedactedBus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Reach} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import type {Git} from '../ports/git.ts';
import type {OpenLink} from '../ports/link.ts';
import type {Lock} from '../ports/lock.ts';
import type {Processes} from '../ports/processes.ts';

/** What every human action works with. An action takes it and its input, and answers with an `Outcome`. */
export type ActionContext = {
	readonly bus: RedactedBus;
	readonly colony: Colony;
	/** Id of this checkout. */
	readonly checkout: string;
	readonly ids: IdSource;
	readonly clock: Clock;
	readonly git: Git;
	readonly files: Files;
	readonly processes: Processes;
	readonly reach: Reach;
	/** Another checkout that this machine knows by its id. */
	readonly otherCheckout: (id: string) => Promise<OtherCheckout | undefined>;
	/** A new handle on the lock of those who move this checkout's branches (docs/reliability.md §4). */
	readonly mergeLock: () => Lock;
	/** Of the gateways of this checkout: one of them at a time may speak for it. */
	readonly gatewayLock?: (name: string) => Lock;
	/**
	 * A trace as this process folded it, which the log may have moved on from; nothing where it is not kept
	 * here.
	 */
	readonly folded?: (traceId: string) => Trace | undefined;
	/** Who acts: the envelope's `agentId` of what is published. */
	readonly by: 'human' | 'cli' | 'console' | 'chat';
	/** The run this process is part of, when it is: agents are not people (docs/architecture.md §4). */
	readonly insideRun: {readonly traceId: string; readonly agentId: string} | undefined;
	/** Takes known secrets out of what is published (docs/reliability.md I12); nothing is known without it. */
	readonly redact?: Redactor;
	/**
	 * Names of what makes git run programs here and was not there when a person last ran `hive init`
	 * (docs/reliability.md I17).
	 */
	readonly plantedInGit?: () => Promise<readonly string[]>;
	/** Notified of merges, whose changes of the configuration wait for a person (docs/architecture.md §7). */
	readonly writers?: Writers;
	/** What of the configuration awaits a person; nothing without it. */
	readonly configuration?: Pick<ConfigurationStore, 'changes' | 'accept'> & {
		/** What the live reactor says is wrong with its configuration; nothing when none is alive. */
		readonly reactorProblems: () => Promise<readonly Detail[] | undefined>;
	};
	/**
	 * Ends an open run of this checkout, wherever the reactor is: stops it, unless it has ended by itself, and
	 * collects it when no live reactor will.
	 */
	readonly endRun: (run: RunToEnd) => Promise<void>;
	/**
	 * Of each bee whose program is not on this machine, by its role, that program; nothing is known without it.
	 */
	readonly missingPrograms?: () => Promise<ReadonlyMap<string, string>>;
	/** How the person at this machine wants to be told of what needs them, by now; as usual without it. */
	readonly notify?: () => NotifySettings | undefined;
	/** The way to the sessions of this user. */
	readonly openLink: OpenLink;
	/**
	 * Where else the colony is worked on, as it was heard last; nothing where the log is of one checkout. This
	 * one may be among them.
	 */
	readonly places: () => Promise<readonly SeenPlace[]>;
	/**
	 * A reactor is alive that works on the trace, or would take it; one of this checkout, for every trace, when
	 * none is named.
	 */
	readonly reactorIsAlive: (traceId: string | undefined) => Promise<boolean>;
};

type OtherCheckout = Pick<KnownCheckout, 'root' | 'isThere'> & {
	/** A reactor of it is alive, or may be started. */
	readonly isAttended: boolean;
};

/** What an action on the colony's own files works with; the log stays closed. */
export type ConfigContext = Pick<ActionContext, 'colony' | 'files' | 'insideRun'> & {
	/** Writes files that count at once, also while runs are open (docs/architecture.md §7). */
	readonly writeAccepted?: WriteAccepted;
};
