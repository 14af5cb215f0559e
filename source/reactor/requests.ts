import {isName} from '../domain/ids.ts';

/** Requests turns of traces. */
export type Requests = {
	/** Requests a turn of the trace, unless this reactor does not work on it. */
	readonly request: (traceId: string) => void;
	/** Passes on the requests that were held back. Later ones are passed on at once. */
	readonly open: () => void;
};

/**
 * Holds back requests until the log is surveyed, so that pending runs found by the survey come before tasks
 * that would otherwise start first.
 *
 * @param only the only trace to work on; all traces if absent
 */
export const createRequests = (only: string | undefined, ask: (traceId: string) => void): Requests => {
	let heldBack: Set<string> | undefined = new Set();
	const request = (traceId: string): void => {
		if (!isName(traceId) || (only !== undefined && only !== traceId)) return;
		if (heldBack === undefined) ask(traceId);
		else heldBack.add(traceId);
	};
	return {
		request,
		open: () => {
			const released = heldBack ?? [];
			heldBack = undefined;
			for (const traceId of released) request(traceId);
		},
	};
};
