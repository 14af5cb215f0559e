import type {ActionContext} from '../../actions/context.ts';
import {errorTable} from '../../domain/error-table.ts';
import {type Outcome, refuse} from '../../domain/errors.ts';
import {
	checkoutInRefusal,
	formatMachine,
	heartbeatTimeoutMs,
	type KnownMachine,
} from '../../domain/machine-status.ts';
import type {Trace} from '../../domain/trace.ts';
import {readHeartbeats} from '../../ledger/heartbeats.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';

/**
 * Reads the last heartbeat of each checkout of the colony, once. Its age is measured by the clock of this
 * machine, which may differ from theirs. Empty if the log is not shared.
 */
export const readMachines = async (bus: Bus, clock: Clock): Promise<readonly KnownMachine[]> => {
	if (!bus.isShared) return [];
	return (await readHeartbeats(bus)).map(beat => {
		const silence = Math.abs(clock.now() - Date.parse(beat.heardAt));
		return {...beat, isAlive: !beat.hasLeft && silence < heartbeatTimeoutMs};
	});
};

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
 * Names the other checkout of an `elsewhere` refusal by host and path. Adds when its reactor was last heard
 * of, unless that reactor is alive.
 */
export const nameElsewhere = async <Value>(
	{machines}: Pick<ActionContext, 'machines'>,
	outcome: Outcome<Value>,
): Promise<Outcome<Value>> => {
	const id = outcome.ok ? undefined : checkoutInRefusal(outcome.refusal);
	if (outcome.ok || id === undefined) return outcome;
	const {message, hint, details} = outcome.refusal;
	const machine = (await machines()).find(({checkout}) => checkout === id);
	if (machine === undefined) return outcome;
	return refuse('elsewhere', {
		message: message.replaceAll(machine.checkout, formatMachine(machine)),
		hint: machine.isAlive
			? hint.replace(errorTable.elsewhere.hint, 'Run the command there.')
			: `${hint} Its reactor was last heard of at ${machine.heardAt}.`,
		details,
	});
};
