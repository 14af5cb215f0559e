import {typeUntilLeft} from '../../screen/type-until-left.ts';
import {tookProgram} from '../store/feed-changes.ts';
import {perObject} from '../store/memo.ts';
import {setMode} from '../store/mode-changes.ts';
import {onChange} from '../store/on-change.ts';
import {type Look, wantedLook} from '../store/program.ts';
import {browsing, type ModeOf, type State} from '../store/state.ts';
import type {Store} from '../store/store.ts';
import type {Listener} from '../terminal/ink-stdin.ts';
import type {World} from '../world.ts';
import {type Joined, joinProgram} from './join-program.ts';

/** The listener for raw input while a session has the keyboard. Undefined while the dashboard has it. */
export type Talk = {readonly listener: () => Listener | undefined};

/**
 * Joins the session for which the screen has a place, and passes typed input to it, until the signal aborts.
 */
export const showSession = (
	world: Pick<World, 'join' | 'faults'>,
	store: Store,
	signal: AbortSignal,
): Talk => {
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
	const listen = perObject(({detachKey}: ModeOf<'talk'>): Listener => {
		let left: Uint8Array | undefined;
		const read = typeUntilLeft(detachKey, {
			type: bytes => {
				shown?.joined.type(bytes);
				return true;
			},
			leave: after => {
				left = after;
				store.dispatch(setMode(browsing));
			},
		});
		return bytes => {
			read(bytes);
			return left;
		};
	});
	return {
		listener: () => {
			const {mode} = store.getState();
			return mode.kind === 'talk' ? listen(mode) : undefined;
		},
	};
};

const isSameLook = (one: Look | undefined, other: Look | undefined): boolean =>
	one?.session.sessionId === other?.session.sessionId && one?.types === other?.types;

const isSameSize = ({room: one}: Look, {room: other}: Look): boolean =>
	one.columns === other.columns && one.rows === other.rows;
