import {setMaxListeners} from 'node:events';
import {type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager} from '@nats-io/jetstream';
import {errors, type NatsConnection} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import type {Clock} from '../../ports/clock.ts';
import {closed, isNobody, isSilence, lost, unreachable} from './failure.ts';

/**
 * A connection with what is known of it. It comes back by itself; what is asked of it meanwhile fails at
 * once.
 */
export type Link = {
	readonly client: JetStreamClient;
	readonly manager: JetStreamManager;
	/** As people are shown it. */
	readonly address: string;
	/** Aborted when the connection is lost; there is a new one when it is back. */
	readonly held: () => AbortSignal;
	/**
	 * Does what needs the server. Throws `bus_unreachable` with the answer as its cause, at once when the
	 * connection is lost meanwhile, and `log_replaced` once `Recovery.check` has found that. A server that does
	 * not answer is a lost connection; what nobody on it listens for was not done, and is asked a few times
	 * more.
	 */
	readonly use: <Result>(work: () => Promise<Result>) => Promise<Result>;
	/** Resolves when the connection is there again, or with the signal. Throws once it will never be. */
	readonly back: (signal: AbortSignal) => Promise<void>;
	/** Calls at each change, until the signal. */
	readonly watch: (signal: AbortSignal, call: (isThere: boolean) => void) => void;
	/**
	 * Something on the server that this process has to let go of: the answer does so once, closing does for all
	 * that is left.
	 */
	readonly owe: (release: () => Promise<unknown>) => () => Promise<void>;
	readonly close: () => Promise<void>;
};

export type Recovery = {
	readonly clock: Clock;
	readonly address: string;
	/**
	 * Whether the store behind a connection that is back is the one from before: throws `log_replaced`, or what
	 * is tried again.
	 */
	readonly check: (manager: JetStreamManager) => Promise<void>;
};

/** How long an answer is waited for until the connection counts as lost. */
const answerMilliseconds = 5000;

/** A server takes connections before its streams are loaded. */
const loadingMilliseconds = 100;

/**
 * A stream that somebody makes is named before the server listens for its messages: what nobody heard is said
 * again after these.
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
				// What the server does not hear of it lets go of by itself.
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

/** All that is under way listens to it. */
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
