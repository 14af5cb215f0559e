import type {SettingsByAdapter} from '../agents/environment.ts';
import type {Colony} from '../colony/colony.ts';
import type {Writers} from '../colony/configuration/writers.ts';
import type {Prices} from '../colony/parse/machine.ts';
import type {Outcome} from '../domain/errors.ts';
import type {Redactor} from '../domain/redact.ts';
import type {Bus, RedactedBus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Containment} from '../ports/containment.ts';
import type {Failpoint} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import type {Git} from '../ports/git.ts';
import type {Processes} from '../ports/processes.ts';
import type {Spool} from '../ports/spool.ts';
import type {EmitSpooled} from '../runs/spool.ts';
import type {PortBlocks} from '../workspaces/worktree/port-blocks.ts';

/** The dependencies for carrying out runs. */
export type DispatchPorts = {
	readonly bus: RedactedBus;
	/** Id of this checkout. */
	readonly checkout: string;
	readonly colony: () => Colony;
	readonly git: Git;
	readonly files: Files;
	readonly clock: Clock;
	readonly processes: Processes;
	readonly spool: Spool;
	readonly emitSpooled: EmitSpooled;
	/** The port blocks of this machine. */
	readonly portBlocks: Pick<PortBlocks, 'claim'>;
	/** Brings a shared base up to its upstream before a new trace begins on it. */
	readonly startFromUpstream: (traceId: string) => Promise<Outcome<void>>;
	readonly failpoint: Failpoint;
	readonly containment: Containment;
	/**
	 * Notified of runs in the root, whose changes to the configuration wait for a person (docs/architecture.md
	 * §7).
	 */
	readonly writers?: Writers;
	/** The environment on which that of agents is based. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Folder of this hive's executable; it comes first on the agents' PATH. */
	readonly binDir: string;
	/** The colony's machine-local folder. */
	readonly machineDir: string;
	/**
	 * Argv of the program that holds a session's terminal, to be followed by the run directory and the agent's
	 * argv.
	 */
	readonly holder: readonly string[];
	/** Argv of the program that records a workspace as a git tree after a run. Its input is a `TreeJob`. */
	readonly treeTaker: readonly string[];
	/** Returns the current contents of the adapters' files in hive's home. */
	readonly settings: () => SettingsByAdapter;
	/** Returns the prices of models that are configured on this machine. */
	readonly prices: () => Prices;
	readonly report: (message: string, error?: unknown) => void;
};

/** The input for creating a dispatcher. The dispatcher redacts its own output with `redact`. */
export type GivenPorts = Omit<DispatchPorts, 'bus'> & {readonly bus: Bus; readonly redact: Redactor};
