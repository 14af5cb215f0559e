import type {Limit} from '../agents/limits.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Collection} from './collection.ts';
import type {Ending} from './outcome.ts';

/**
 * Backoff in milliseconds after the first, second, … limit in a row. It is used if the tool reports no time,
 * or if its reported time was wrong before.
 */
const backoffsMs = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];
/** Added to the time that the tool reports: clocks differ, and a moment too early means another limit. */
const marginMs = 60_000;

/**
 * Returns until when the run's work is deferred, for `run.finished`. Returns `undefined` if the run did not
 * fail because of a temporary limit, or if `defaults.on_limit` is `fail`. So it does for a session, where the
 * person sees the limit in the tool.
 */
export const pauseOf = (
	{ports, trace, run, finishedAt}: Pick<Collection, 'ports' | 'trace' | 'run' | 'finishedAt'>,
	{status}: Ending,
	limit: Limit | undefined,
): {readonly pausedUntil: string} | undefined => {
	const {onLimit} = ports.colony().defaults;
	if (limit === undefined || status !== 'failed' || run.interactive || onLimit === 'fail') return undefined;
	const before = pausesBefore(trace, run);
	const backoffUntil = Date.parse(finishedAt) + (backoffsMs[Math.min(before, backoffsMs.length - 1)] ?? 0);
	const reportedUntil = limit.until === undefined ? undefined : Date.parse(limit.until) + marginMs;
	const until =
		before > 0 || reportedUntil === undefined ? Math.max(backoffUntil, reportedUntil ?? 0) : reportedUntil;
	return {pausedUntil: new Date(until).toISOString()};
};

/** The number of runs in a row before this one that met a limit on the same task or event. */
const pausesBefore = ({runs}: Trace, {agentId, bee, taskId, trigger}: RunRecord): number => {
	const same = [...runs.values()].filter(
		run => run.agentId !== agentId && run.bee === bee && run.taskId === taskId && run.trigger === trigger,
	);
	const last = same.findLastIndex(({pausedUntil}) => pausedUntil === undefined);
	return same.length - 1 - last;
};
