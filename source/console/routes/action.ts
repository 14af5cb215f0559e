import {accepted, type Outcome} from '../../domain/errors.ts';
import type {ActionId} from '../../host/actions/table.ts';
import {type Asking, act} from '../act.ts';
import {addresses} from '../addresses.ts';
import {readCallersBody} from '../body.ts';
import {type Call, namedIn} from '../call.ts';
import {credentialOf} from '../caller.ts';
import type {Callers} from '../callers.ts';
import {refusedFor} from '../problem.ts';
import {type Answer, createRemembered} from '../remembered.ts';
import type {Reply} from '../reply.ts';
import type {World} from '../world.ts';

/** Answers requests for actions. An `Idempotency-Key` applies across all of them. */
export const createActionRoutes = (world: World, callers: Callers, reply: Reply) => {
	const remembered = createRemembered();
	const perform = async (asking: Asking): Promise<Answer> => {
		const refuseFault = (error: unknown) => refusedFor(error, world.host.faults);
		const done = await act(world.context, world.model, asking).catch(refuseFault);
		if (!done.ok) return reply.problemAnswerOf(done.refusal);
		return reply.answerOf(done.value, addresses[asking.id].makes ? 201 : 200);
	};
	const performOnce = async (asking: Asking, key: string | undefined): Promise<Outcome<Answer>> => {
		if (key === undefined) return accepted(await perform(asking));
		const {id, named, body, seen, caller} = asking;
		const request = JSON.stringify([id, named, body, seen]);
		return remembered.once(`${credentialOf(caller)} ${key}`, request, () => perform(asking));
	};
	return (id: ActionId) =>
		async (call: Call): Promise<Response> => {
			const body = await readCallersBody(call, callers);
			if (!body.ok) return reply.problem(call, body.refusal);
			const asking = {
				...{id, named: namedIn(call), body: body.value},
				...{seen: call.req.header('if-match'), caller: call.get('caller')},
			};
			const answered = await performOnce(asking, call.req.header('idempotency-key'));
			return answered.ok ? reply.send(call, answered.value) : reply.problem(call, answered.refusal);
		};
};
