import {HiveError} from '../domain/errors.ts';
import {placeName} from '../domain/place.ts';
import {readPlaces} from '../host/machines/places.ts';
import type {Bus} from '../ports/bus.ts';
import {clock} from './drivers.ts';

/** Throws `log_in_use` with the names of other checkouts whose reactors are alive. */
export const expectNoReactor = async (bus: Bus, checkout: string): Promise<void> => {
	const alive = (await readPlaces(bus, clock)).filter(
		({isAlive, checkout: other}) => isAlive && other !== checkout,
	);
	if (alive.length === 0) return;
	throw new HiveError('log_in_use', {
		message: `A reactor is alive elsewhere: ${alive.map(placeName).join(', ')}; nothing was changed.`,
	});
};
