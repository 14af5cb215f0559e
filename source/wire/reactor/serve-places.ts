import type {Surroundings} from '../../host/host.ts';
import {answerPlace} from '../../host/machines/answer-place.ts';
import type {OpenColony} from '../opened-colony.ts';

/** Resolves when no answer is under way. */
type Settled = () => Promise<unknown>;

/** Answers what other places of the colony ask of this one, until the signal. */
export const servePlaces = (
	{context, bus, secrets}: OpenColony,
	{faults, signal}: Pick<Surroundings, 'faults'> & {readonly signal: AbortSignal},
): Settled => {
	const answering = new Set<Promise<unknown>>();
	const answer = (question: unknown): Promise<unknown> => {
		const answered = answerPlace(context, question, {secrets: secrets.values, faults, signal});
		answering.add(answered);
		return answered.finally(() => answering.delete(answered));
	};
	bus.places?.serve(context.checkout, answer, signal);
	return () => Promise.allSettled(answering);
};
