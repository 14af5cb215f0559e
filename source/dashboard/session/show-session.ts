import {createDetachFilter} from '../../screen/detach-key.ts';
import {setMode, tookProgram} from '../store/changes.ts';
import {onChange} from '../store/on-change.ts';
import {type Look, wantedLook} from '../store/program.ts';
import {browsing, type State} from '../store/state.ts';
import type {Store} from '../store/store.ts';
import type {World} from '../world.ts';
import {type Joined, joinProgram} from './join-program.ts';
import {leaveKey} from './leave-key.ts';

/** Whoever is to get what is typed, as it is; nothing while that is the dashboard. */
export type Talk = {readonly listener: () => ((bytes: Uint8Array) => void) | undefined};

/** Within it a second such key is one for the program. */
const secondKeyMilliseconds = 300;

/** Looks at the session that there is a place for on screen, and passes on what is typed for it, until the signal. */
export const showSession = (world: Pick<World, 'join'>, store: Store, signal: AbortSignal): Talk => {
	let shown: {readonly look: Look; readonly joined: Joined} | undefined;
	const show = (look: Look | undefined): void => {
		shown?.joined.leave();
		shown = look && {
			look,
			joined: joinProgram(world, look, program => store.dispatch(tookProgram(program))),
		};
	};
	const follow = (state: State): void => {
		const look = wantedLook(state);
		if (!isSameLook(shown?.look, look)) return show(look);
		if (shown === undefined || look === undefined || isSameSize(shown.look, look)) return;
		shown = {...shown, look};
		shown.joined.resize(look.room);
	};
	onChange(store, signal, follow);
	signal.addEventListener('abort', () => show(undefined), {once: true});
	const listen = createTalk(store, bytes => shown?.joined.type(bytes));
	return {listener: () => (store.getState().mode.kind === 'talk' ? listen : undefined)};
};

const isSameLook = (one: Look | undefined, other: Look | undefined): boolean =>
	one?.session.sessionId === other?.session.sessionId && one?.types === other?.types;

const isSameSize = ({room: one}: Look, {room: other}: Look): boolean =>
	one.columns === other.columns && one.rows === other.rows;

/** Takes the key that gives the keyboard back out of what is typed. */
const createTalk = (store: Store, type: (bytes: Uint8Array) => void): ((bytes: Uint8Array) => void) => {
	let filter = createDetachFilter(leaveKey);
	let leaving: NodeJS.Timeout | undefined;
	const leave = (): void => {
		filter = createDetachFilter(leaveKey);
		store.dispatch(setMode(browsing));
	};
	return bytes => {
		const {bytes: typed, leaves} = filter(bytes);
		clearTimeout(leaving);
		if (typed.length > 0) type(typed);
		if (leaves === 'yes') leave();
		if (leaves === 'perhaps') leaving = setTimeout(leave, secondKeyMilliseconds);
	};
};
