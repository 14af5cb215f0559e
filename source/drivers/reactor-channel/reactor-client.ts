import type {NewEvent} from '../../domain/event.ts';
import type {Appended, AppendOptions} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import {addressOfListener} from '../private-socket/address.ts';
import {type Connection, type ConnectionEvents, openConnection} from './connection.ts';
import type {Answer} from './protocol.ts';

/** Milliseconds before the next try, after a reactor was absent, or has stopped answering. */
const absentRetryMs = 200;
const silentRetryMs = 5000;

/**
 * The way to the reactor that holds the machine's lock. It opens a connection on demand, if there is a
 * reactor.
 */
export type ReactorClient = {
	/** Returns undefined if no reactor confirmed the append: then append to the store, under the same id. */
	readonly append: (event: NewEvent, options: AppendOptions) => Promise<Appended | undefined>;
	/**
	 * Asks to be notified for as long as this connection stays. Resolves true if there is a connection.
	 * Idempotent.
	 */
	readonly listen: () => Promise<boolean>;
	/** Resolves with the answer on the open connection; undefined if there is none, or it is lost first. */
	readonly ask: (message: object) => Promise<Answer | undefined>;
	/** Notifies the other processes of a change that went to the store directly. */
	readonly notify: () => void;
	readonly end: () => void;
};

type ReactorClientEvents = Pick<ConnectionEvents, 'woken'> & {
	/** The connection on which this process listened is lost. */
	readonly onDisconnected: () => void;
};

export const createReactorClient = (
	socket: string,
	clock: Clock,
	{woken, onDisconnected: parted}: ReactorClientEvents,
): ReactorClient => {
	let opening: Promise<Connection | undefined> | undefined;
	let current: Connection | undefined;
	let listening = false;
	let quietUntil = 0;
	let generation = 0;

	const backOff = (delayMs: number) => {
		generation += 1;
		opening = undefined;
		current = undefined;
		listening = false;
		quietUntil = clock.elapsed() + delayMs;
	};
	const dial = async () => {
		const mine = generation;
		const handleLoss = (silent: boolean) => {
			if (mine !== generation) return;
			const hadListened = listening;
			backOff(silent ? silentRetryMs : absentRetryMs);
			if (hadListened) parted();
		};
		const address = await addressOfListener(socket);
		if (address === undefined) {
			handleLoss(false);
			return undefined;
		}
		const connection = await openConnection(address, {woken, onLost: handleLoss});
		if (mine !== generation) {
			connection?.end();
			return undefined;
		}
		current = connection;
		return connection;
	};
	const connection = async () => {
		if (current) return current;
		if (clock.elapsed() < quietUntil) return undefined;
		opening ??= dial();
		return opening;
	};

	return {
		append: async (event, {id, after}) => {
			const open = await connection();
			return appendedOf(await open?.request({op: 'append', id, after, event}));
		},
		listen: async () => {
			const open = await connection();
			if (!open || listening) return listening;
			listening = true;
			await open.request({op: 'listen'});
			woken();
			return listening;
		},
		ask: async message => current?.request(message),
		notify: () => current?.send({op: 'changed'}),
		end: () => {
			current?.end();
			backOff(0);
		},
	};
};

/**
 * Reads the answer to an append. Any refusal by the reactor is undefined: the store then gives the reason.
 */
const appendedOf = (answer: Answer | undefined): Appended | undefined => {
	if (!answer?.ok || typeof answer.value !== 'object' || answer.value === null) return undefined;
	const {value} = answer;
	if ('sequence' in value && typeof value.sequence === 'number')
		return {ok: true, sequence: value.sequence, duplicate: 'duplicate' in value && value.duplicate === true};
	return 'last' in value && typeof value.last === 'number' ? {ok: false, last: value.last} : undefined;
};
