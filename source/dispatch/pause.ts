import type {Limit} from '../agents/limits.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Collection} from './collection.ts';
import type {Ending} from './outcome.ts';

/**
 * Where the tool does not say when, or said it wrong before: after the first limit, the second in a row and
 * so on, in milliseconds.
 */
const usualPauses = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];
/** Behind the time that the tool names: clocks differ, and a moment too early is another limit. */
const margin = 60_000;

/**
 * Until when what the run was to do waits, as `run.finished` says it; nothing of a run that did not fail for
 * a limit that passes, or where `defaults.on_limit` is `fail`. A person who talks with the tool sees its
 * limit.
 */
export const pauseOf = (
	{ports, trace, run, finishedAt}: Pick<Collection, 'ports' | 'trace' | 'run' | 'finishedAt'>,
	{status}: Ending,
	limit: Limit | undefined,
): {readonly pausedUntil: string} | undefined => {
	const {onLimit} = ports.colony().defaults;
	if (limit === undefined || status !== 'failed' || run.interactive || onLimit === 'fail') return undefined;
	const before = pausesBefore(trace, run);
	const usual = Date.parse(finishedAt) + (usualPauses[Math.min(before, usualPauses.length - 1)] ?? 0);
	const told = limit.until === undefined ? undefined : Date.parse(limit.until) + margin;
	const until = before > 0 || told === undefined ? Math.max(usual, told ?? 0) : told;
	return {pausedUntil: new Date(until).toISOString()};
};

/** How many runs in a row, before this one, met a limit over the same task or event. */
const pausesBefore = ({runs}: Trace, {agentId, bee, taskId, trigger}: RunRecord): number => {
	const same = [...runs.values()].filter(
		run => run.agentId !== agentId && run.bee === bee && run.taskId === taskId && run.trigger === trigger,
	);
	const last = same.findLastIndex(({pausedUntil}) => pausedUntil === undefined);
	return same.length - 1 - last;
};
