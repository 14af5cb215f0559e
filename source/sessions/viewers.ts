import type {Link} from '../ports/link.ts';
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
	readonly tell: (message: HolderMessage) => void;
	/** Sends the program's output; skipped for a viewer that does not read. */
	readonly show: (bytes: Uint8Array) => void;
	/** Sends the whole screen up to now; skipped for a viewer that does not read. */
	readonly showScreen: (size: Size, snapshot: Uint8Array) => void;
	/** Stops reading its input until `listen`. */
	readonly deafen: () => void;
	readonly listen: () => void;
	readonly end: () => void;
};

type Events = {
	readonly key: string;
	readonly joined: (viewer: Viewer) => void;
	readonly said: (viewer: Viewer, message: Exclude<ViewerMessage, {say: 'hello'}>) => void;
	/** The viewer reads again, and lacks the output written meanwhile. */
	readonly behind: (viewer: Viewer) => void;
	readonly left: (viewer: Viewer) => void;
};

/** Unread bytes above which a viewer gets no more output. */
const mostUnsent = 1024 * 1024;

/** Accepts a viewer over a link. The link counts as no viewer until its `hello` has the key. */
export const receiveViewer = (link: Link, {key, joined, said, behind, left}: Events): void => {
	let viewer: Viewer | undefined;
	const refuse = (reason: string): void => refuseLink(link, reason);
	const hear = (frame: Frame): void => {
		const message = readViewerMessage(frame);
		if (message === undefined)
			return viewer === undefined ? refuse('This is no viewer of a session.') : undefined;
		if (message.say !== 'hello') return viewer && said(viewer, message);
		if (viewer !== undefined) return;
		if (message.key !== key) return refuse('The key is not that of this session.');
		viewer = createViewer(link, message, behind);
		joined(viewer);
	};
	link.onBytes(createFrameReader(hear, () => refuse('What it says is no frame.')));
	link.onEnd(() => {
		if (viewer !== undefined) left(viewer);
	});
};

/** Ends a link with the reason, in words for people. */
export const refuseLink = (link: Link, reason: string): void => {
	link.send(encodeHolderMessage({say: 'refused', reason}));
	link.end();
};

const createViewer = (
	link: Link,
	{types, scrollback, columns, rows}: Extract<ViewerMessage, {say: 'hello'}>,
	behind: (viewer: Viewer) => void,
): Viewer => {
	let isBehind = false;
	const tell = (message: HolderMessage): void => link.send(encodeHolderMessage(message));
	const keepsUp = (): boolean => {
		isBehind ||= link.unsent() > mostUnsent;
		return !isBehind;
	};
	const viewer: Viewer = {
		types,
		scrollback,
		size: {columns, rows},
		tell,
		show: bytes => {
			if (bytes.length > 0 && keepsUp()) tell({say: 'output', bytes});
		},
		showScreen: (size, snapshot) => {
			if (!keepsUp()) return;
			tell({say: 'screen', ...size});
			for (let at = 0; at < snapshot.length; at += longestPiece)
				tell({say: 'output', bytes: snapshot.subarray(at, at + longestPiece)});
		},
		deafen: link.pause,
		listen: link.resume,
		end: link.end,
	};
	link.onTaken(() => {
		if (!isBehind) return;
		isBehind = false;
		behind(viewer);
	});
	return viewer;
};

const longestPiece = 64 * 1024;
