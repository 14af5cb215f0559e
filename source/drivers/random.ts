import {randomBytes} from 'node:crypto';

/** That many lowercase hex digits that nobody can guess. */
export const randomHex = (digits: number): string =>
	randomBytes(Math.ceil(digits / 2))
		.toString('hex')
		.slice(0, digits);
