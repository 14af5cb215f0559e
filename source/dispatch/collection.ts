import type {Bee} from '../colony/colony.ts';
import {HiveError, wordsOf} from '../domain/errors.ts';
import {isExhausted} from '../domain/exhausted.ts';
import type {Outside} from '../domain/outside.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {isUnsayable} from '../ledger/fencing.ts';
import type {RunState} from '../ports/processes.ts';
import type {readMeta} from '../runs/records.ts';
import type {RedactingPorts} from './redacting.ts';

/** Longer summaries are cut in events, in characters. */
export const longestSummary = 4000;

/** One run that is being collected. */
export type Collection = {
	readonly ports: RedactingPorts;
	readonly trace: Trace;
	readonly run: RunRecord;
	readonly bee: Bee;
	readonly meta: NonNullable<Awaited<ReturnType<typeof readMeta>>>;
	readonly directory: string;
	readonly state: RunState;
	readonly finishedAt: string;
	/** What is other outside of its workspace. */
	readonly outside: Outside | undefined;
	/** Notes for people; it grows. */
	readonly warnings: string[];
};

/**
 * The machine lacks files or processes for now: the reactor tries the step again, and the task waits
 * meanwhile.
 */
export const isLacking = (error: HiveError): boolean =>
	error.refusal.code === 'internal' && isExhausted(error);

/** Work that may fail without the run being kept open for ever: the fault becomes a warning. */
export const tolerating =
	(warnings: string[]) =>
	async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
		try {
			return await work;
		} catch (error) {
			if (!(error instanceof HiveError) || isUnsayable(error) || isLacking(error)) throw error;
			warnings.push(wordsOf(error.refusal));
			return undefined;
		}
	};
