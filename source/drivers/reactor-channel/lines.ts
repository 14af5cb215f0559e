import type {Socket} from 'node:net';
import {maxLineLength} from './protocol.ts';

/** Calls back for each line. A line that is too long ends the connection. */
export const readLines = (socket: Socket, onLine: (line: string) => void) => {
	let partialLine = '';
	socket.setEncoding('utf8');
	socket.on('data', (chunk: string) => {
		const lines = (partialLine + chunk).split('\n');
		partialLine = lines.pop() ?? '';
		for (const line of lines) {
			if (line.length > maxLineLength) return socket.destroy();
			onLine(line);
		}
		if (partialLine.length > maxLineLength) socket.destroy();
	});
};

/**
 * Sends objects as lines; those of one turn of the event loop leave together. Calls back if and when a line
 * has left the process.
 */
export const createLineWriter = (socket: Socket) => {
	let text = '';
	let calls: (() => void)[] = [];
	const flush = () => {
		const gone = calls;
		if (socket.writable)
			socket.write(text, () => {
				for (const call of gone) call();
			});
		text = '';
		calls = [];
	};
	return (message: object, left?: () => void) => {
		if (text === '') process.nextTick(flush);
		text += `${JSON.stringify(message)}\n`;
		if (left !== undefined) calls.push(left);
	};
};
