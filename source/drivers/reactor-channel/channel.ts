import type {Clock} from '../../ports/clock.ts';
import type {ReactorChannel} from '../../ports/reactor-channel.ts';
import {offerTo} from './ask.ts';
import {createReactorClient} from './reactor-client.ts';
import {type Server, startServer} from './server.ts';
import {statusAt, statusOf, statusRequest} from './status.ts';

/** Milliseconds between a subscriber's tries to find a new or restarted reactor. */
const seekIntervalMs = 200;

type ChannelOptions = {
	/** Socket of the reactor; a path of any length. */
	readonly socket: string;
	readonly clock: Clock;
	/** Max milliseconds that `status` and `offer` wait for an answer, in place of their defaults. */
	readonly answerTimeoutMs?: number;
};

/**
 * The channel of one machine: a socket that only its user may connect to. It opens nothing before the first
 * use.
 */
export const createReactorChannel = (options: ChannelOptions): ReactorChannel => {
	const {socket, clock, answerTimeoutMs: patienceMilliseconds} = options;
	const subscribers = new Set<{readonly notify: () => void}>();
	const notifySubscribers = () => {
		for (const {notify} of subscribers) notify();
	};
	const client = createReactorClient(socket, clock, {
		woken: notifySubscribers,
		onDisconnected: () => seekLater(),
	});
	let server: Server | undefined;
	let seeking: NodeJS.Timeout | undefined;
	/**
	 * True while subscribers look for the reactor: until they are connected, and never inside the reactor
	 * itself. So no timer wakes an idle process.
	 */
	const isSought = () => server === undefined && subscribers.size > 0;
	const seek = () => {
		clearTimeout(seeking);
		if (!isSought()) return;
		void client.listen().then(isListening => {
			if (!isListening) seekLater();
		});
	};
	const seekLater = () => {
		clearTimeout(seeking);
		if (isSought()) seeking = setTimeout(seek, seekIntervalMs).unref();
	};
	const notifyOthers = () => {
		if (server === undefined) client.notify();
		else server.notify();
	};
	const changed = () => {
		notifySubscribers();
		notifyOthers();
	};
	return {
		serve: async service => {
			client.end();
			const started = await startServer(socket, {...service, changed});
			server = started;
			seek();
			return async () => {
				server = undefined;
				seek();
				await started.stop();
			};
		},
		// Uses the open connection, so that frequent callers do not connect each time.
		status: async () => statusOf(await client.ask(statusRequest)) ?? statusAt(socket, patienceMilliseconds),
		offer: (raw, id) => offerTo(socket, raw, id, patienceMilliseconds),
		append: async (event, appendOptions) =>
			server === undefined ? client.append(event, appendOptions) : undefined,
		subscribe: call => {
			const subscriber = {notify: call};
			subscribers.add(subscriber);
			if (subscribers.size === 1) seek();
			return () => {
				subscribers.delete(subscriber);
				if (subscribers.size === 0) seek();
			};
		},
		notify: notifyOthers,
		close: async () => {
			client.end();
			await server?.stop();
		},
	};
};
