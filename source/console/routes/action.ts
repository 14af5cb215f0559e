import {accepted, type Outcome} from '../../domain/errors.ts';
import type {ActionId} from '../../host/actions/table.ts';
import {type ActionRequest, performAction} from '../act.ts';
import {addresses} from '../addresses.ts';
import {readAuthorizedBody} from '../body.ts';
import {type Call, namedIn} from '../call.ts';
import {credentialOf} from '../caller.ts';
import type {Callers} from '../callers.ts';
import type {ConsoleServices} from '../console-services.ts';
import {type Answer, createIdempotencyStore} from '../idempotency-store.ts';
import {refusedFor} from '../problem.ts';
import type {Reply} from '../reply.ts';

/** Answers requests for actions. An `Idempotency-Key` applies across all of them. */
export const createActionRoutes = (services: ConsoleServices, callers: Callers, reply: Reply) => {
	const idempotency = createIdempotencyStore();
	const perform = async (asking: ActionRequest): Promise<Answer> => {
		const refuseFault = (error: unknown) => refusedFor(error, services.host.faults);
		const done = await performAction(services.context, services.model, asking).catch(refuseFault);
		if (!done.ok) return reply.problemAnswerOf(done.refusal);
		return reply.answerOf(done.value, addresses[asking.id].makes ? 201 : 200);
	};
	const performIdempotent = async (
		asking: ActionRequest,
		key: string | undefined,
	): Promise<Outcome<Answer>> => {
		if (key === undefined) return accepted(await perform(asking));
		const {id, named, body, ifMatch, caller} = asking;
		const request = JSON.stringify([id, named, body, ifMatch]);
		return idempotency.once(`${credentialOf(caller)} ${key}`, request, () => perform(asking));
	};
	return (id: ActionId) =>
		async (call: Call): Promise<Response> => {
			const body = await readAuthorizedBody(call, callers);
			if (!body.ok) return reply.problem(call, body.refusal);
			const asking = {
				...{id, named: namedIn(call), body: body.value},
				...{ifMatch: call.req.header('if-match'), caller: call.get('caller')},
			};
			const outcome = await performIdempotent(asking, call.req.header('idempotency-key'));
			return outcome.ok ? reply.send(call, outcome.value) : reply.problem(call, outcome.refusal);
		};
};
