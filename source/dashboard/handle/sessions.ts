import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Acted, BegunSession, SessionName} from '../../host/live/live.ts';
import {ctrlKey} from '../../screen/detach-key.ts';
import {chatForm, stopForm} from '../forms/session.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Input} from '../store/form.ts';
import {areaOf, inside} from '../store/layout.ts';
import {showToast} from '../store/notice-changes.ts';
import {focusPane, openTab} from '../store/pane-changes.ts';
import {selectedSession} from '../store/program.ts';
import {sessionList, subjectOf} from '../store/selectors.ts';
import {giveKeyboardTo, openSession} from '../store/session-changes.ts';
import {isOpen} from '../store/sessions.ts';
import type {Size, State} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openForm, opening} from './open-form.ts';

type Handler = (context: HandleContext) => void;

/** Gives the keyboard to the selected session. False if there is none. */
export const openPassthrough = (context: HandleContext): boolean => {
	const session = selectedSession(context.store.getState());
	if (session !== undefined) startPassthrough(context, session);
	return session !== undefined;
};

const startPassthrough = ({store, world: services}: HandleContext, session: SessionName): void =>
	store.dispatch(giveKeyboardTo(session, ctrlKey(services.facts().detachKey)));

/** Gives the whole terminal to the selected session. */
export const attach = async (
	context: HandleContext,
	{sessionId}: Pick<SessionName, 'sessionId'>,
): Promise<void> => {
	const errorText = await lendTerminal(context, () => context.world.attach(sessionId));
	if (errorText) context.store.dispatch(showToast(errorText, 'bad'));
};

/** Opens the form that asks for a bee and the first message. */
export const openChatForm: Handler = context => {
	const {store, world: services} = context;
	const bees = services.facts().bees.filter(({talks}) => talks);
	const state = store.getState();
	if (bees.length === 0)
		return store.dispatch(
			showToast('No bee of this colony has interactive sessions: scripts have none.', 'info'),
		);
	const form = chatForm(opening(context), bees, subjectOf(state).trace, programTerminal(context));
	openForm(context, form);
};

/** The size that the session's screen will have, and its colours. */
export const programTerminal = ({store, trueColor}: HandleContext) => ({
	...programSize(store.getState()),
	trueColor,
});

const programSize = (state: State): Size => {
	const shown = [openTab('sessions'), focusPane('log')].reduce((next, change) => change(next), state);
	const {width: columns, height: rows} = inside(areaOf(shown, 'log'));
	return {columns, rows};
};

export const openStopForm: Handler = context => {
	const row = sessionList.selected(context.store.getState());
	const {sessions} = context.store.getState();
	if (row) openForm(context, stopForm(opening(context), row.session, sessions.filter(isOpen)));
};

/** Requests a session. Once it has started it is shown, unless the person does something else by then. */
export const requestChat = async (
	context: HandleContext,
	action: 'bee.chat' | 'invite.accept',
	input: Input,
): Promise<Outcome<Acted>> => {
	const requested = await context.world.chat(action, input, context.signal);
	if (!requested.ok) return requested;
	const {role, begun} = requested.value;
	void showStartedSession(context, {role, isInvited: action === 'invite.accept'}, begun);
	return accepted({said: `Requested ${role}: the session starts as soon as it can.`});
};

const showStartedSession = async (
	context: HandleContext,
	{role, isInvited}: {readonly role: string; readonly isInvited: boolean},
	begun: Promise<Outcome<BegunSession | undefined>>,
): Promise<void> => {
	const {store} = context;
	const outcome = await outcomeOf(context.world, () => begun);
	if (!outcome.ok)
		return store.dispatch(showToast(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'));
	const session = outcome.value;
	if (session === undefined) return;
	const isFree = store.getState().mode.kind === 'browse';
	if (isFree) store.dispatch(openSession(session));
	// After an invite was accepted the bee asks first, so the person gets the keyboard to answer.
	if (isFree && isInvited && session.status === 'running') {
		if (session.warning) store.dispatch(showToast(session.warning, 'info'));
		return startPassthrough(context, session);
	}
	store.dispatch(
		session.status === 'running'
			? showToast(
					[`${role} has started: Enter gives it the keyboard.`, session.warning].filter(Boolean).join(' '),
					'good',
				)
			: showToast([`${role} ${session.status}`, session.summary].filter(Boolean).join(': '), 'bad'),
	);
};
