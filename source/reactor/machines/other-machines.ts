import {
	foldVersionOf,
	type KnownMachine,
	type MachineStatus,
	type NewerHive,
	newerHive,
} from '../../domain/machine-status.ts';
import {foldVersion} from '../../ledger/checkpoint.ts';
import type {ReactorPorts} from '../ports.ts';
import type {Candidate} from './placement.ts';

/** The number of runs that could start now, and the maximum of open runs. */
export type Slots = Pick<MachineStatus, 'free' | 'total'>;

/** The other places of the colony, as last announced. */
export type OtherMachines = {
	/** True if another place with that id has a live reactor. */
	readonly isAlive: (checkout: string | undefined) => boolean;
	/** A newer version of hive at another place. */
	readonly newer: () => NewerHive | undefined;
	/** The places that may get a new trace, including this one; none if no other is alive. */
	readonly candidates: () => readonly Candidate[];
};

type LocalMachine = Pick<ReactorPorts, 'others' | 'checkout' | 'only'> & {
	/** The slots of this place. */
	readonly slots: () => Slots;
};

export const createOtherMachines = ({others, checkout, only, slots}: LocalMachine): OtherMachines => {
	const aliveMachines = (): readonly KnownMachine[] =>
		others?.().filter(place => place.isAlive && place.checkout !== checkout) ?? [];
	return {
		isAlive: place => place !== undefined && aliveMachines().some(other => other.checkout === place),
		newer: () => newerHive(others?.() ?? [], {checkout, foldVersion}),
		candidates: () => {
			const aliveOthers = aliveMachines();
			if (aliveOthers.length === 0) return [];
			const all = [...aliveOthers, {checkout, foldVersion, only, ...slots()}];
			// A place with an older hive takes no trace.
			const newest = Math.max(...all.map(foldVersionOf));
			return all.filter(place => foldVersionOf(place) === newest);
		},
	};
};
