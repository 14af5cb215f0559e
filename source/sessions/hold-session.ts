import type {Clock} from '../ports/clock.ts';
import type {Connection} from '../ports/connection.ts';
import type {Pty} from '../ports/pty.ts';
import type {TerminalEmulator} from '../screen/terminal-emulator.ts';
import {createDelivery} from './delivery.ts';
import {type Size, sessionProtocol, type ViewerMessage} from './protocol.ts';
import {isFocusReport} from './typing.ts';
import {receiveViewer, refuseConnection, type Viewer} from './viewers.ts';

/** Keeps a record of the session. */
type Recorder = {
	/** The screen has processed the output that was shown to viewers. */
	readonly wrote: (output: Uint8Array) => void;
	/** Called before the program gets the input. */
	readonly typed?: (bytes: Uint8Array) => void;
	readonly resized?: (size: Size) => void;
};

type HoldOptions = {
	readonly pty: Pty;
	readonly screen: TerminalEmulator;
	readonly key: string;
	readonly clock: Clock;
	readonly recorders: readonly Recorder[];
	/** Called with the number of viewers when it changes. */
	readonly attended: (viewers: number) => void;
};

/** A program on its terminal, for any number of viewers who come and go. */
export type HeldSession = {
	readonly join: (connection: Connection) => void;
	/** Resolves with the exit code of the program once all viewers have been notified. */
	readonly over: Promise<number>;
};

/** Bytes of unread input above which typing viewers have to wait. */
const maxInputBytes = 1024 * 1024;
const maxViewers = 32;

export const holdSession = ({clock, pty, screen, key, recorders, attended}: HoldOptions): HeldSession => {
	const viewers = new Set<Viewer>();
	/** Links that have not sent `hello` yet, the oldest first. */
	const unauthenticated = new Set<Connection>();
	/**
	 * Present viewers that may type, in the order of their last turn: they join, or type. The terminal has the
	 * size of the last one.
	 */
	let typists: readonly Viewer[] = [];
	let isOver = false;

	const paint = (viewer: Viewer, scrollback = 0): void =>
		viewer.showScreen(screen.size(), screen.snapshot({scrollback}));

	const resize = (size: Size): void => {
		const {columns, rows} = screen.size();
		if (columns === size.columns && rows === size.rows) return;
		screen.resize(size);
		pty.resize(size);
		for (const recorder of recorders) recorder.resized?.(size);
		// Each terminal would reflow its rows differently.
		for (const viewer of viewers) paint(viewer);
	};

	/** Makes the viewer the last of the typists: the program gets its size. */
	const lead = (viewer: Viewer): void => {
		if (typists.at(-1) === viewer) return;
		typists = [...typists.filter(other => other !== viewer), viewer];
		resize(viewer.size);
	};

	const writeInput = (bytes: Uint8Array): void => {
		for (const recorder of recorders) recorder.typed?.(bytes);
		pty.write(bytes.slice());
	};
	const delivery = createDelivery({clock, screen, isTaken: () => pty.unread() === 0, write: writeInput});

	const type = (viewer: Viewer, bytes: Uint8Array): void => {
		if (!viewer.types || bytes.length === 0) return;
		if (!isFocusReport(bytes)) {
			lead(viewer);
			delivery.typed(bytes);
		}
		writeInput(bytes);
		if (pty.unread() > maxInputBytes) for (const other of viewers) other.pauseInput();
	};

	const handleMessage = (viewer: Viewer, message: Exclude<ViewerMessage, {kind: 'hello'}>): void => {
		if (isOver) return;
		switch (message.kind) {
			case 'input':
				return type(viewer, message.bytes);
			case 'resize':
				viewer.size = {columns: message.columns, rows: message.rows};
				return typists.at(-1) === viewer ? resize(viewer.size) : undefined;
			case 'send':
				return void deliver(viewer, message);
		}
	};

	const deliver = async (
		viewer: Viewer,
		{n, text, submit}: Extract<ViewerMessage, {kind: 'send'}>,
	): Promise<void> => {
		const problem = await delivery.deliver(text, submit);
		viewer.sendMessage({kind: 'answer', n, ...(problem === undefined ? {} : {problem})});
	};

	const welcome = (viewer: Viewer): void => {
		viewer.sendMessage({kind: 'welcome', v: sessionProtocol, pid: pty.pid});
		if (viewer.types) lead(viewer);
		viewers.add(viewer);
		attended(viewers.size);
		paint(viewer, viewer.scrollback);
	};

	const leave = (viewer: Viewer): void => {
		viewers.delete(viewer);
		attended(viewers.size);
		const wasLeading = typists.at(-1) === viewer;
		typists = typists.filter(other => other !== viewer);
		const next = typists.at(-1);
		if (wasLeading && next !== undefined && !isOver) resize(next.size);
	};

	const receive = (connection: Connection): void => {
		const [oldest] = unauthenticated;
		if (unauthenticated.size >= maxViewers) oldest?.destroy();
		unauthenticated.add(connection);
		connection.onEnd(() => unauthenticated.delete(connection));
		receiveViewer(connection, {
			key,
			onJoined: viewer => {
				unauthenticated.delete(connection);
				welcome(viewer);
			},
			onMessage: handleMessage,
			onBehind: paint,
			onLeft: leave,
		});
	};

	pty.onOutput(bytes => {
		const output = screen.write(bytes);
		for (const recorder of recorders) recorder.wrote(output);
		for (const viewer of viewers) viewer.show(output);
		delivery.wrote();
	});
	pty.onTaken(() => {
		for (const viewer of viewers) viewer.resumeInput();
	});

	return {
		join: connection =>
			viewers.size >= maxViewers
				? refuseConnection(connection, `${maxViewers} viewers look at it already, which is the limit.`)
				: receive(connection),
		over: new Promise(resolve => {
			pty.onEnd(({exitCode}) => {
				isOver = true;
				delivery.end();
				for (const viewer of viewers) {
					viewer.sendMessage({kind: 'end', exitCode});
					viewer.end();
				}
				resolve(exitCode);
			});
		}),
	};
};
