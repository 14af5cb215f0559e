import {randomUUID} from 'node:crypto';
import type {Msg, NatsConnection} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import type {PlaceChannel} from '../../ports/place-channel.ts';
import type {Objects} from './blobs.ts';
import {isSilence} from './failure.ts';
import type {Link} from './link.ts';

/** How long a place has to say that it listens. */
const helloMilliseconds = 2000;
/** How long it has for its answer: a merge runs what the repository has for merges. */
const answerMilliseconds = 60_000;
/** A longer text goes by way of the object store. */
const longest = 256 * 1024;

/**
 * Two questions: whether somebody listens, then what is asked, to the process that said so. One that wakes late says so to nobody,
 * and does nothing.
 *
 * @param subjectOf where a place is asked
 */
export const createPlaceChannel = (
	link: Link,
	connection: NatsConnection,
	objects: Objects,
	subjectOf: (place: string) => string,
): PlaceChannel => {
	const write = async (value: unknown): Promise<string> => {
		const text = JSON.stringify(value);
		if (Buffer.byteLength(text) <= longest) return JSON.stringify({text});
		const object = randomUUID();
		await objects.put(object, text);
		return JSON.stringify({object});
	};
	const read = async (message: Msg): Promise<unknown> => {
		const {text, object} = message.json<{text?: string; object?: string}>();
		if (object === undefined) return JSON.parse(text ?? '');
		const kept = await objects.get(object);
		await objects.remove(object);
		return JSON.parse(kept ?? '');
	};
	/** Nothing when nobody answers in time. */
	const request = (subject: string, body: string, timeout: number): Promise<Msg | undefined> =>
		link.use(() =>
			connection.request(subject, body, {timeout}).catch((error: unknown) => {
				if (isSilence(error)) return undefined;
				throw error;
			}),
		);
	const respond = async (message: Msg, answer: (question: unknown) => Promise<unknown>): Promise<void> => {
		try {
			message.respond(await write(await answer(await read(message))));
		} catch {
			// Whoever asked is told so by the time that passes.
		}
	};
	return {
		serve: (place, answer, signal) => {
			const own = `${subjectOf(place)}.${randomUUID()}`;
			const subscriptions = [
				connection.subscribe(subjectOf(place), {callback: (_, message) => void message.respond(own)}),
				connection.subscribe(own, {callback: (_, message) => void respond(message, answer)}),
			];
			const end = () => {
				for (const subscription of subscriptions) subscription.unsubscribe();
			};
			signal.addEventListener('abort', end, {once: true});
		},
		ask: async (place, question) => {
			const hello = await request(subjectOf(place), '', helloMilliseconds);
			if (hello === undefined) return undefined;
			const answered = await request(hello.string(), await write(question), answerMilliseconds);
			if (answered === undefined)
				throw new HiveError('timeout', {
					message: `The place that was asked gave no answer within ${answerMilliseconds / 1000} seconds.`,
					hint: 'Look whether it was done: "hive status", "hive replay <trace>".',
				});
			return {answer: await read(answered)};
		},
	};
};
