import type {Surroundings} from '../../host/host.ts';
import {answerMachine} from '../../host/machines/answer-machine.ts';
import type {OpenColony} from '../opened-colony.ts';

/** Resolves when no answer is pending. */
type Settled = () => Promise<unknown>;

/** Answers questions of other places of the colony, until the signal aborts. */
export const serveMachines = (
	{context, bus, secrets}: OpenColony,
	{faults, signal}: Pick<Surroundings, 'faults'> & {readonly signal: AbortSignal},
): Settled => {
	const answering = new Set<Promise<unknown>>();
	const answer = (question: unknown): Promise<unknown> => {
		const answered = answerMachine(context, question, {secrets: secrets.values, faults, signal});
		answering.add(answered);
		return answered.finally(() => answering.delete(answered));
	};
	bus.machines?.serve(context.checkout, answer, signal);
	return () => Promise.allSettled(answering);
};
