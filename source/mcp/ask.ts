import {exitCodes} from '../domain/error-table.ts';
import type {Act, QuestionSource} from '../domain/question.ts';
import {questionTaken} from '../domain/run-questions.ts';
import type {Emitted, ReceivedAnswer, RunChannel} from './run-channel.ts';

export type Asking = {
	readonly text: string;
	readonly options?: readonly string[] | undefined;
	readonly source: QuestionSource;
	readonly act?: Act;
};

export type Asked =
	| {readonly state: 'answered'; readonly answer: ReceivedAnswer}
	| {readonly state: 'refused'; readonly reason: string}
	/** The tool gave up. The question stays, and the answer goes to the next run. */
	| {readonly state: 'left'};

/** Words for an agent whose question was left. */
export const laterWords =
	'There is no answer yet. Do not guess: finish what does not depend on it, and end your run. You are run again with the answer.';

/** Milliseconds before the next try while the log cannot be reached. */
const retryMs = 500;

/**
 * Asks a person and waits for the answer. The question is in the log before anything waits, under an id that
 * makes a second try harmless.
 */
export const ask = async (channel: RunChannel, asking: Asking, signal: AbortSignal): Promise<Asked> => {
	const id = channel.eventId();
	const questionId = `q-${id}`;
	const payload = {kind: 'human.question', questionId, ...withoutEmpty(asking), waits: true};
	const reason = await publish(channel, {type: 'SIGNAL', payload}, id, signal);
	if (reason !== undefined) return {state: 'refused', reason};
	const answer = await channel.answer(questionId, signal);
	if (answer === undefined) {
		noteEnd(channel, questionId, false);
		return {state: 'left'};
	}
	// Only after the response is written does the run have the answer.
	setTimeout(() => noteEnd(channel, questionId, true), 0);
	return {state: 'answered', answer};
};

const withoutEmpty = ({options = [], ...asking}: Asking): object => ({
	...asking,
	...(options.length > 0 && {options}),
});

/** Returns why the question is refused; undefined once it is in the log, or the signal is aborted. */
const publish = async (
	channel: RunChannel,
	event: object,
	id: string,
	signal: AbortSignal,
): Promise<string | undefined> => {
	while (!signal.aborted) {
		const emitted = await channel.emit(event, id);
		if (emitted.exit === 0 || isKnown(emitted)) return undefined;
		if (emitted.exit !== exitCodes.unreachable) return reasonOf(emitted);
		await channel.pause(retryMs, signal);
	}
	return undefined;
};

/** An earlier try has published it, and its answer was lost. */
const isKnown = (emitted: Emitted): boolean => reasonOf(emitted).includes(questionTaken);

/** An end that is lost would give the run its answer again, in another run. */
const noteEnd = (channel: RunChannel, questionId: string, delivered: boolean): void =>
	channel.leave({type: 'SIGNAL', payload: {kind: 'ask.ended', questionId, delivered}}, channel.eventId());

/** Why an event was refused, in words for the agent. */
export const reasonOf = ({json: {error, details}}: Emitted): string => {
	const all: readonly unknown[] = Array.isArray(details) ? details : [];
	const words = all.map(detail => {
		const {path = '', message = ''}: {readonly path?: string; readonly message?: string} = {
			...Object(detail),
		};
		return `${path} ${message}`.trim();
	});
	return words.join('; ') || String(error ?? 'refused');
};
