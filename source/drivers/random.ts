import {randomUUID} from 'node:crypto';

/** That many lowercase hex digits that nobody can guess; drawn from what the system gave for many at once. */
export const randomHex = (digits: number): string => {
	let drawn = '';
	// The last digits of a UUID are all random, which those before are not.
	while (drawn.length < digits) drawn += randomUUID().slice(-12);
	return drawn.slice(0, digits);
};
