import type {ActionContext} from '../../actions/context.ts';
import type {BeeRequested} from '../../actions/request-bee.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {acceptInvite} from '../actions/invites.ts';
import {chatWithBee} from '../actions/sessions.ts';
import {actionTable} from '../actions/table.ts';
import type {BegunSession, LiveColony} from './live.ts';

/** Actions of a person in a live colony. */
type Acts = Pick<LiveColony, 'act' | 'chat' | 'join'>;

export const createLiveActs = (context: ActionContext): Acts => ({
	act: async (id, input) => {
		const done = await actionTable[id].run(context, input);
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		return accepted({said: sentences[0] ?? '', ...traceOf(value)});
	},
	chat: (id, input, signal) => chat(context, {id, input}, signal),
	join: async (session, viewing, events) => {
		const {joinSession} = await import('../sessions/join-session.ts');
		return joinSession(context, session, {...viewing, scrollback: 0}, events);
	},
});

const traceOf = (value: unknown): {readonly traceId?: string} => {
	const {traceId} = Object(value);
	return typeof traceId === 'string' ? {traceId} : {};
};

type ChatRequest = {
	readonly id: 'bee.chat' | 'invite.accept';
	readonly input: Readonly<Record<string, unknown>>;
};

/** Performs the action. Returns the request that it made, and the bee that it is for. */
const ask = async (
	context: ActionContext,
	{id, input}: ChatRequest,
): Promise<Outcome<BeeRequested & {readonly role: string}>> => {
	if (id === 'bee.chat') {
		const asked = await chatWithBee.run(context, input);
		return asked.ok ? accepted({...asked.value.value, role: String(input.role)}) : asked;
	}
	const answered = await acceptInvite.run(context, input);
	return answered.ok ? accepted({...answered.value.value, role: answered.value.value.bee}) : answered;
};

const chat = async (
	context: ActionContext,
	asking: ChatRequest,
	signal: AbortSignal,
): ReturnType<LiveColony['chat']> => {
	const asked = await ask(context, asking);
	if (!asked.ok) return asked;
	const {traceId, role} = asked.value;
	const {awaitSession, readLogOutWarning} = await import('../sessions/session-life.ts');
	const begin = async (): Promise<Outcome<BegunSession | undefined>> => {
		const begun = await awaitSession(context, asked.value, signal);
		if (!begun.ok) return begun;
		if (begun.value === undefined) return accepted(undefined);
		const session = {...begun.value, traceId, sessionId: begun.value.agentId};
		return accepted({...session, warning: await readLogOutWarning(context, session)});
	};
	return accepted({role, begun: begin()});
};
