import {randomUUID} from 'node:crypto';
import type {Msg, NatsConnection} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import type {PlaceChannel} from '../../ports/place-channel.ts';
import type {Objects} from './blobs.ts';
import {isNobody, isSilence} from './failure.ts';
import type {Link} from './link.ts';

/** How long a place has to say that it listens. */
const helloMilliseconds = 2000;
/** How long it has for its answer: a merge runs what the repository has for merges. */
const answerMilliseconds = 60_000;
/** A longer text goes by way of the object store. */
const longest = 256 * 1024;

/** What went by way of the object store. Nothing else there is read or removed for an asker. */
const isPassed = (object: string): boolean => /^passed-[0-9a-f-]{36}$/.test(object);
const isProcess = (name: string): boolean => /^[0-9a-f-]{36}$/.test(name);

/**
 * Two questions: whether somebody listens, then what is asked, to the process that said so. One that wakes
 * late says so to nobody, and does nothing.
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
		const object = `passed-${randomUUID()}`;
		await objects.put(object, text);
		return JSON.stringify({object});
	};
	const read = async (message: Msg): Promise<unknown> => {
		const {text, object} = message.json<{text?: string; object?: string}>();
		if (object === undefined || !isPassed(object)) return JSON.parse(text ?? '');
		const passed = await objects.get(object);
		await objects.remove(object);
		return JSON.parse(passed ?? '');
	};
	/** `nobody` listens there, or answers in time: then `late`. */
	const request = (subject: string, body: string, timeout: number): Promise<Msg | 'nobody' | 'late'> =>
		link.use(() =>
			connection.request(subject, body, {timeout}).catch((error: unknown) => {
				if (isNobody(error)) return 'nobody' as const;
				if (isSilence(error)) return 'late' as const;
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
			const own = randomUUID();
			// An account that may not listen there is asked nothing: everything else of it goes on.
			const listen = (subject: string, call: (message: Msg) => void) =>
				connection.subscribe(subject, {callback: (error, message) => void (error ?? call(message))});
			const subscriptions = [
				listen(subjectOf(place), message => message.respond(own)),
				listen(`${subjectOf(place)}.${own}`, message => void respond(message, answer)),
			];
			const end = () => {
				for (const subscription of subscriptions) subscription.unsubscribe();
			};
			signal.addEventListener('abort', end, {once: true});
		},
		ask: async (place, question) => {
			const hello = await request(subjectOf(place), '', helloMilliseconds);
			if (typeof hello === 'string' || !isProcess(hello.string())) return undefined;
			const subject = `${subjectOf(place)}.${hello.string()}`;
			const answered = await request(subject, await write(question), answerMilliseconds);
			if (answered === 'nobody') return undefined;
			if (answered === 'late')
				throw new HiveError('timeout', {
					message: `The place that was asked gave no answer within ${answerMilliseconds / 1000} seconds.`,
					hint: 'Look whether it was done: "hive status", "hive replay <trace>".',
				});
			return {answer: await read(answered)};
		},
	};
};
