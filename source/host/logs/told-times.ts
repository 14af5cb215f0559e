import type {LogTimes} from '../../runs/log-times.ts';
import {lineParts} from '../../runs/read-log.ts';

/**
 * For how many lines of a piece of a log, one behind the other, each time holds; null where none is known.
 */
export type LineTimes = readonly (readonly [lines: number, at: string | null])[];

/**
 * The times to tell another place of the colony. By lines: secrets are taken out of what it is given, so it
 * counts other bytes.
 *
 * @param from where in the log the piece begins, in bytes
 */
export const timesToTell = async (piece: Uint8Array, from: number, times: LogTimes): Promise<LineTimes> => {
	const told: [number, string | null][] = [];
	let end = from;
	for (const {length} of lineParts(piece)) {
		end += length;
		const at = (await times(end)) ?? null;
		const last = told.at(-1);
		if (last?.[1] === at) last[0]++;
		else told.push([1, at]);
	}
	return told;
};

/** The times of a log that is told piece by piece, by its bytes as they came here. */
export const createToldTimes = () => {
	let known: {readonly end: number; readonly at: string | null}[] = [];
	let position = 0;
	return {
		take: (piece: Uint8Array, told: LineTimes): void => {
			const parts = lineParts(piece);
			let line = 0;
			let end = position;
			for (const [lines, at] of told) {
				const part = parts.slice(line, line + lines);
				line += part.length;
				end += part.reduce((sum, {length}) => sum + length, 0);
				known.push({end, at});
			}
			position += piece.length;
		},
		at: async (end: number): Promise<string | undefined> => {
			const next = known.findIndex(one => one.end >= end);
			known = next < 0 ? [] : known.slice(next);
			return known[0]?.at ?? undefined;
		},
	};
};
