import type {Colony} from '../colony/colony.ts';
import type {ConfigurationStore} from '../colony/configuration/store.ts';
import type {WriteAccepted} from '../colony/configuration/trust.ts';
import type {Writers} from '../colony/configuration/writers.ts';
import type {KnownCheckout} from '../colony/known-checkouts.ts';
import type {Permissions} from '../colony/permissions.ts';
import type {RunToEnd} from '../dispatch/end-run.ts';

import type {Detail, Outcome} from '../domain/errors.ts';
import type {IdSource} from '../domain/ids.ts';
import type {KnownMachine} from '../domain/machine-status.ts';
import type {NotifySettings} from '../domain/notify.ts';
import type {Redactor} from '../domain/redact.ts';
import type {Trace} from '../domain/trace.ts';
import type {RedactedBus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {OpenConnection} from '../ports/connection.ts';
import type {Failpoint} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import type {ForgeIssue} from '../ports/forge.ts';
import type {Git} from '../ports/git.ts';
import type {Lock} from '../ports/lock.ts';
import type {Processes} from '../ports/processes.ts';

/** By which way a person acted. `forge`: at the forge, as the watcher of requests passes it on. */
export const actors = ['human', 'cli', 'console', 'chat', 'forge'] as const;
export type Actor = (typeof actors)[number];

/** The context of every human action. An action takes it and its input, and returns an `Outcome`. */
export type ActionContext = {
	readonly bus: RedactedBus;
	readonly colony: Colony;
	/** Id of this checkout. */
	readonly checkout: string;
	/** The colony's machine-local folder. */
	readonly machineDir: string;
	readonly ids: IdSource;
	readonly clock: Clock;
	readonly git: Git;
	readonly files: Files;
	readonly processes: Processes;
	readonly failpoint: Failpoint;
	/** Finds another checkout that this machine knows, by its id. */
	readonly otherCheckout: (id: string) => Promise<OtherCheckout | undefined>;
	/** Returns a new handle on the lock for moving this checkout's branches (docs/reliability.md §4). */
	readonly mergeLock: () => Lock;
	/** Lock of this checkout's gateways: one at a time may act for it. */
	readonly gatewayLock?: (name: string) => Lock;
	/**
	 * Returns a trace as this process has folded it, which may be behind the log. Undefined if this process
	 * does not keep it.
	 */
	readonly folded?: (traceId: string) => Trace | undefined;
	/** The actor: the `agentId` of published events. */
	readonly by: Actor;
	/** The run that contains this process, if any: agents are not people (docs/architecture.md §4). */
	readonly insideRun: {readonly traceId: string; readonly agentId: string} | undefined;
	/** Removes known secrets from what is published (docs/reliability.md I12). Absent: no secrets are known. */
	readonly redact?: Redactor;
	/**
	 * Names of what makes git run programs here and is new since a person last ran `hive init`
	 * (docs/reliability.md I17).
	 */
	readonly injectedGitConfig?: () => Promise<readonly string[]>;
	/** Settings of git that a person accepted with `hive init`. Absent: none. */
	readonly acceptedGit?: () => Promise<ReadonlySet<string>>;
	/**
	 * Works on the landing queue in this process until the trace is out of it. For use where no reactor is
	 * alive. Absent: only a reactor lands.
	 */
	readonly landHere?: (traceId: string, signal?: AbortSignal) => Promise<void>;
	/**
	 * Sends the approved request of a trace to the forge, in a process of its own, and returns what it reports.
	 * For use where no reactor is alive. Absent: only a reactor's watcher sends.
	 */
	readonly sendHere?: (traceId: string, signal?: AbortSignal) => Promise<readonly string[]>;
	/** Reads an issue at the forge of the colony. Absent: this process reaches no forge. */
	readonly readIssue?: (number: number) => Promise<Outcome<ForgeIssue>>;
	/** Aborted when the caller stops waiting for the action. Absent: it waits to the end. */
	readonly signal?: AbortSignal;
	/** Notified of merges, whose configuration changes wait for a person (docs/architecture.md §7). */
	readonly writers?: Writers;
	/** Configuration changes that await a person's approval. Absent: there are none. */
	readonly configuration?: Pick<ConfigurationStore, 'changes' | 'accept'> & {
		/** Problems that the live reactor reports in its configuration; undefined when none is alive. */
		readonly reactorProblems: () => Promise<readonly Detail[] | undefined>;
	};
	/** What the person at this machine has allowed for good. Absent: nothing can be kept. */
	readonly permissions?: Permissions;
	/**
	 * Ends an open run of this checkout, wherever the reactor is. Stops the run unless it has already ended,
	 * and collects it when no live reactor will.
	 */
	readonly endRun: (run: RunToEnd) => Promise<void>;
	/** Missing programs of bees on this machine, by role. Absent: not known. */
	readonly missingPrograms?: () => Promise<ReadonlyMap<string, string>>;
	/** Returns the current settings for notifying the person at this machine. Absent: the defaults. */
	readonly notify?: () => NotifySettings | undefined;
	/** Opens a link to sessions of this user. */
	readonly openConnection: OpenConnection;
	/**
	 * Returns the checkouts that work on the colony, by their last heartbeats; this one may be among them.
	 * Empty if the log belongs to one checkout.
	 */
	readonly machines: () => Promise<readonly KnownMachine[]>;
	/**
	 * True if a live reactor works on the trace, or would take it. If no trace is named: if this checkout's
	 * reactor is alive and works on every trace.
	 */
	readonly reactorIsAlive: (traceId: string | undefined) => Promise<boolean>;
};

type OtherCheckout = Pick<KnownCheckout, 'root' | 'isThere'> & {
	/** True if its reactor is alive, or may be started. */
	readonly isAttended: boolean;
};

/** The context of actions on the colony's own files, which do not open the log. */
export type ConfigContext = Pick<ActionContext, 'colony' | 'files' | 'insideRun'> & {
	/** Writes files that are in force at once, even while runs are open (docs/architecture.md §7). */
	readonly writeAccepted?: WriteAccepted;
};
