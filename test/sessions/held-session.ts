import {createSystemClock} from '../../source/drivers/clock.ts';
import type {Pty} from '../../source/ports/pty.ts';
import {holdSession} from '../../source/sessions/hold-session.ts';
import type {Size} from '../../source/sessions/protocol.ts';
import {type ViewEnd, type Viewing, viewSession} from '../../source/sessions/view.ts';
import {openScreen, type Watched} from '../screen/attach.ts';
import {stateOf} from '../screen/state-of.ts';
import {createLinkedPair} from './linked-pair.ts';

export const key = 'the key';

/** Creates a program on a terminal that the test controls. */
const createProgram = () => {
	let print = (_: Uint8Array): void => {};
	let finish = (_: {exitCode: number}): void => {};
	let unread = 0;
	const taken: (() => void)[] = [];
	const typed: Buffer[] = [];
	const sizes: Size[] = [];
	const pty: Pty = {
		pid: 42,
		write: bytes => void typed.push(Buffer.from(bytes)),
		unread: () => unread,
		onTaken: call => void taken.push(call),
		resize: ({columns, rows}) => void sizes.push({columns, rows}),
		onOutput: call => {
			print = call;
		},
		onEnd: call => {
			finish = call;
		},
		signal: () => {},
	};
	return {
		pty,
		sizes,
		typed: () => Buffer.concat(typed).toString(),
		print: (output: string | Uint8Array) => print(Buffer.from(output)),
		end: (exitCode: number) => finish({exitCode}),
		/** Leaves that many bytes of input unread. With 0 the program has read all input. */
		leaveUnread: (bytes: number) => {
			unread = bytes;
			if (bytes === 0) for (const call of taken) call();
		},
	};
};

/** Creates a session whose program, viewers and links are in memory. Its screens are real. */
export const heldSession = (size: Size = {columns: 40, rows: 8}) => {
	const program = createProgram();
	const own = openScreen(size);
	const attendance: number[] = [];
	const {join, over} = holdSession({
		...{clock: createSystemClock(), key, pty: program.pty, screen: own.screen, recorders: []},
		attended: viewers => void attendance.push(viewers),
	});

	/** Attaches a viewer in a terminal of that size. Its output arrives in pieces of `piece` bytes. */
	const look = ({piece, ...changed}: Partial<Viewing> & {readonly piece?: number} = {}) => {
		const [holderEnd, viewerEnd] = createLinkedPair(piece);
		const screens: Size[] = [];
		let shown: Watched | undefined;
		let end: ViewEnd | undefined;
		let bytes = 0;
		let taken = 0;
		const view = viewSession(
			viewerEnd,
			{...size, key, types: true, scrollback: 100, ...changed},
			{
				screen: given => {
					screens.push({columns: given.columns, rows: given.rows});
					shown = openScreen(given);
				},
				output: output => {
					bytes += output.length;
					shown?.screen.write(output);
				},
				taken: () => {
					taken += 1;
				},
				ended: why => {
					end = why;
				},
			},
		);
		join(holderEnd);
		return {
			...view,
			screens,
			type: (keys: string) => view.type(Buffer.from(keys)),
			text: () => shown?.screen.text().join('\n').trimEnd(),
			/** Returns all that the terminal shows and would do next. */
			state: () => shown && stateOf(shown.model, 0),
			end: () => end,
			/** Returns the number of output bytes received. */
			bytes: () => bytes,
			/** Returns how often all typed input had been sent. */
			taken: () => taken,
			/** Returns the number of bytes sent to the viewer that it has not taken. */
			unsent: holderEnd.unsentBytes,
		};
	};
	return {...program, join, over, look, attendance, state: () => stateOf(own.model, 0), screen: own.screen};
};
