import type {SeenPlace} from '../../domain/place.ts';

/** Another checkout of the colony, dead or alive. `heardAt` is set if it is dead. */
export type PlaceView = Pick<
	SeenPlace,
	'checkout' | 'host' | 'root' | 'isAlive' | 'free' | 'total' | 'hasLeft'
> & {readonly heardAt?: string};

/** Returns the other checkouts of a colony, for a long-lived face. */
export const placeViews = (places: readonly SeenPlace[], checkout: string): readonly PlaceView[] =>
	places
		.filter(place => place.checkout !== checkout)
		.map(({checkout: id, host, root, isAlive, free, total, hasLeft, heardAt}) => ({
			...{checkout: id, host, root, isAlive, free, total, hasLeft},
			...(!isAlive && {heardAt}),
		}));
