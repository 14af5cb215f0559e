import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Acted, BegunSession, SessionName} from '../../host/live/live.ts';
import {ctrlKey} from '../../screen/detach-key.ts';
import {chatForm, stopForm} from '../forms/session.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Input} from '../store/form.ts';
import {areaOf, inside} from '../store/layout.ts';
import {say} from '../store/notice-changes.ts';
import {focusPane, openTab} from '../store/pane-changes.ts';
import {selectedSession} from '../store/program.ts';
import {sessionList, subjectOf} from '../store/selectors.ts';
import {openSession, talkWith} from '../store/session-changes.ts';
import {isOpen} from '../store/sessions.ts';
import type {Size, State} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openForm, opening} from './open-form.ts';

type Handler = (context: HandleContext) => void;

/** Gives the keyboard to the selected session. False if there is none. */
export const talk = (context: HandleContext): boolean => {
	const session = selectedSession(context.store.getState());
	if (session !== undefined) giveKeyboard(context, session);
	return session !== undefined;
};

const giveKeyboard = ({store, world}: HandleContext, session: SessionName): void =>
	store.dispatch(talkWith(session, ctrlKey(world.facts().detachKey)));

/** Gives the whole terminal to the selected session. */
export const attach = async (
	context: HandleContext,
	{sessionId}: Pick<SessionName, 'sessionId'>,
): Promise<void> => {
	const complaint = await lendTerminal(context, () => context.world.attach(sessionId));
	if (complaint) context.store.dispatch(say(complaint, 'bad'));
};

/** Opens the form that asks for a bee and the first message. */
export const chat: Handler = context => {
	const {store, world} = context;
	const bees = world.facts().bees.filter(({talks}) => talks);
	const state = store.getState();
	if (bees.length === 0)
		return store.dispatch(say('No bee of this colony can be talked with: scripts cannot.', 'info'));
	const form = chatForm(opening(context), bees, subjectOf(state).trace, programTerminal(context));
	openForm(context, form);
};

/** The size that the session's screen will have, and its colours. */
export const programTerminal = ({store, trueColor}: HandleContext) => ({
	...programRoom(store.getState()),
	trueColor,
});

const programRoom = (state: State): Size => {
	const shown = [openTab('sessions'), focusPane('log')].reduce((next, change) => change(next), state);
	const {width: columns, height: rows} = inside(areaOf(shown, 'log'));
	return {columns, rows};
};

export const stop: Handler = context => {
	const row = sessionList.selected(context.store.getState());
	const {sessions} = context.store.getState();
	if (row) openForm(context, stopForm(opening(context), row.session, sessions.filter(isOpen)));
};

/** Requests a session. Once it has started it is shown, unless the person does something else by then. */
export const beginChat = async (
	context: HandleContext,
	action: 'bee.chat' | 'invite.accept',
	input: Input,
): Promise<Outcome<Acted>> => {
	const asked = await context.world.chat(action, input, context.signal);
	if (!asked.ok) return asked;
	const {role, begun} = asked.value;
	void showBegun(context, {role, isInvited: action === 'invite.accept'}, begun);
	return accepted({said: `Asked for ${role}: it begins as soon as it can.`});
};

const showBegun = async (
	context: HandleContext,
	{role, isInvited}: {readonly role: string; readonly isInvited: boolean},
	begun: Promise<Outcome<BegunSession | undefined>>,
): Promise<void> => {
	const {store} = context;
	const outcome = await outcomeOf(context.world, () => begun);
	if (!outcome.ok) return store.dispatch(say(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'));
	const session = outcome.value;
	if (session === undefined) return;
	const isFree = store.getState().mode.kind === 'browse';
	if (isFree) store.dispatch(openSession(session));
	// After an invite was accepted the bee asks first, so the person gets the keyboard to answer.
	if (isFree && isInvited && session.status === 'running') {
		if (session.warning) store.dispatch(say(session.warning, 'info'));
		return giveKeyboard(context, session);
	}
	store.dispatch(
		session.status === 'running'
			? say(
					[`${role} is there: Enter gives it the keyboard.`, session.warning].filter(Boolean).join(' '),
					'good',
				)
			: say([`${role} ${session.status}`, session.summary].filter(Boolean).join(': '), 'bad'),
	);
};
