/** The four event types of the spec; there are no others. */
export const eventTypes = ['SIGNAL', 'INSIGHT', 'MUTATION', 'VERIFICATION'] as const;
export type EventType = (typeof eventTypes)[number];

/** Fields beside `kind` depend on the kind; see `event-kinds.ts`. */
export type Payload = {readonly kind: string; readonly [field: string]: unknown};

/** The envelope of the spec, as an agent, a person or the runtime emits it. */
export type HiveEvent = {
	readonly traceId: string;
	readonly agentId?: string;
	readonly type: EventType;
	readonly payload: Payload;
};

/** Fields that an append adds beside the envelope. */
type Transport = {
	/** The budget of the trace; the fold uses the first one (docs/rules.md §3). */
	readonly energyBudget?: number;
	/** Only beside `energyBudget`: limits in US dollars and in tokens. */
	readonly maxCost?: number;
	readonly maxTokens?: number;
};

/** An event as stored in the log: the envelope with the transport fields beside it. */
export type StoredEvent = HiveEvent &
	Transport & {
		/** Position in the colony's log; strictly rising, possibly with gaps. */
		readonly sequence: number;
		readonly id: string;
		/** When the log accepted it: UTC, RFC 3339, milliseconds. */
		readonly at: string;
	};

/** An event to append to a bus. */
export type NewEvent = HiveEvent & Transport;

/** The envelope's `agentId` for events of the runtime itself, which are not from a run. */
export const runtimeAgent = 'runtime';

/** Limits in bytes of UTF-8. */
export const maxEventBytes = 256 * 1024;
export const maxBodyBytes = 64 * 1024;
