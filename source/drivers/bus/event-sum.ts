import {hash} from 'node:crypto';

/** What an event's sum is made of: everything that is written of it, and the trace's sequence before it. */
export type Summed = {
	readonly traceId: string;
	readonly id: string;
	/** The envelope as JSON. */
	readonly body: string;
	/** Nothing where it is not known. */
	readonly previous: number | undefined;
	/** Where the store is told them: a server gives its own. */
	readonly sequence?: number | undefined;
	readonly at?: string | undefined;
};

/** 32 hex digits by which a changed event is found (docs/architecture.md §2). */
export const sumOf = ({sequence = 0, traceId, id, at = '', previous = -1, body}: Summed): string =>
	hash('sha256', `${sequence}\n${previous}\n${traceId}\n${id}\n${at}\n${body}`, 'hex').slice(0, 32);
