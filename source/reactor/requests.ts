import {isName} from '../domain/ids.ts';

/** Asks for turns of traces. */
export type Requests = {
	/** Asks for a turn of the trace, unless it is none that this reactor works on. */
	readonly request: (traceId: string) => void;
	/** Asks for what was requested before, and from now on at once. */
	readonly open: () => void;
};

/**
 * Keeps requests until the log is surveyed: what the survey asks for comes before the tasks that would go on
 * without it.
 *
 * @param only the one trace that is worked on; every one without it
 */
export const createRequests = (only: string | undefined, ask: (traceId: string) => void): Requests => {
	let early: Set<string> | undefined = new Set();
	const request = (traceId: string): void => {
		if (!isName(traceId) || (only !== undefined && only !== traceId)) return;
		if (early === undefined) ask(traceId);
		else early.add(traceId);
	};
	return {
		request,
		open: () => {
			const asked = early ?? [];
			early = undefined;
			for (const traceId of asked) request(traceId);
		},
	};
};
