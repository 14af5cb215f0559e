import type {ActionContext} from '../../actions/context.ts';
import {errorTable} from '../../domain/error-table.ts';
import {type Outcome, refuse} from '../../domain/errors.ts';
import {
	checkoutInRefusal,
	formatMachine,
	heartbeatIntervalMs,
	heartbeatTimeoutMs,
	type KnownMachine,
} from '../../domain/machine-status.ts';
import type {Trace} from '../../domain/trace.ts';
import {readKnownMachines} from '../../ledger/heartbeats.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import {formatDuration} from '../views/format-duration.ts';

/** Reads which checkouts of the colony are alive, once. Empty if the log is not shared. */
export const readMachines = async (bus: Bus, clock: Clock): Promise<readonly KnownMachine[]> =>
	bus.isShared ? readKnownMachines({bus, clock}) : [];

/**
 * True if one of these reactors is alive, and works on the trace or would take it. Pass other checkouts only.
 */
export const isAttendedElsewhere = (
	{traceId, place}: Pick<Trace, 'traceId' | 'place'>,
	machines: readonly KnownMachine[],
): boolean =>
	machines.some(
		({isAlive, checkout, only}) =>
			isAlive && (place === undefined || place === checkout) && (only === undefined || only === traceId),
	);

/**
 * Names the other checkout of an `elsewhere` refusal by host and path. Adds for how long its reactor has been
 * silent, unless that reactor is surely alive.
 *
 * @param isUnanswered true if its reactor was asked just now, and did not answer
 */
export const nameElsewhere = async <Value>(
	{machines}: Pick<ActionContext, 'machines'>,
	outcome: Outcome<Value>,
	isUnanswered = false,
): Promise<Outcome<Value>> => {
	const id = outcome.ok ? undefined : checkoutInRefusal(outcome.refusal);
	if (outcome.ok || id === undefined) return outcome;
	const {message, hint, details} = outcome.refusal;
	const machine = (await machines()).find(({checkout}) => checkout === id);
	if (machine === undefined) return outcome;
	return refuse('elsewhere', {
		message: message.replaceAll(machine.checkout, formatMachine(machine)),
		hint: hintFor(machine, hint, isUnanswered),
		details,
	});
};

const hintFor = (machine: KnownMachine, hint: string, isUnanswered: boolean): string => {
	const {isAlive, hasLeft, silentMs} = machine;
	const duration = formatDuration(silentMs);
	if (hasLeft) return `${hint} Its reactor ended ${duration} ago.`;
	const silence = `Its reactor has been silent for ${duration}.`;
	if (!isAlive) return `${hint} ${silence}`;
	if (!isUnanswered && silentMs <= 2 * heartbeatIntervalMs)
		return hint.replace(errorTable.elsewhere.hint, 'Run the command there.');
	return `${silence} Once that is ${heartbeatTimeoutMs / 1000} s it counts as gone, and "hive trace take" moves the trace here.`;
};
