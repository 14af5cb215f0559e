import {placeName, type SeenPlace} from '../domain/place.ts';

/** Describes another checkout of the colony: `box:/home/ada/shop: reactor alive`. */
export const placeWords = (place: SeenPlace): string => {
	const {isAlive, hasLeft, heardAt} = place;
	const words = isAlive ? 'reactor alive' : `no reactor, ${hasLeft ? 'left' : 'last heard of'} at ${heardAt}`;
	return `${placeName(place)}: ${words}`;
};
