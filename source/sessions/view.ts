import type {Connection} from '../ports/connection.ts';
import {createFrameReader} from './frames.ts';
import {
	encodeViewerMessage,
	type HolderMessage,
	readHolderMessage,
	type Size,
	sessionProtocol,
	type ViewerMessage,
} from './protocol.ts';

/** Events of a viewer, in order. */
export type ViewEvents = {
	/** The output that follows starts on an empty screen of this size. */
	readonly screen: (size: Size) => void;
	readonly output: (bytes: Uint8Array) => void;
	/** All typed input has been sent. */
	readonly taken?: () => void;
	/** Called once, as the last event. */
	readonly ended: (end: ViewEnd) => void;
};

export type ViewEnd =
	/** The program is gone. */
	| {readonly why: 'exit'; readonly exitCode: number}
	/** The link is gone, and perhaps the holder too. */
	| {readonly why: 'lost'}
	| {readonly why: 'refused'; readonly reason: string}
	/** This viewer left. */
	| {readonly why: 'left'};

/** This process's view of a session. */
export type View = {
	/** Returns false if much typed input has not been sent: wait for `taken` before sending more. */
	readonly type: (bytes: Uint8Array) => boolean;
	readonly resize: (size: Size) => void;
	/**
	 * Types a text on behalf of a person who is not at the session. Resolves with undefined when the program
	 * has it as input, else with the reason why not.
	 */
	readonly send: (text: string, options: {readonly submit: boolean}) => Promise<string | undefined>;
	readonly leave: () => void;
	/** With true, stops reading output until it is called with false. The session goes on meanwhile. */
	readonly hold: (isHeld: boolean) => void;
};

export type Viewing = Size & {
	readonly key: string;
	/** If true, its input goes to the program, which gets its size. */
	readonly types: boolean;
	/** Number of rows above the screen that it requests. */
	readonly scrollback: number;
};

export const viewSession = (connection: Connection, viewing: Viewing, events: ViewEvents): View => {
	let isOver = false;
	let sent = 0;
	const answers = new Map<number, (problem: string | undefined) => void>();
	const sendMessage = (message: ViewerMessage): void => {
		if (!isOver) connection.send(encodeViewerMessage(message));
	};
	const end = (why: ViewEnd): void => {
		if (isOver) return;
		isOver = true;
		for (const answer of answers.values()) answer('the session ended first');
		events.ended(why);
		connection.end();
	};
	const handleMessage = (message: HolderMessage): void => {
		switch (message.kind) {
			case 'welcome':
				return;
			case 'screen':
				return events.screen(message);
			case 'output':
				return events.output(message.bytes);
			case 'end':
				return end({why: 'exit', exitCode: message.exitCode});
			case 'refused':
				return end({why: 'refused', reason: message.reason});
			case 'answer':
				answers.get(message.n)?.(message.problem);
				answers.delete(message.n);
		}
	};
	connection.onData(
		createFrameReader(
			frame => {
				const message = readHolderMessage(frame);
				if (message !== undefined && !isOver) handleMessage(message);
			},
			() => connection.destroy(),
		),
	);
	connection.onEnd(() => end({why: 'lost'}));
	connection.onDrained(() => {
		if (!isOver) events.taken?.();
	});
	const {columns, rows, ...asked} = viewing;
	sendMessage({kind: 'hello', v: sessionProtocol, ...asked, columns, rows});
	return {
		type: bytes => {
			for (let at = 0; at < bytes.length; at += maxPieceBytes)
				sendMessage({kind: 'input', bytes: bytes.subarray(at, at + maxPieceBytes)});
			return connection.unsentBytes() <= maxUnsentBytes;
		},
		resize: size => sendMessage({kind: 'resize', ...size}),
		send: (text, {submit}) =>
			new Promise(resolve => {
				if (isOver) return resolve('the session is over');
				sent += 1;
				answers.set(sent, resolve);
				sendMessage({kind: 'send', n: sent, text, submit});
			}),
		leave: () => end({why: 'left'}),
		hold: isHeld => (isHeld ? connection.pause() : connection.resume()),
	};
};

/**
 * Max unsent bytes. It is large, so that the key that leaves the session is still read after a large paste.
 * The program may not be reading.
 */
const maxUnsentBytes = 16 * 1024 * 1024;
const maxPieceBytes = 64 * 1024;
