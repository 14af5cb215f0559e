import {formatMachine, heartbeatIntervalMs, type KnownMachine} from '../domain/machine-status.ts';
import {formatDuration} from '../host/views/format-duration.ts';

/** Describes another checkout of the colony: `box:/home/ada/shop: reactor alive`. */
export const describeMachine = (machine: KnownMachine): string =>
	`${formatMachine(machine)}: ${stateOf(machine)}`;

const stateOf = ({isAlive, hasLeft, silentMs}: KnownMachine): string => {
	const duration = formatDuration(silentMs);
	if (hasLeft) return `no reactor, ended ${duration} ago`;
	if (!isAlive) return `no reactor, silent for ${duration}`;
	return silentMs > 2 * heartbeatIntervalMs ? `reactor alive, but silent for ${duration}` : 'reactor alive';
};
