import type {LogTimes} from '../../runs/log-times.ts';
import {lineParts} from '../../runs/read-log.ts';

/**
 * Timestamps for consecutive lines of a piece of a log. Each holds for a number of lines; null if not known.
 */
export type LineTimes = readonly (readonly [lines: number, at: string | null])[];

/**
 * Returns the timestamps to send to another checkout of the colony. They are per line, since redaction
 * changes byte offsets.
 *
 * @param from offset of the piece in the log, in bytes
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

/** Timestamps of a log that is received piece by piece, by offsets of the received bytes. */
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
