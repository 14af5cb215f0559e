import {Writable} from 'node:stream';

/** Columns Ink may fill: rows come as wide as the terminal, and it would cut or wrap them anew. */
const unlimited = 100_000;

/**
 * What Ink takes for its output. In its debug mode Ink writes whole frames and no cursor movement, which leaves the
 * terminal to `Screen`: it writes the rows that changed, at once, and never clears (performance.md, row 23).
 */
export const createFrameStream = (draw: (rows: readonly string[]) => void): NodeJS.WriteStream => {
	const stream = new Writable({
		decodeStrings: false,
		write: (frame, _encoding, done) => {
			if (frame !== '') draw(String(frame).split('\n'));
			done();
		},
	});
	// Ink asks for a tty stream and uses only `write`, `columns` and the writable state.
	return Object.assign(stream, {columns: unlimited, isTTY: false}) as unknown as NodeJS.WriteStream;
};
