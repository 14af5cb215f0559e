import type {LogTimes} from '../../runs/log-times.ts';
import {lineParts} from '../../runs/read-log.ts';

/**
 * Timestamps for consecutive lines of a piece of a log. Each holds for a number of lines; null if not known.
 */
export type LineTimestamps = readonly (readonly [lines: number, at: string | null])[];

/**
 * Returns the timestamps to send to another checkout of the colony. They are per line, since redaction
 * changes byte offsets.
 *
 * @param from offset of the piece in the log, in bytes
 */
export const readLineTimestamps = async (
	piece: Uint8Array,
	from: number,
	times: LogTimes,
): Promise<LineTimestamps> => {
	const timestamps: [number, string | null][] = [];
	let end = from;
	for (const {length} of lineParts(piece)) {
		end += length;
		const at = (await times(end)) ?? null;
		const last = timestamps.at(-1);
		if (last?.[1] === at) last[0]++;
		else timestamps.push([1, at]);
	}
	return timestamps;
};

/** Timestamps of a log that is received piece by piece, by offsets of the received bytes. */
export const createLineTimestamps = () => {
	let known: {readonly end: number; readonly at: string | null}[] = [];
	let position = 0;
	return {
		addPiece: (piece: Uint8Array, timestamps: LineTimestamps): void => {
			const parts = lineParts(piece);
			let line = 0;
			let end = position;
			for (const [lines, at] of timestamps) {
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
