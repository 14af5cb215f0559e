import type {Readable, Writable} from 'node:stream';
import type {Sink} from './output.ts';

/** The reader has closed the stream (`| head`), or the terminal's window is closed. */
const closedReaderCodes: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/**
 * Writes to a stream of the process until that fails, then calls `onGone` once. A closed reader is no error;
 * any other error is passed on, for example a full disk.
 */
export const streamSink = (
	stream: Writable,
	onGone: (error: NodeJS.ErrnoException | undefined) => void,
): Sink => {
	let gone = false;
	stream.on('error', (error: NodeJS.ErrnoException) => {
		if (gone) return;
		gone = true;
		onGone(closedReaderCodes.has(error.code) ? undefined : error);
	});
	return text =>
		gone ? Promise.resolve(false) : new Promise(resolve => stream.write(text, error => resolve(!error)));
};

/** Reads all of a stream, as text. */
export const readAll = async (stream: Readable): Promise<string> => {
	let text = '';
	stream.setEncoding('utf8');
	for await (const chunk of stream) text += chunk;
	return text;
};
