import type {SeenPlace} from '../../domain/place.ts';

/** Another place of the colony, dead or alive; `heardAt` is there when it is dead. */
export type PlaceView = Pick<
	SeenPlace,
	'checkout' | 'host' | 'root' | 'isAlive' | 'free' | 'total' | 'hasLeft'
> & {readonly heardAt?: string};

/** The other places of a colony for a face that stays. */
export const placeViews = (places: readonly SeenPlace[], checkout: string): readonly PlaceView[] =>
	places
		.filter(place => place.checkout !== checkout)
		.map(({checkout: id, host, root, isAlive, free, total, hasLeft, heardAt}) => ({
			...{checkout: id, host, root, isAlive, free, total, hasLeft},
			...(!isAlive && {heardAt}),
		}));
