import {type Call, namedIn} from '../call.ts';
import type {ConsoleServices} from '../console-services.ts';
import {type Read, readQuery} from '../read.ts';
import type {Reply} from '../reply.ts';
import {hashTag} from '../tag.ts';

/** Answers a read route, with the ETag of the body, behind that of its stable part if it has one. */
export const answerRead =
	(read: Read, services: ConsoleServices, reply: Reply) =>
	async (call: Call): Promise<Response> => {
		const query = readQuery(read, call.req.query());
		if (!query.ok) return reply.problem(call, query.refusal);
		const question = {named: namedIn(call), query: query.value, caller: call.get('caller')};
		const answered = await read.answer(services, question);
		if (!answered.ok) return reply.problem(call, answered.refusal);
		const answer = reply.answerOf(answered.value, 200);
		const stable = read.stable?.(answered.value);
		const tag = hashTag(answer.body);
		return reply.send(call, answer, {
			ETag: stable === undefined ? `"${tag}"` : `"${hashTag(reply.answerOf(stable, 200).body)}.${tag}"`,
			'Cache-Control': 'private, no-cache',
		});
	};
