import type {SettingsByAdapter} from '../agents/environment.ts';
import type {Colony} from '../colony/colony.ts';
import type {Writers} from '../colony/configuration/writers.ts';
import type {Prices} from '../colony/parse/machine.ts';
import type {Redactor} from '../domain/redact.ts';
import type {Bus, RedactedBus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Reach} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import type {Git} from '../ports/git.ts';
import type {Processes} from '../ports/processes.ts';
import type {Spool} from '../ports/spool.ts';
import type {EmitSpooled} from '../runs/spool.ts';
import type {PortBlocks} from '../workspaces/worktree/port-blocks.ts';

/** What carrying out a run works with. */
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
	/** Of this machine. */
	readonly portBlocks: Pick<PortBlocks, 'claim'>;
	readonly reach: Reach;
	/**
	 * Notified of runs in the root, whose changes of the configuration wait for a person (docs/architecture.md
	 * §7).
	 */
	readonly writers?: Writers;
	/** The environment that agents start from. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Folder of this hive's executable, put first on the agents' PATH. */
	readonly binDir: string;
	/** This machine's folder of the colony. */
	readonly machineDir: string;
	/**
	 * Argv of the program that holds a session's terminal; the run directory and the argv of the agent follow.
	 */
	readonly holder: readonly string[];
	/** Argv of the program that takes the tree of a workspace after a run. Its input is a `TreeJob`. */
	readonly treeTaker: readonly string[];
	/** Home files of the adapters, as they are now. */
	readonly settings: () => SettingsByAdapter;
	/** What models cost, where this machine says so. */
	readonly prices: () => Prices;
	readonly report: (message: string, error?: unknown) => void;
};

/** What a dispatcher is made of: it redacts by itself, with what takes known secrets out of a text. */
export type GivenPorts = Omit<DispatchPorts, 'bus'> & {readonly bus: Bus; readonly redact: Redactor};
