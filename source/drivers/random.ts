import {randomUUID} from 'node:crypto';

/**
 * Returns that many unguessable lowercase hex digits. They come from a block of random bytes that was drawn
 * from the system in advance.
 */
export const randomHex = (digits: number): string => {
	let drawn = '';
	// The last twelve digits of a UUID are all random; the earlier ones are not.
	while (drawn.length < digits) drawn += randomUUID().slice(-12);
	return drawn.slice(0, digits);
};
