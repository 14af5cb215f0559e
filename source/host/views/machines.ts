import type {KnownMachine} from '../../domain/machine-status.ts';

/** Another checkout of the colony, dead or alive. `heardAt` is set if it is dead. */
export type MachineView = Pick<
	KnownMachine,
	'checkout' | 'host' | 'root' | 'isAlive' | 'free' | 'total' | 'hasLeft'
> & {readonly heardAt?: string};

/** Returns the other checkouts of a colony, for a long-lived face. */
export const machineViews = (machines: readonly KnownMachine[], checkout: string): readonly MachineView[] =>
	machines
		.filter(machine => machine.checkout !== checkout)
		.map(({checkout: id, host, root, isAlive, free, total, hasLeft, heardAt}) => ({
			...{checkout: id, host, root, isAlive, free, total, hasLeft},
			...(!isAlive && {heardAt}),
		}));
