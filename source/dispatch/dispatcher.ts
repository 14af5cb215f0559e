import type {SettingsByAdapter} from '../agents/environment.ts';
import type {Colony} from '../colony/colony.ts';
import type {Writers} from '../colony/configuration/writers.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Bus, RedactedBus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Reach} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import type {Git} from '../ports/git.ts';
import type {Processes} from '../ports/processes.ts';
import {beginRun} from './begin.ts';
import {collectRun} from './collect.ts';
import {redacting} from './redacting.ts';
import {stopRun} from './stop.ts';

/**
 * How one agent run is carried out. Each step may be repeated by anyone, after a crash at any instant, and answers with the
 * sequence of its last append (0: none).
 */
export type Dispatcher = {
	/** From the claim to the supervisor's start. What keeps the run from beginning closes it as failed. */
	readonly begin: (trace: Trace, run: RunRecord) => Promise<number>;
	/** Stops it and notes why. */
	readonly stop: (trace: Trace, run: RunRecord, reason: string) => Promise<number>;
	/** Says what the ended run did, `run.finished` last. */
	readonly collect: (trace: Trace, run: RunRecord) => Promise<number>;
};

export type DispatchPorts = {
	readonly bus: RedactedBus;
	readonly colony: () => Colony;
	readonly git: Git;
	readonly files: Files;
	readonly clock: Clock;
	readonly processes: Processes;
	readonly reach: Reach;
	/** Notified of runs in the root, whose changes of the configuration wait for a person (docs/architecture.md §7). */
	readonly writers?: Writers;
	/** The environment that agents start from. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Folder of this hive's executable, put first on the agents' PATH. */
	readonly binDir: string;
	/** Home files of the adapters, as they are now. */
	readonly settings: () => SettingsByAdapter;
	readonly report: (message: string, error?: unknown) => void;
};

/** What a dispatcher is made of: it redacts by itself. */
export type GivenPorts = Omit<DispatchPorts, 'bus'> & {readonly bus: Bus};

export const createDispatcher = (given: GivenPorts): Dispatcher => {
	const ports = redacting(given);
	return {
		begin: (trace, run) => beginRun(ports, trace, run),
		stop: (trace, run, reason) => stopRun(ports, trace, run, reason),
		collect: (trace, run) => collectRun(ports, trace, run),
	};
};
