import type {SessionName} from '../../host/live/live.ts';
import type {SessionView} from '../../host/sessions/sessions.ts';
import {inside, layoutOf} from './layout.ts';
import {perObject} from './memo.ts';
import {selectedRun} from './selectors.ts';
import type {ProgramScreen, Size, State} from './state.ts';

/** The selected run as a session with which one can talk. */
export const selectedSession = (state: State): SessionView | undefined => {
	const agentId = selectedRun(state)?.run.agentId;
	return state.sessions.find(({sessionId, state: is}) => sessionId === agentId && is === 'active');
};

/** Whom the person talks with, else what is selected. */
const sessionIdOf = (state: State): string | undefined =>
	state.mode.kind === 'talk' ? state.mode.session.sessionId : selectedRun(state)?.run.agentId;

/** The bee of that session. */
export const beeOfProgram = (state: State): string => {
	const shown = sessionIdOf(state);
	const session = state.sessions.find(({sessionId}) => sessionId === shown);
	return session?.bee ?? selectedRun(state)?.run.bee ?? '';
};

/**
 * The screen that stands in the place of the log: of an open session, and the last one of a session that was
 * looked at until its end.
 */
export const shownProgram = (state: State): ProgramScreen | undefined => {
	const {program} = state;
	return program !== undefined && program.sessionId === sessionIdOf(state) ? program : undefined;
};

/** A screen is in the place of the log, or about to be. */
export const showsProgram = (state: State): boolean =>
	shownProgram(state) !== undefined || selectedSession(state) !== undefined;

/** What the program that the person talks with has asked of the keyboard; nothing while nobody talks. */
export const talkKeyboard = (state: State): string | undefined =>
	state.mode.kind === 'talk' ? (shownProgram(state)?.keyboard ?? '') : undefined;

/** The session to look at, and how. */
export type Look = {
	readonly session: SessionName;
	/** Of the pane, its frame left out. */
	readonly room: Size;
	/** What is typed goes to its program, which gets the size of the room. */
	readonly types: boolean;
};

/** What is to be looked at now; nothing while there is no place on screen where it would be seen. */
export const wantedLook = perObject((state: State): Look | undefined => {
	const pane = layoutOf(state)
		.bands.flat()
		.find(placed => placed.pane === 'log');
	if (pane === undefined || state.isLent) return undefined;
	const {width: columns, height: rows} = inside(pane.area);
	const room = {columns, rows};
	if (state.mode.kind === 'talk') return {session: state.mode.session, room, types: true};
	const session = shownProgram(state)?.over === undefined ? selectedSession(state) : undefined;
	return session && {session, room, types: false};
});
