import * as z from 'zod/mini';
import {action} from './action.ts';
import {base, limits} from './fields.ts';

const extent = z.int().check(z.minimum(1), z.maximum(1000));

export const chatWithBee = action({
	id: 'bee.chat',
	label: 'Chat',
	progressLabel: 'Asking for a session with',
	summary: 'Start a session with a bee.',
	shape: '{v, traceId, sequence}',
	needsReactor: true,
	input: z.object({
		role: z.string(),
		body: z.string(),
		intent: z.optional(z.string()),
		traceId: z.optional(z.string()),
		taskId: z.optional(z.string()),
		base,
		limits,
		columns: extent,
		rows: extent,
		trueColor: z.boolean(),
	}),
	perform: async (context, input) => {
		const {requestSession} = await import('../../actions/request-bee.ts');
		return requestSession(context, input);
	},
	done: ({traceId}) => [`Requested in ${traceId}.`],
});

export const stopSession = action({
	id: 'session.stop',
	label: 'Stop',
	danger: true,
	progressLabel: 'Stopping',
	summary: 'End a session: its program and all that it started.',
	description:
		'Its changes stay in its workspace, and are kept as with every run. The command works without a reactor.',
	shape: '{v, traceId, sessionId, state}',
	input: z.object({traceId: z.string(), sessionId: z.string()}),
	perform: async (context, input) => {
		const {stopSession: stop} = await import('../../actions/stop-session.ts');
		return stop(context, input);
	},
	done: ({sessionId, state}) => [
		state === 'running'
			? `The session ${sessionId} is being ended.`
			: `The session ${sessionId} is over: ${state}.`,
	],
});

export const sendText = action({
	id: 'session.send',
	label: 'Send',
	progressLabel: 'Sending to',
	summary: 'Type a text into a session, for a program that waits for words.',
	description:
		'Done when the program shows the text within five seconds. Refused while a person is typing, or has left a line unsent.',
	shape: '{v, traceId, sessionId}',
	input: z.object({
		traceId: z.string(),
		sessionId: z.string(),
		text: z.string(),
		submit: z.boolean(),
	}),
	perform: async (context, {text, submit, ...session}) => {
		const {sendToSession} = await import('../sessions/send-to-session.ts');
		return sendToSession(context, session, {text, submit});
	},
	done: ({sessionId}, {submit}) => [
		submit ? `Sent to ${sessionId}.` : `${sessionId} shows the text, and waits for Enter.`,
	],
});
