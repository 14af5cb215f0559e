import {connect} from 'node:net';
import {parseObject} from '../../domain/json.ts';
import {createLineWriter, readLines} from './lines.ts';
import {type Answer, protocolVersion, readAnswer} from './protocol.ts';

/** Max milliseconds for an answer. After that the reactor counts as stopped. */
const answerTimeoutMs = 2000;

/** An open connection to the reactor. */
export type Connection = {
	/** Resolves with the answer, or undefined if the connection is lost first. */
	readonly request: (message: object) => Promise<Answer | undefined>;
	/** Sends a request that has no answer. */
	readonly send: (message: object) => void;
	readonly end: () => void;
};

export type ConnectionEvents = {
	/** The store has changed. */
	readonly woken: () => void;
	/** The connection is gone. `silent` is true if it was cut because the reactor did not answer. */
	readonly onLost: (silent: boolean) => void;
};

/**
 * Opens a connection. Returns undefined if no process listens there. An idle connection does not keep the
 * process alive; one that awaits an answer does.
 */
export const openConnection = (
	address: string,
	{woken, onLost: lost}: ConnectionEvents,
): Promise<Connection | undefined> =>
	new Promise(resolve => {
		const socket = connect(address);
		const write = createLineWriter(socket);
		const pending = new Map<number, (answer: Answer | undefined) => void>();
		let n = 0;
		let silence: NodeJS.Timeout | undefined;
		let silent = false;
		const receive = (answer: Answer) => {
			pending.get(answer.n)?.(answer);
			pending.delete(answer.n);
			if (pending.size > 0) return silence?.refresh();
			clearTimeout(silence);
			silence = undefined;
		};
		const cut = () => {
			silent = true;
			socket.destroy();
		};
		const request = (message: object) =>
			new Promise<Answer | undefined>(answered => {
				if (socket.destroyed) return answered(undefined);
				silence ??= setTimeout(cut, answerTimeoutMs);
				n += 1;
				pending.set(n, answered);
				write({v: protocolVersion, n, ...message});
			});
		readLines(socket, line => {
			const message = parseReply(line);
			if (message === undefined) socket.destroy();
			else if (message === 'woken') woken();
			else receive(message);
		});
		socket.on('error', () => socket.destroy());
		socket.on('close', () => {
			clearTimeout(silence);
			resolve(undefined);
			lost(silent);
			for (const answered of pending.values()) answered(undefined);
		});
		socket.on('connect', () => {
			socket.unref();
			resolve({
				request,
				send: message => write({v: protocolVersion, n: 0, ...message}),
				end: () => socket.destroy(),
			});
		});
	});

const parseReply = (line: string): Answer | 'woken' | undefined => {
	const message = parseObject(line);
	if (message === undefined || 'poke' in message) return message && 'woken';
	const answer = readAnswer(message);
	return answer && typeof message.n === 'number' ? {...answer, n: message.n} : undefined;
};
