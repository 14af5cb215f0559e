import {forwardUntilDetached} from '../../screen/type-until-left.ts';
import {programFrameReceived} from '../store/feed-changes.ts';
import {perObject} from '../store/memo.ts';
import {setMode} from '../store/mode-changes.ts';
import {onChange} from '../store/on-change.ts';
import {type JoinRequest, joinRequest} from '../store/program.ts';
import {browsing, type ModeOf, type State} from '../store/state.ts';
import type {Store} from '../store/store.ts';
import type {Listener} from '../terminal/ink-stdin.ts';
import type {DashboardServices} from '../world.ts';
import {joinProgram, type ProgramConnection} from './join-program.ts';

/** The listener for raw input while a session has the keyboard. Undefined while the dashboard has it. */
export type Passthrough = {readonly listener: () => Listener | undefined};

/**
 * Joins the session for which the screen has a place, and passes typed input to it, until the signal aborts.
 */
export const showSession = (
	services: Pick<DashboardServices, 'join' | 'faults'>,
	store: Store,
	signal: AbortSignal,
): Passthrough => {
	let current: {readonly request: JoinRequest; readonly connection: ProgramConnection} | undefined;
	const joinRequested = (request: JoinRequest | undefined): void => {
		current?.connection.leave();
		current = request && {
			request,
			connection: joinProgram(services, request, program => store.dispatch(programFrameReceived(program))),
		};
	};
	const follow = (state: State): void => {
		const request = joinRequest(state);
		if (!isSameRequest(current?.request, request)) return joinRequested(request);
		if (current === undefined || request === undefined || isSameSize(current.request, request)) return;
		current = {...current, request};
		current.connection.resize(request.room);
	};
	onChange(store, signal, follow);
	signal.addEventListener('abort', () => joinRequested(undefined), {once: true});
	const inputListener = perObject(({detachKey}: ModeOf<'talk'>): Listener => {
		let remaining: Uint8Array | undefined;
		const read = forwardUntilDetached(detachKey, {
			type: bytes => {
				current?.connection.type(bytes);
				return true;
			},
			leave: after => {
				remaining = after;
				store.dispatch(setMode(browsing));
			},
		});
		return bytes => {
			read(bytes);
			return remaining;
		};
	});
	return {
		listener: () => {
			const {mode} = store.getState();
			return mode.kind === 'talk' ? inputListener(mode) : undefined;
		},
	};
};

const isSameRequest = (one: JoinRequest | undefined, other: JoinRequest | undefined): boolean =>
	one?.session.sessionId === other?.session.sessionId && one?.types === other?.types;

const isSameSize = ({room: one}: JoinRequest, {room: other}: JoinRequest): boolean =>
	one.columns === other.columns && one.rows === other.rows;
