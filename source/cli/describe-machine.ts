import {formatMachine, type KnownMachine} from '../domain/machine-status.ts';

/** Describes another checkout of the colony: `box:/home/ada/shop: reactor alive`. */
export const describeMachine = (machine: KnownMachine): string => {
	const {isAlive, hasLeft, heardAt} = machine;
	const state = isAlive ? 'reactor alive' : `no reactor, ${hasLeft ? 'left' : 'last heard of'} at ${heardAt}`;
	return `${formatMachine(machine)}: ${state}`;
};
