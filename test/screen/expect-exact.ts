import {expect} from 'vitest';
import type {Size} from '../../source/screen/paint.ts';
import {attachAt} from './attach.ts';

/**
 * Attaches after each of these numbers of bytes, and expects to see and to go on as the program's own screen
 * does.
 */
export const expectExact = (recording: Uint8Array, size: Size, cuts: Iterable<number>): void => {
	for (const {when, shown, expected} of attachAt(recording, size, cuts))
		expect(shown, when).toEqual(expected);
};
