import {readAuthorizedBody} from '../body.ts';
import type {Call} from '../call.ts';
import type {Callers} from '../callers.ts';
import type {Reply} from '../reply.ts';
import type {Runtime} from '../runtime.ts';

/** Starts or stops the console's reactor. */
export const controlRuntime =
	(control: Runtime['start' | 'stop'], callers: Callers, reply: Reply) =>
	async (call: Call): Promise<Response> => {
		const body = await readAuthorizedBody(call, callers);
		if (!body.ok) return reply.problem(call, body.refusal);
		const done = await control(call.get('caller'));
		return done.ok ? reply.json(call, done.value) : reply.problem(call, done.refusal);
	};
