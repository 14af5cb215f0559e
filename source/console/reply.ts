import type {Refusal} from '../domain/errors.ts';
import type {Redactor} from '../domain/redact.ts';
import type {Call} from './call.ts';
import type {Answer} from './idempotency-store.ts';
import {problemOf} from './problem.ts';
import {serializeBody} from './tag.ts';

type Headers = Readonly<Record<string, string>>;

/** Answers in JSON. */
export type Reply = ReturnType<typeof createReply>;

/** Each body is redacted before it is sent, or kept to be sent again. */
export const createReply = (redact: Redactor = text => text) => {
	const answerOf = (value: object, status: number): Answer => ({status, body: serializeBody(value, redact)});
	const problemAnswerOf = (refusal: Refusal): Answer => {
		const problem = problemOf(refusal);
		return answerOf(problem, problem.status);
	};
	return {
		answerOf,
		/** A refusal as a problem document, with the status of the error table. */
		problemAnswerOf,
		send,
		/** Answers with status 200. */
		json: (call: Call, value: object, headers?: Headers): Response =>
			send(call, answerOf(value, 200), headers),
		problem: (call: Call, refusal: Refusal): Response => send(call, problemAnswerOf(refusal)),
	};
};

const send = (call: Call, {status, body}: Answer, headers: Headers = {}): Response =>
	call.body(body, status as 200, {...headersOf(status), ...headers});

const headersOf = (status: number): Headers => ({
	'Content-Type': status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json',
	...(status === 401 ? {'WWW-Authenticate': 'Bearer realm="hive"'} : {}),
	...(status === 429 ? {'Retry-After': '60'} : {}),
});
