import type {Detail} from '../domain/errors.ts';
import type {NewEvent} from '../domain/event.ts';
import type {Appended, AppendOptions} from './bus.ts';

/** Status that the reactor of a checkout reports. */
export type ReactorStatus = {
	readonly pid: number;
	readonly startedAt: string;
	readonly idle: boolean;
	/** Where its log is, as in `Bus.address`. */
	readonly bus: string;
	/** The only trace that it works on; absent if it works on all. */
	readonly only?: string | undefined;
	/** Errors in its configuration, and configuration files that it does not use yet. */
	readonly problems: readonly Detail[];
};

/**
 * A reactor's answer to an offered event. `code` is one of the error table, if this version of hive knows it.
 */
export type ReactorAnswer =
	| {readonly ok: true; readonly value?: unknown}
	| {
			readonly ok: false;
			readonly error: {readonly code: string; readonly message: string; readonly hint?: string};
	  };

/**
 * What a reactor does for other processes. Errors thrown by `append` and `emit` are returned to the caller as
 * answers.
 */
export type ReactorService = {
	/** Appends an event that another process has validated. Concurrent appends may share one commit. */
	readonly append: (event: NewEvent, options: AppendOptions) => Promise<Appended>;
	/**
	 * Validates and appends an event that a command read. `id` is the sender's, if given; the same id means the
	 * same event.
	 */
	readonly emit: (raw: unknown, id: string | undefined) => Promise<unknown>;
	/** Resolves when a person answers the question; with undefined when the asker is gone. */
	readonly answer: (question: QuestionName, signal: AbortSignal) => Promise<unknown>;
	readonly status: () => ReactorStatus;
};

export type QuestionName = {readonly traceId: string; readonly questionId: string};

/**
 * How the processes of a checkout reach its live reactor and notify each other. One process serves; the
 * others ask.
 */
export type ReactorChannel = {
	/**
	 * Answers all requests until the returned function is called. Only the process that holds the reactor's
	 * lock may call it, and only while it holds it. Throws `bus_unreachable` if no other process could connect.
	 */
	readonly serve: (service: ReactorService) => Promise<() => Promise<void>>;
	/** Returns `undefined` if no reactor is alive or none answers in time. */
	readonly status: () => Promise<ReactorStatus | undefined>;
	/**
	 * Hands an unvalidated event to the reactor. Returns `undefined` if none is alive, and also if its answer
	 * is late or lost. The caller then appends it under the same id, which is safe.
	 */
	readonly offer: (raw: unknown, id: string) => Promise<ReactorAnswer | undefined>;
	/**
	 * Returns `undefined` if no other process took the event, or none confirmed it. The caller then appends it
	 * to the store under the same id.
	 */
	readonly append: (event: NewEvent, options: AppendOptions) => Promise<Appended | undefined>;
	/**
	 * Calls back when another process may have changed the store, until the returned function is called. It is
	 * only a hint: it finds reactors that come and go, but a change while none is alive is not notified. It
	 * does not keep the process alive.
	 */
	readonly subscribe: (notify: () => void) => () => void;
	/**
	 * Notifies the subscribers in other processes that this process has changed the store directly. It works
	 * once this process has connected to the reactor, by an append or a subscription.
	 */
	readonly notify: () => void;
	/** Stops serving and closes all connections. */
	readonly close: () => Promise<void>;
};
