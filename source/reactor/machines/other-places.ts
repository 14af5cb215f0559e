import {foldVersionOf, type NewerHive, newerHive, type Place, type SeenPlace} from '../../domain/place.ts';
import {foldVersion} from '../../ledger/checkpoint.ts';
import type {ReactorPorts} from '../ports.ts';
import type {Candidate} from './share-out.ts';

/** Runs that could be started now, and how many may be open at a time. */
export type Slots = Pick<Place, 'free' | 'total'>;

/** The other places of the colony, as they were heard of last. */
export type OtherPlaces = {
	/** True where another place of that id has a live reactor. */
	readonly isAlive: (checkout: string | undefined) => boolean;
	/** A hive of another place that is newer than this one. */
	readonly newer: () => NewerHive | undefined;
	/** The places that a new trace may be left to, this one among them; none where no other is alive. */
	readonly candidates: () => readonly Candidate[];
};

type Here = Pick<ReactorPorts, 'others' | 'checkout' | 'only'> & {
	/** Of this place. */
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
			// An older hive takes nothing.
			const newest = Math.max(...all.map(foldVersionOf));
			return all.filter(place => foldVersionOf(place) === newest);
		},
	};
};
