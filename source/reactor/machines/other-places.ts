import {foldVersionOf, type NewerHive, newerHive, type Place, type SeenPlace} from '../../domain/place.ts';
import {foldVersion} from '../../ledger/checkpoint.ts';
import type {ReactorPorts} from '../ports.ts';
import type {Candidate} from './share-out.ts';

/** The number of runs that could start now, and the maximum of open runs. */
export type Slots = Pick<Place, 'free' | 'total'>;

/** The other places of the colony, as last announced. */
export type OtherPlaces = {
	/** True if another place with that id has a live reactor. */
	readonly isAlive: (checkout: string | undefined) => boolean;
	/** A newer version of hive at another place. */
	readonly newer: () => NewerHive | undefined;
	/** The places that may get a new trace, including this one; none if no other is alive. */
	readonly candidates: () => readonly Candidate[];
};

type Here = Pick<ReactorPorts, 'others' | 'checkout' | 'only'> & {
	/** The slots of this place. */
	readonly slots: () => Slots;
};

export const createOtherPlaces = ({others, checkout, only, slots}: Here): OtherPlaces => {
	const alive = (): readonly SeenPlace[] =>
		others?.().filter(place => place.isAlive && place.checkout !== checkout) ?? [];
	return {
		isAlive: place => place !== undefined && alive().some(other => other.checkout === place),
		newer: () => newerHive(others?.() ?? [], {checkout, foldVersion}),
		candidates: () => {
			const beside = alive();
			if (beside.length === 0) return [];
			const all = [...beside, {checkout, foldVersion, only, ...slots()}];
			// A place with an older hive takes no trace.
			const newest = Math.max(...all.map(foldVersionOf));
			return all.filter(place => foldVersionOf(place) === newest);
		},
	};
};
