import type {Readable, Writable} from 'node:stream';
import type {Sink} from './output.ts';

/** Writes to a stream of the process. When its reader has gone (`| head`), that is no error: it says so once and writes no more. */
export const streamSink = (stream: Writable, onGone: () => void): Sink => {
	let gone = false;
	stream.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE') throw error;
		gone = true;
		onGone();
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
