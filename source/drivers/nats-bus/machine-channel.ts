import {randomUUID} from 'node:crypto';
import type {Msg, NatsConnection} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import type {MachineChannel} from '../../ports/machine-channel.ts';
import type {Objects} from './blobs.ts';
import {hasNoResponders, isTimeout} from './failure.ts';
import type {NatsClient} from './nats-client.ts';

/** Max milliseconds for a place to answer that it listens. */
const helloTimeoutMs = 2000;
/** Max milliseconds for a place to answer a question: a merge runs the repository's own merge programs. */
const answerTimeoutMs = 60_000;
/** Max bytes of a text in a message. A longer text goes through the object store. */
const maxInlineBytes = 256 * 1024;

/**
 * True for the name of a text that went through the object store. No other object is read or removed for a
 * request.
 */
const isPassed = (object: string): boolean => /^passed-[0-9a-f-]{36}$/.test(object);
const isProcess = (name: string): boolean => /^[0-9a-f-]{36}$/.test(name);

/**
 * A channel that asks in two steps. The first request asks whether a process listens; the second sends the
 * question to the process that answered. A process that wakes late answers the first request in vain, and so
 * does nothing.
 *
 * @param subjectOf returns the subject of a place
 */
export const createMachineChannel = (
	nats: NatsClient,
	connection: NatsConnection,
	objects: Objects,
	subjectOf: (machine: string) => string,
): MachineChannel => {
	const write = async (value: unknown): Promise<string> => {
		const text = JSON.stringify(value);
		if (Buffer.byteLength(text) <= maxInlineBytes) return JSON.stringify({text});
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
	/**
	 * Returns the answer, `nobody` if no process listens on the subject, or `late` if the answer did not come
	 * in time.
	 */
	const request = (subject: string, body: string, timeout: number): Promise<Msg | 'nobody' | 'late'> =>
		nats.use(() =>
			connection.request(subject, body, {timeout}).catch((error: unknown) => {
				if (hasNoResponders(error)) return 'nobody' as const;
				if (isTimeout(error)) return 'late' as const;
				throw error;
			}),
		);
	const respond = async (message: Msg, answer: (question: unknown) => Promise<unknown>): Promise<void> => {
		try {
			message.respond(await write(await answer(await read(message))));
		} catch {
			// The asker learns of the failure by its timeout.
		}
	};
	return {
		serve: (machine, answer, signal) => {
			const own = randomUUID();
			// If this account may not subscribe here, it receives no questions, and everything else goes on.
			const listen = (subject: string, call: (message: Msg) => void) =>
				connection.subscribe(subject, {callback: (error, message) => void (error ?? call(message))});
			const subscriptions = [
				listen(subjectOf(machine), message => message.respond(own)),
				listen(`${subjectOf(machine)}.${own}`, message => void respond(message, answer)),
			];
			const end = () => {
				for (const subscription of subscriptions) subscription.unsubscribe();
			};
			signal.addEventListener('abort', end, {once: true});
		},
		ask: async (machine, question) => {
			const hello = await request(subjectOf(machine), '', helloTimeoutMs);
			if (typeof hello === 'string' || !isProcess(hello.string())) return undefined;
			const subject = `${subjectOf(machine)}.${hello.string()}`;
			const answered = await request(subject, await write(question), answerTimeoutMs);
			if (answered === 'nobody') return undefined;
			if (answered === 'late')
				throw new HiveError('timeout', {
					message: `The other machine gave no answer within ${answerTimeoutMs / 1000} seconds.`,
					hint: 'Check whether it was done with "hive status" or "hive replay <trace>".',
				});
			return {answer: await read(answered)};
		},
	};
};
