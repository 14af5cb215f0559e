import {answers, isAnswer} from './failure.ts';
import type {NatsClient} from './nats-client.ts';

/**
 * Opens a store of the server, which creates it if it is missing. It does so at the first call, and again
 * after the connection was lost: the server may be another one by then. After a failure the next call
 * retries.
 */
export const openOnce = <Store>(nats: NatsClient, create: () => Promise<Store>): (() => Promise<Store>) => {
	let opening: {readonly held: AbortSignal; readonly store: Promise<Store>} | undefined;
	const open = async (): Promise<Store> => {
		try {
			return await nats.use(create);
		} catch (error) {
			// Another process created it at the same moment, so it exists now.
			if (isAnswer(error, answers.nameTaken)) return nats.use(create);
			throw error;
		}
	};
	return () => {
		const connectionSignal = nats.connectionSignal();
		if (opening?.held === connectionSignal) return opening.store;
		const own = {held: connectionSignal, store: open()};
		opening = own;
		own.store.catch(() => {
			if (opening === own) opening = undefined;
		});
		return own.store;
	};
};
