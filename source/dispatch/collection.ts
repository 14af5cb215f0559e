import type {Bee} from '../colony/colony.ts';
import {formatRefusal, HiveError} from '../domain/errors.ts';
import {isExhausted} from '../domain/exhausted.ts';
import type {Outside} from '../domain/outside.ts';
import type {ReserveLimit} from '../domain/reserve-limit.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {isFencedOff} from '../ledger/fencing.ts';
import type {RunState} from '../ports/processes.ts';
import type {readMeta} from '../runs/records.ts';
import type {RedactingPorts} from './redacting.ts';

/** Maximum length of summaries in events, in characters; longer ones are cut. */
export const maxLoggedSummaryLength = 4000;

/** The data of one run while it is collected. */
export type Collection = {
	readonly ports: RedactingPorts;
	readonly trace: Trace;
	readonly run: RunRecord;
	readonly bee: Bee;
	readonly meta: NonNullable<Awaited<ReturnType<typeof readMeta>>>;
	readonly directory: string;
	readonly state: RunState;
	readonly finishedAt: string;
	/** Differences outside its workspace. */
	readonly outside: Outside | undefined;
	/** Set if it was stopped because its trace has spent this limit. */
	readonly limit: ReserveLimit | undefined;
	/** Warnings for people; more are added meanwhile. */
	readonly warnings: string[];
};

/**
 * True if the machine temporarily lacks files or processes: the reactor retries the step, and the task waits
 * meanwhile.
 */
export const isLacking = (error: HiveError): boolean =>
	error.refusal.code === 'internal' && isExhausted(error);

/** Makes a fault of the work a warning, so that the run is not kept open forever. */
export const tolerating =
	(warnings: string[]) =>
	async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
		try {
			return await work;
		} catch (error) {
			if (!(error instanceof HiveError) || isFencedOff(error) || isLacking(error)) throw error;
			warnings.push(formatRefusal(error.refusal));
			return undefined;
		}
	};
