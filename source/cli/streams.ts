import type {Readable, Writable} from 'node:stream';
import type {Sink} from './output.ts';

/** The reader has gone (`| head`), or the window of the terminal is closed. */
const readerGone: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/**
 * Writes to a stream of the process until that fails, and tells so once: that its reader has gone is no
 * error, any other is handed over (a full disk).
 */
export const streamSink = (
	stream: Writable,
	onGone: (error: NodeJS.ErrnoException | undefined) => void,
): Sink => {
	let gone = false;
	stream.on('error', (error: NodeJS.ErrnoException) => {
		if (gone) return;
		gone = true;
		onGone(readerGone.has(error.code) ? undefined : error);
	});
	return text =>
		gone ? Promise.resolve(false) : new Promise(resolve => stream.write(text, error => resolve(!error)));
};

/** Everything a stream has to say, as text. */
export const readAll = async (stream: Readable): Promise<string> => {
	let text = '';
	stream.setEncoding('utf8');
	for await (const chunk of stream) text += chunk;
	return text;
};
