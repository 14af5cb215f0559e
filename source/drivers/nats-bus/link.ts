import {setMaxListeners} from 'node:events';
import {type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager} from '@nats-io/jetstream';
import {errors, type NatsConnection} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import type {Clock} from '../../ports/clock.ts';
import {closed, isNobody, isSilence, lost, unreachable} from './failure.ts';

/**
 * A connection to a server, with its state. It reconnects by itself. Calls made while it is lost fail at
 * once.
 */
export type Link = {
	readonly client: JetStreamClient;
	readonly manager: JetStreamManager;
	/** The address as people see it. */
	readonly address: string;
	/** Aborts when the connection is lost. After a reconnect, `held` returns a new signal. */
	readonly held: () => AbortSignal;
	/**
	 * Does work that needs the server. Throws `bus_unreachable` with the answer as its cause, at once if the
	 * connection is lost meanwhile. Throws `log_replaced` once `Recovery.check` has found that. A server that
	 * does not answer counts as a lost connection. A request that had no subscriber was not carried out, and is
	 * retried a few times.
	 */
	readonly use: <Result>(work: () => Promise<Result>) => Promise<Result>;
	/** Resolves when the connection is back, or when the signal aborts. Throws once it can never come back. */
	readonly back: (signal: AbortSignal) => Promise<void>;
	/** Calls at each change, until the signal aborts. */
	readonly watch: (signal: AbortSignal, call: (isThere: boolean) => void) => void;
	/**
	 * Registers something on the server that this process must release. The result releases it, once; `close`
	 * releases everything that is left.
	 */
	readonly owe: (release: () => Promise<unknown>) => () => Promise<void>;
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
const answerMilliseconds = 5000;

/**
 * Milliseconds between checks after a reconnect: a server accepts connections before its streams are loaded.
 */
const loadingMilliseconds = 100;

/**
 * Milliseconds before each retry of a request that had no subscriber. A server names a new stream before it
 * listens for the stream's messages.
 */
const unheardMilliseconds = [20, 80, 320];

export const createLink = async (
	connection: NatsConnection,
	{clock, address, check}: Recovery,
): Promise<Link> => {
	const client = jetstream(connection, {timeout: answerMilliseconds});
	const manager = await jetstreamManager(connection, {timeout: answerMilliseconds, checkAPI: false});
	const watchers = new Set<(isThere: boolean) => void>();
	let held = createHold();
	let fault: HiveError | undefined;
	let recoveries = 0;

	const tell = (isThere: boolean): void => {
		for (const call of [...watchers]) call(isThere);
	};
	const lose = (): void => {
		recoveries += 1;
		if (held.signal.aborted) return;
		held.abort();
		tell(false);
	};
	const end = (reason: HiveError): void => {
		fault ??= reason;
		lose();
		tell(false);
	};
	const recover = async (): Promise<void> => {
		recoveries += 1;
		const recovery = recoveries;
		try {
			await check(manager);
		} catch (error) {
			if (error instanceof HiveError && error.refusal.code === 'log_replaced') return end(error);
			clock.after(loadingMilliseconds, () => void (recovery === recoveries && recover()));
			return;
		}
		if (recovery !== recoveries || fault) return;
		held = createHold();
		tell(true);
	};
	const renew = (silence: unknown): void => {
		lose();
		if (silence instanceof errors.TimeoutError) void connection.reconnect();
		else void recover();
	};
	const watchConnection = async (): Promise<void> => {
		for await (const {type} of connection.status()) {
			if (type === 'disconnect' || type === 'staleConnection') lose();
			if (type === 'reconnect') void recover();
		}
	};
	void watchConnection();
	void connection.closed().then(error => end(error ? unreachable(address, error) : closed(address)));

	const watch: Link['watch'] = (signal, call) => {
		if (signal.aborted) return;
		watchers.add(call);
		signal.addEventListener('abort', () => watchers.delete(call), {once: true});
	};
	const heard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		for (const milliseconds of unheardMilliseconds) {
			try {
				return await work();
			} catch (error) {
				if (!isNobody(error)) throw error;
			}
			await new Promise<void>(resolve => clock.after(milliseconds, resolve));
		}
		return work();
	};
	const use: Link['use'] = async work => {
		const {signal} = held;
		if (signal.aborted) throw fault ?? lost(address);
		try {
			return await untilAborted(
				() => heard(work),
				signal,
				() => fault ?? lost(address),
			);
		} catch (error) {
			if (isSilence(error) && signal === held.signal) renew(error);
			throw error instanceof HiveError ? error : unreachable(address, error);
		}
	};
	const owed = new Set<() => Promise<void>>();
	return {
		...{client, manager, address, watch, use},
		held: () => held.signal,
		back: signal =>
			new Promise((resolve, reject) => {
				const over = new AbortController();
				const look = () => {
					if (held.signal.aborted && !fault && !signal.aborted) return;
					over.abort();
					if (fault && !signal.aborted) reject(fault);
					else resolve();
				};
				signal.addEventListener('abort', look, {once: true, signal: over.signal});
				watch(over.signal, look);
				look();
			}),
		owe: release => {
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
const createHold = (): AbortController => {
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
