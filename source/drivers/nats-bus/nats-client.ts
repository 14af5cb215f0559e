import {setMaxListeners} from 'node:events';
import {type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager} from '@nats-io/jetstream';
import {errors, type NatsConnection} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import type {Clock} from '../../ports/clock.ts';
import {closed, connectionLost, hasNoResponders, isTimeout, unreachable} from './failure.ts';

/**
 * A connection to a server, with its state. It reconnects by itself. Calls made while it is lost fail at
 * once.
 */
export type NatsClient = {
	readonly client: JetStreamClient;
	readonly manager: JetStreamManager;
	/** The address as people see it. */
	readonly address: string;
	/** Aborts when the connection is lost. After a reconnect, `held` returns a new signal. */
	readonly connectionSignal: () => AbortSignal;
	/**
	 * Does work that needs the server. Throws `bus_unreachable` with the answer as its cause, at once if the
	 * connection is lost meanwhile. Throws `log_replaced` once `Recovery.check` has found that. A server that
	 * does not answer counts as a lost connection. A request that had no subscriber was not carried out, and is
	 * retried a few times.
	 */
	readonly use: <Result>(work: () => Promise<Result>) => Promise<Result>;
	/** Resolves when the connection is back, or when the signal aborts. Throws once it can never come back. */
	readonly untilConnected: (signal: AbortSignal) => Promise<void>;
	/** Calls at each change, until the signal aborts. */
	readonly watch: (signal: AbortSignal, call: (isThere: boolean) => void) => void;
	/**
	 * Registers something on the server that this process must release. The result releases it, once; `close`
	 * releases everything that is left.
	 */
	readonly registerRelease: (release: () => Promise<unknown>) => () => Promise<void>;
	readonly close: () => Promise<void>;
};

export type Recovery = {
	readonly clock: Clock;
	readonly address: string;
	/**
	 * Checks, after a reconnect, that the store is the one from before. Throws `log_replaced` if it is not;
	 * after any other error the check is retried.
	 */
	readonly check: (manager: JetStreamManager) => Promise<void>;
};

/** Max milliseconds to wait for an answer. After that the connection counts as lost. */
const answerTimeoutMs = 5000;

/**
 * Milliseconds between checks after a reconnect: a server accepts connections before its streams are loaded.
 */
const loadingRetryMs = 100;

/**
 * Milliseconds before each retry of a request that had no subscriber. A server names a new stream before it
 * listens for the stream's messages.
 */
const requestRetryDelaysMs = [20, 80, 320];

export const createNatsClient = async (
	connection: NatsConnection,
	{clock, address, check}: Recovery,
): Promise<NatsClient> => {
	const client = jetstream(connection, {timeout: answerTimeoutMs});
	const manager = await jetstreamManager(connection, {timeout: answerTimeoutMs, checkAPI: false});
	const watchers = new Set<(isThere: boolean) => void>();
	let controller = createConnectionController();
	let fault: HiveError | undefined;
	let recoveries = 0;

	const notifyWatchers = (isThere: boolean): void => {
		for (const call of [...watchers]) call(isThere);
	};
	const handleDisconnect = (): void => {
		recoveries += 1;
		if (controller.signal.aborted) return;
		controller.abort();
		notifyWatchers(false);
	};
	const end = (reason: HiveError): void => {
		fault ??= reason;
		handleDisconnect();
		notifyWatchers(false);
	};
	const recover = async (): Promise<void> => {
		recoveries += 1;
		const recovery = recoveries;
		try {
			await check(manager);
		} catch (error) {
			if (error instanceof HiveError && error.refusal.code === 'log_replaced') return end(error);
			clock.after(loadingRetryMs, () => void (recovery === recoveries && recover()));
			return;
		}
		if (recovery !== recoveries || fault) return;
		controller = createConnectionController();
		notifyWatchers(true);
	};
	const renew = (silence: unknown): void => {
		handleDisconnect();
		if (silence instanceof errors.TimeoutError) void connection.reconnect();
		else void recover();
	};
	const watchConnection = async (): Promise<void> => {
		for await (const {type} of connection.status()) {
			if (type === 'disconnect' || type === 'staleConnection') handleDisconnect();
			if (type === 'reconnect') void recover();
		}
	};
	void watchConnection();
	void connection.closed().then(error => end(error ? unreachable(address, error) : closed(address)));

	const watch: NatsClient['watch'] = (signal, call) => {
		if (signal.aborted) return;
		watchers.add(call);
		signal.addEventListener('abort', () => watchers.delete(call), {once: true});
	};
	const withRetries = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		for (const delayMs of requestRetryDelaysMs) {
			try {
				return await work();
			} catch (error) {
				if (!hasNoResponders(error)) throw error;
			}
			await new Promise<void>(resolve => clock.after(delayMs, resolve));
		}
		return work();
	};
	const use: NatsClient['use'] = async work => {
		const {signal} = controller;
		if (signal.aborted) throw fault ?? connectionLost(address);
		try {
			return await untilAborted(
				() => withRetries(work),
				signal,
				() => fault ?? connectionLost(address),
			);
		} catch (error) {
			if (isTimeout(error) && signal === controller.signal) renew(error);
			throw error instanceof HiveError ? error : unreachable(address, error);
		}
	};
	const owed = new Set<() => Promise<void>>();
	return {
		...{client, manager, address, watch, use},
		connectionSignal: () => controller.signal,
		untilConnected: signal =>
			new Promise((resolve, reject) => {
				const over = new AbortController();
				const settle = () => {
					if (controller.signal.aborted && !fault && !signal.aborted) return;
					over.abort();
					if (fault && !signal.aborted) reject(fault);
					else resolve();
				};
				signal.addEventListener('abort', settle, {once: true, signal: over.signal});
				watch(over.signal, settle);
				settle();
			}),
		registerRelease: release => {
			const once = async () => {
				// If this request is lost, the server releases it by itself.
				if (owed.delete(once)) await use(release).catch(() => {});
			};
			owed.add(once);
			return once;
		},
		close: async () => {
			await Promise.all([...owed].map(release => release()));
			end(closed(address));
			await connection.close();
		},
	};
};

/** Creates a controller without a limit of listeners, since every pending call listens to it. */
const createConnectionController = (): AbortController => {
	const hold = new AbortController();
	setMaxListeners(0, hold.signal);
	return hold;
};

const untilAborted = <Result>(
	work: () => Promise<Result>,
	signal: AbortSignal,
	reason: () => Error,
): Promise<Result> =>
	new Promise((resolve, reject) => {
		const abort = () => reject(reason());
		signal.addEventListener('abort', abort, {once: true});
		work()
			.then(resolve, reject)
			.finally(() => signal.removeEventListener('abort', abort));
	});
