import type {SessionName} from '../../host/live/live.ts';
import {isLive, type SessionView} from '../../host/views/session.ts';
import {inside, layoutOf} from './layout.ts';
import {perObject} from './memo.ts';
import {selectedRun} from './selectors.ts';
import type {ProgramFrame, Size, State} from './state.ts';

/** The selected run, as a session that is active. */
export const selectedSession = (state: State): SessionView | undefined => {
	const agentId = selectedRun(state)?.run.agentId;
	return state.sessions.find(session => session.sessionId === agentId && isLive(session));
};

/** The session that has the keyboard, else the selected run. */
const sessionIdOf = (state: State): string | undefined =>
	state.mode.kind === 'talk' ? state.mode.session.sessionId : selectedRun(state)?.run.agentId;

/** The bee of that session. */
export const shownBee = (state: State): string => {
	const shown = sessionIdOf(state);
	const session = state.sessions.find(({sessionId}) => sessionId === shown);
	return session?.bee ?? selectedRun(state)?.run.bee ?? '';
};

/**
 * The program screen that replaces the log. It is that of an open session, or the last screen of a session
 * that was shown until its end.
 */
export const shownProgram = (state: State): ProgramFrame | undefined => {
	const {program} = state;
	return program !== undefined && program.sessionId === sessionIdOf(state) ? program : undefined;
};

/** True if a screen replaces the log, or is about to. */
export const showsProgram = (state: State): boolean =>
	shownProgram(state) !== undefined || selectedSession(state) !== undefined;

/**
 * The keyboard modes that the program with the keyboard has requested. Undefined if no session has the
 * keyboard.
 */
export const passthroughKeyboard = (state: State): string | undefined =>
	state.mode.kind === 'talk' ? (shownProgram(state)?.keyboard ?? '') : undefined;

/** The session to join, and how. */
export type JoinRequest = {
	readonly session: SessionName;
	/** Size of the pane without its frame. */
	readonly room: Size;
	/** True if typed input goes to its program, which then is resized to the room. */
	readonly types: boolean;
};

/** The session to join now. Undefined if the screen has no place for it. */
export const joinRequest = perObject((state: State): JoinRequest | undefined => {
	const pane = layoutOf(state)
		.bands.flat()
		.find(placed => placed.pane === 'log');
	if (pane === undefined || state.isSuspended) return undefined;
	const {width: columns, height: rows} = inside(pane.area);
	const room = {columns, rows};
	if (state.mode.kind === 'talk') return {session: state.mode.session, room, types: true};
	const session = shownProgram(state)?.over === undefined ? selectedSession(state) : undefined;
	return session && {session, room, types: false};
});
