import {HiveError} from '../domain/errors.ts';
import {formatMachine} from '../domain/machine-status.ts';
import {readMachines} from '../host/machines/machines.ts';
import type {Bus} from '../ports/bus.ts';
import {clock} from './drivers.ts';

/** Throws `log_in_use` with the names of other checkouts whose reactors are alive. */
export const expectNoReactor = async (bus: Bus, checkout: string): Promise<void> => {
	const alive = (await readMachines(bus, clock)).filter(
		({isAlive, checkout: other}) => isAlive && other !== checkout,
	);
	if (alive.length === 0) return;
	throw new HiveError('log_in_use', {
		message: `A reactor is alive elsewhere: ${alive.map(formatMachine).join(', ')}; nothing was changed.`,
	});
};
