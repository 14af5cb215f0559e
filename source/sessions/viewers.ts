import type {Connection} from '../ports/connection.ts';
import {createFrameReader, type Frame} from './frames.ts';
import {
	encodeHolderMessage,
	type HolderMessage,
	readViewerMessage,
	type Size,
	type ViewerMessage,
} from './protocol.ts';

/** A client that watches the session, and may type. */
export type Viewer = {
	readonly types: boolean;
	/** Number of rows above the screen that it requests at first. */
	readonly scrollback: number;
	/** Size of its own terminal. */
	size: Size;
	readonly sendMessage: (message: HolderMessage) => void;
	/** Sends the program's output; skipped for a viewer that does not read. */
	readonly show: (bytes: Uint8Array) => void;
	/** Sends the whole screen up to now; skipped for a viewer that does not read. */
	readonly showScreen: (size: Size, snapshot: Uint8Array) => void;
	/** Stops reading its input until `listen`. */
	readonly pauseInput: () => void;
	readonly resumeInput: () => void;
	readonly end: () => void;
};

type Events = {
	readonly key: string;
	readonly onJoined: (viewer: Viewer) => void;
	readonly onMessage: (viewer: Viewer, message: Exclude<ViewerMessage, {kind: 'hello'}>) => void;
	/** The viewer reads again, and lacks the output written meanwhile. */
	readonly onBehind: (viewer: Viewer) => void;
	readonly onLeft: (viewer: Viewer) => void;
};

/** Unread bytes above which a viewer gets no more output. */
const maxUnsentBytes = 1024 * 1024;

/** Accepts a viewer over a link. The link counts as no viewer until its `hello` has the key. */
export const receiveViewer = (
	connection: Connection,
	{key, onJoined: joined, onMessage: said, onBehind: behind, onLeft: left}: Events,
): void => {
	let viewer: Viewer | undefined;
	const refuse = (reason: string): void => refuseConnection(connection, reason);
	const handleFrame = (frame: Frame): void => {
		const message = readViewerMessage(frame);
		if (message === undefined)
			return viewer === undefined ? refuse('This is no viewer of a session.') : undefined;
		if (message.kind !== 'hello') return viewer && said(viewer, message);
		if (viewer !== undefined) return;
		if (message.key !== key) return refuse('The key is not that of this session.');
		viewer = createViewer(connection, message, behind);
		joined(viewer);
	};
	connection.onData(createFrameReader(handleFrame, () => refuse('What it says is no frame.')));
	connection.onEnd(() => {
		if (viewer !== undefined) left(viewer);
	});
};

/** Ends a link with the reason, in words for people. */
export const refuseConnection = (connection: Connection, reason: string): void => {
	connection.send(encodeHolderMessage({kind: 'refused', reason}));
	connection.end();
};

const createViewer = (
	connection: Connection,
	{types, scrollback, columns, rows}: Extract<ViewerMessage, {kind: 'hello'}>,
	onBehind: (viewer: Viewer) => void,
): Viewer => {
	let isBehind = false;
	const sendMessage = (message: HolderMessage): void => connection.send(encodeHolderMessage(message));
	const keepsUp = (): boolean => {
		isBehind ||= connection.unsentBytes() > maxUnsentBytes;
		return !isBehind;
	};
	const viewer: Viewer = {
		types,
		scrollback,
		size: {columns, rows},
		sendMessage,
		show: bytes => {
			if (bytes.length > 0 && keepsUp()) sendMessage({kind: 'output', bytes});
		},
		showScreen: (size, snapshot) => {
			if (!keepsUp()) return;
			sendMessage({kind: 'screen', ...size});
			for (let at = 0; at < snapshot.length; at += maxPieceBytes)
				sendMessage({kind: 'output', bytes: snapshot.subarray(at, at + maxPieceBytes)});
		},
		pauseInput: connection.pause,
		resumeInput: connection.resume,
		end: connection.end,
	};
	connection.onDrained(() => {
		if (!isBehind) return;
		isBehind = false;
		onBehind(viewer);
	});
	return viewer;
};

const maxPieceBytes = 64 * 1024;
