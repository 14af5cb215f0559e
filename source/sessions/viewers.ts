import type {Link} from '../ports/link.ts';
import {createFrameReader, type Frame} from './frames.ts';
import {
	encodeHolderMessage,
	type HolderMessage,
	readViewerMessage,
	type Size,
	type ViewerMessage,
} from './protocol.ts';

/** Somebody who looks at the session, and may type. */
export type Viewer = {
	readonly types: boolean;
	/** Rows above the screen that it wants to have at first. */
	readonly scrollback: number;
	/** Of its own terminal. */
	size: Size;
	readonly tell: (message: HolderMessage) => void;
	/** What the program wrote; nothing of it for one that does not read. */
	readonly show: (bytes: Uint8Array) => void;
	/** All that the program has written up to now; nothing for one that does not read. */
	readonly showScreen: (size: Size, snapshot: Uint8Array) => void;
	/** Takes nothing that it types until `listen`. */
	readonly deafen: () => void;
	readonly listen: () => void;
	readonly end: () => void;
};

type Events = {
	readonly key: string;
	readonly joined: (viewer: Viewer) => void;
	readonly said: (viewer: Viewer, message: Exclude<ViewerMessage, {say: 'hello'}>) => void;
	/** It reads again, and lacks what was written meanwhile. */
	readonly behind: (viewer: Viewer) => void;
	readonly left: (viewer: Viewer) => void;
};

/** Bytes that a viewer may leave unread before what the program writes is kept from it. */
const mostUnsent = 1024 * 1024;

/** One that comes over a link: nobody until its `hello` has the key. */
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
