import {constants} from 'node:os';
import type {AgentOutput} from '../agents/summarize-output.ts';
import {type Bee, isSummarized} from '../colony/colony.ts';
import type {HiveEvent} from '../domain/event.ts';
import type {RunRecord, RunStatus} from '../domain/run.ts';
import type {RunState} from '../ports/processes.ts';

/** The stop reason that makes a run failed instead of cancelled. */
export const timedOut = 'timed out';

/**
 * How a run ended before its bee's rules are applied. `error`: the reason as text, if it did not end well.
 */
export type Ending = {readonly status: RunStatus; readonly exitCode: number; readonly error?: string};

/**
 * Derives the ending from the recorded end, hive's reason for stopping it, and the adapter's output
 * (docs/architecture.md §4).
 */
export const endingOf = (
	run: Pick<RunRecord, 'interactive'>,
	state: RunState,
	stopReason: string,
	output: AgentOutput,
): Ending => {
	const exitCode = state.state === 'ended' ? state.exitCode : -1;
	if (stopReason === timedOut) return {status: 'failed', exitCode, error: timedOut};
	if (stopReason !== '') return {status: 'cancelled', exitCode, error: stopReason};
	if (state.state !== 'ended') {
		const found =
			state.state === 'unbegun'
				? 'its directory was removed'
				: 'its supervisor ended without recording an exit';
		return {status: 'failed', exitCode, error: `the run vanished: ${found}`};
	}
	if (run.interactive && state.signal !== undefined)
		return {
			status: 'failed',
			exitCode,
			error: `the program that held its terminal was ended by ${state.signal}`,
		};
	if (state.signal !== undefined)
		return {status: 'failed', exitCode, error: killedBy(state.signal, output.error)};
	if (exitCode === 127) return {status: 'failed', exitCode, error: 'a command was not found (exit code 127)'};
	if (exitCode !== 0) return {status: 'failed', exitCode, error: output.error ?? `exit code ${exitCode}`};
	return output.error === undefined
		? {status: 'completed', exitCode}
		: {status: 'failed', exitCode, error: output.error};
};

const killedBy = (signal: string, reported: string | undefined): string => {
	const number = constants.signals[signal as NodeJS.Signals];
	const words = `killed by signal ${number} (${signal})`;
	return reported === undefined ? words : `${reported}; ${words}`;
};

/** The type and kind of an emitted event, which is all that a contract checks. */
export type EmittedEvent = Pick<HiveEvent, 'type'> & {readonly kind: string};

export const summaryEvent: EmittedEvent = {type: 'INSIGHT', kind: 'run.summary'};

/**
 * The reason why the events of a run do not fulfil its bee's `run_summary` or `completion_contract`, or
 * `undefined` if they do.
 */
export const contractProblem = (
	{completionContract, runSummary}: Bee,
	emitted: readonly EmittedEvent[],
): string | undefined => {
	if (runSummary === 'required' && !emitted.some(({kind}) => kind === summaryEvent.kind))
		return 'no run.summary was given, and the bee requires one';
	for (const {type, kindOneOf, count} of completionContract) {
		const found = emitted.filter(event => event.type === type && kindOneOf.includes(event.kind)).length;
		if (found !== count)
			return `the completion contract wants ${count} of ${kindOneOf.join(' or ')}, and ${found} came`;
	}
	return undefined;
};

/** True if the run emitted no summary and there is text to make one from. */
export const lacksSummary = (bee: Bee, emitted: readonly EmittedEvent[], summary: string): boolean =>
	summary !== '' && isSummarized(bee) && !emitted.some(({kind}) => kind === summaryEvent.kind);
