import {expect} from 'vitest';
import type {Size} from '../../source/screen/paint.ts';
import {attachAt} from './attach.ts';

/** Attaches after each of these byte counts, and expects the same state as the program's own screen. */
export const expectExact = (recording: Uint8Array, size: Size, cuts: Iterable<number>): void => {
	for (const {when, shown, expected} of attachAt(recording, size, cuts))
		expect(shown, when).toEqual(expected);
};
