import {isAwaited} from '../domain/question.ts';
import {isPaused} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import type {Clock} from '../ports/clock.ts';
import type {Machine} from './machine.ts';
import {expiryOf} from './waited-time.ts';

/** Requests turns for traces in which time alone may make something due, without a new event. */
export type Alarms = {
	/** Sets the alarm from the trace and its facts as they are now. Replaces the earlier alarm of the trace. */
	readonly set: (trace: Trace, facts: Pick<Machine, 'now' | 'pending' | 'missingPrograms'>) => void;
};

/** Timers do not run while a machine sleeps. With this maximum nothing is later than that after it wakes. */
const maxDelayMs = 60_000;
/** Installing a program emits no event, so poll at this interval. */
const programPollMs = 5000;

export const createAlarms = ({
	clock,
	request,
	signal,
}: {
	readonly clock: Clock;
	readonly request: (traceId: string) => void;
	readonly signal: AbortSignal;
}): Alarms => {
	const alarms = new Map<string, () => void>();
	signal.addEventListener('abort', () => {
		for (const cancel of alarms.values()) cancel();
	});
	return {
		set: (trace, facts) => {
			const {traceId} = trace;
			alarms.get(traceId)?.();
			alarms.delete(traceId);
			const wait = nextDelayMs(trace, facts);
			if (wait === undefined || signal.aborted) return;
			const onAlarm = (): void => {
				alarms.delete(traceId);
				request(traceId);
			};
			alarms.set(traceId, clock.after(wait, onAlarm));
		},
	};
};

/**
 * Milliseconds until time alone may make something due: a limit or the wait for an answer passes, or a
 * program that a run waits for may be installed.
 */
const nextDelayMs = (
	trace: Trace,
	{now, pending, missingPrograms}: Parameters<Alarms['set']>[1],
): number | undefined => {
	if (trace.killed) return undefined;
	const expiries = openRuns(trace)
		.flatMap(({questions = []}) => questions.filter(isAwaited))
		.flatMap(question => expiryOf(question) ?? [])
		.map(expiry => Math.max(1, expiry - Date.parse(now)));
	const times = [
		...[...trace.tasks.having(blocked)].filter(isPaused).map(({pausedUntil}) => pausedUntil),
		...pending.map(({until}) => until),
	].filter(time => time !== undefined);
	const waits = times.map(time => Date.parse(time) - Date.parse(now)).filter(wait => wait > 0);
	waits.push(...expiries);
	if (pending.some(({bee}) => missingPrograms.has(bee))) waits.push(programPollMs);
	return waits.length === 0 ? undefined : Math.min(maxDelayMs, ...waits);
};

const blocked = taskMarks(['blocked']);
