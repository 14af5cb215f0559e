/** The four event types of the spec; there are no others. */
export const eventTypes = ['SIGNAL', 'INSIGHT', 'MUTATION', 'VERIFICATION'] as const;
export type EventType = (typeof eventTypes)[number];

/** Fields beside `kind` depend on the kind; see `event-kinds.ts`. */
export type Payload = {readonly kind: string; readonly [field: string]: unknown};

/** The envelope of the spec: what an agent, a person or the runtime says. */
export type HiveEvent = {
	readonly traceId: string;
	readonly agentId?: string;
	readonly type: EventType;
	readonly payload: Payload;
};

/** What an append adds beside the envelope. */
type Transport = {
	/** What this trace may spend; the fold takes the first budget it meets (docs/rules.md §3). */
	readonly energyBudget?: number;
	/** Beside `energyBudget` alone: US dollars, and tokens. */
	readonly maxCost?: number;
	readonly maxTokens?: number;
};

/** An event as the log holds it: the envelope and, beside it, the facts of transport. */
export type StoredEvent = HiveEvent &
	Transport & {
		/** Position in the colony's log; rises by any amount, never falls. */
		readonly sequence: number;
		readonly id: string;
		/** When the log took it: UTC, RFC 3339, milliseconds. */
		readonly at: string;
	};

/** An event as it is handed to a bus. */
export type NewEvent = HiveEvent & Transport;

/** Envelope ids that are not runs: who speaks when no agent does. */
export const runtimeAgent = 'runtime';

/** Sizes in bytes of UTF-8. */
export const maxEventBytes = 256 * 1024;
export const maxBodyBytes = 64 * 1024;
