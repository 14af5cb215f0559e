import {HiveError} from '../../source/domain/errors.ts';
import type {ReactorAnswer, ReactorChannel, ReactorService} from '../../source/ports/reactor-channel.ts';

/** Creates channels in one process: each stands for its own process, and one of them may serve. */
export const createMemoryChannels = () => {
	const subscribers = new Set<{readonly owner: symbol; readonly wake: () => void}>();
	let serving: {readonly owner: symbol; readonly service: ReactorService} | undefined;
	let stopped = () => {};
	let ends = new Promise<undefined>(resolve => {
		stopped = () => resolve(undefined);
	});

	/** Resolves to undefined if the reactor stops first. */
	const answered = async <Answer>(answer: Promise<Answer | undefined>): Promise<Answer | undefined> =>
		Promise.race([answer, ends]);
	const stop = () => {
		serving = undefined;
		stopped();
	};

	/** @param patienceMilliseconds how long `offer` waits for an answer */
	return (patienceMilliseconds: number): ReactorChannel => {
		const owner = Symbol('process');
		const others = () => (serving?.owner === owner ? undefined : serving?.service);
		return {
			serve: async service => {
				ends = new Promise<undefined>(resolve => {
					stopped = () => resolve(undefined);
				});
				serving = {owner, service};
				return async () => stop();
			},
			status: async () => serving?.service.status(),
			offer: async (raw, id) => {
				const service = serving?.service;
				if (service === undefined) return undefined;
				const late = new Promise<undefined>(resolve => {
					setTimeout(() => resolve(undefined), patienceMilliseconds).unref();
				});
				return answered(Promise.race([service.emit(raw, id).then(accepted, refused), late]));
			},
			append: async (...given) => {
				const service = others();
				return service && answered(service.append(...given).catch(() => undefined));
			},
			subscribe: wake => {
				const subscriber = {owner, wake};
				subscribers.add(subscriber);
				if (serving !== undefined) queueMicrotask(wake);
				return () => void subscribers.delete(subscriber);
			},
			notify: () => {
				if (serving === undefined) return;
				for (const subscriber of subscribers) if (subscriber.owner !== owner) subscriber.wake();
			},
			close: async () => {
				if (serving?.owner === owner) stop();
			},
		};
	};
};

const accepted = (value: unknown): ReactorAnswer => ({ok: true, value});

const refused = (error: unknown): ReactorAnswer => {
	if (!(error instanceof HiveError)) return {ok: false, error: {code: 'internal', message: String(error)}};
	const {code, message, hint} = error.refusal;
	return {ok: false, error: {code, message, hint}};
};
