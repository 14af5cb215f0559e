import {hash} from 'node:crypto';

/** Input of an event's checksum: all of its stored fields, and the trace's sequence before it. */
export type Summed = {
	readonly traceId: string;
	readonly id: string;
	/** The envelope as JSON. */
	readonly body: string;
	/** Undefined if unknown. */
	readonly previous: number | undefined;
	/** Set if the store assigns them before the write; a server assigns its own. */
	readonly sequence?: number | undefined;
	readonly at?: string | undefined;
};

/** Returns 32 hex digits that reveal a changed event (docs/architecture.md §2). */
export const sumOf = ({sequence = 0, traceId, id, at = '', previous = -1, body}: Summed): string =>
	hash('sha256', `${sequence}\n${previous}\n${traceId}\n${id}\n${at}\n${body}`, 'hex').slice(0, 32);
