import {createSystemClock} from '../../source/drivers/clock.ts';
import type {Pty} from '../../source/ports/pty.ts';
import {holdSession} from '../../source/sessions/hold-session.ts';
import type {Size} from '../../source/sessions/protocol.ts';
import {type ViewEnd, type Viewing, viewSession} from '../../source/sessions/view.ts';
import {openScreen, type Watched} from '../screen/attach.ts';
import {stateOf} from '../screen/state-of.ts';
import {createLinkedPair} from './linked-pair.ts';

export const key = 'the key';

/** A program on a terminal that is told what to do. */
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
		/** So many bytes of input wait for it; with none it has taken all. */
		leaveUnread: (bytes: number) => {
			unread = bytes;
			if (bytes === 0) for (const call of taken) call();
		},
	};
};

/** A session whose program, viewers and links are all in memory; its screens are real. */
export const heldSession = (size: Size = {columns: 40, rows: 8}) => {
	const program = createProgram();
	const own = openScreen(size);
	const attendance: number[] = [];
	const {join, over} = holdSession({
		...{clock: createSystemClock(), key, pty: program.pty, screen: own.screen, recorders: []},
		attended: viewers => void attendance.push(viewers),
	});

	/**
	 * Somebody who looks at it, in a terminal of that size; what it is told comes in pieces of so many bytes.
	 */
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
			/** All that its terminal shows and would do next. */
			state: () => shown && stateOf(shown.model, 0),
			end: () => end,
			/** Bytes of output that came. */
			bytes: () => bytes,
			/** How often all that it typed had been sent. */
			taken: () => taken,
			/** Bytes that were sent to it and that it has not taken. */
			unsent: holderEnd.unsentBytes,
		};
	};
	return {...program, join, over, look, attendance, state: () => stateOf(own.model, 0), screen: own.screen};
};
