import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {SessionView} from '../views/session.ts';
import {joinSession} from './join-session.ts';

/** Types a text into a session. Accepted when its program shows the text. Never types while a person does. */
export const sendToSession = async (
	context: ActionContext,
	session: Pick<SessionView, 'traceId' | 'sessionId'>,
	{text, submit}: {readonly text: string; readonly submit: boolean},
): Promise<Outcome<Pick<SessionView, 'traceId' | 'sessionId'>>> => {
	const quiet = {screen: () => {}, output: () => {}, ended: () => {}};
	const joined = await joinSession(context, session, {...noSize, types: false, scrollback: 0}, quiet);
	if (!joined.ok) return joined;
	let cancel = (): void => {};
	const silence = new Promise<string>(resolve => {
		const why = 'the session does not answer; the text may be typed all the same';
		cancel = context.clock.after(answerTimeoutMs, () => resolve(why));
	});
	const problem = await Promise.race([joined.value.send(text, {submit}), silence]);
	cancel();
	joined.value.leave();
	const {traceId, sessionId} = session;
	return problem === undefined
		? accepted({traceId, sessionId})
		: refuse('not_delivered', {message: `The text was not sent to ${sessionId}: ${problem}.`});
};

/** Timeout in milliseconds. The session's holder looks for the text twice, for five seconds each. */
const answerTimeoutMs = 12_000;

/** Size for a viewer without a screen. */
const noSize = {columns: 80, rows: 24};
