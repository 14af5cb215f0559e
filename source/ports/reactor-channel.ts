import type {Detail} from '../domain/errors.ts';
import type {NewEvent} from '../domain/event.ts';
import type {Appended, AppendOptions} from './bus.ts';

/** What the reactor of a checkout says of itself. */
export type ReactorStatus = {
	readonly pid: number;
	readonly startedAt: string;
	readonly idle: boolean;
	/** Where its log is, as `Bus.address` has it. */
	readonly bus: string;
	/** The trace that it works on, when that is the only one. */
	readonly only?: string | undefined;
	/** What is wrong with its configuration, and what of the files it does not use yet. */
	readonly problems: readonly Detail[];
};

/**
 * What a reactor said to an event that was offered; `code` is one of the error table, where this hive knows
 * it.
 */
export type ReactorAnswer =
	| {readonly ok: true; readonly value?: unknown}
	| {
			readonly ok: false;
			readonly error: {readonly code: string; readonly message: string; readonly hint?: string};
	  };

/** What a reactor does for the other processes. What `append` and `emit` throw is answered as an error. */
export type ReactorService = {
	/** Appends what another process has checked. Many that come together may be one commit. */
	readonly append: (event: NewEvent, options: AppendOptions) => Promise<Appended>;
	/**
	 * Validates and appends what a command read. `id` is the sender's, when it gave one: the same id is the
	 * same event.
	 */
	readonly emit: (raw: unknown, id: string | undefined) => Promise<unknown>;
	readonly status: () => ReactorStatus;
};

/**
 * How the processes of a checkout reach its live reactor, and wake each other. One process serves, the others
 * ask.
 */
export type ReactorChannel = {
	/**
	 * Answers everybody until what it returns is called. Only for the process that holds the lock of the
	 * reactor, for as long as it does. Throws `bus_unreachable` when nobody could reach it.
	 */
	readonly serve: (service: ReactorService) => Promise<() => Promise<void>>;
	/** Nothing when no reactor is alive, or none answers in time. */
	readonly status: () => Promise<ReactorStatus | undefined>;
	/**
	 * Hands an event, as read, to the reactor. Nothing when none is alive, and also when its answer is late or
	 * lost: append it under the same id then, which does no harm.
	 */
	readonly offer: (raw: unknown, id: string) => Promise<ReactorAnswer | undefined>;
	/**
	 * Nothing when no other process took it, or none said so: append it to the store then, under the same id.
	 */
	readonly append: (event: NewEvent, options: AppendOptions) => Promise<Appended | undefined>;
	/**
	 * Calls back when somebody else may have changed the store, until what it returns is called. Only a hint:
	 * it finds reactors that come and go, but what changes while none is alive is not notified. Does not keep
	 * the process alive.
	 */
	readonly subscribe: (wake: () => void) => () => void;
	/**
	 * This process has changed the store by itself: wakes those who subscribed in the others, once it has met
	 * the reactor, by an append or a subscription.
	 */
	readonly wake: () => void;
	/** Stops serving and lets go of everybody. */
	readonly close: () => Promise<void>;
};
