import type {ActionContext} from '../../actions/context.ts';
import {readToolAdvice} from '../../actions/tool-advice.ts';

/** Poll interval, so that a tool installed meanwhile is found without a restart. */
const pollIntervalMs = 5000;

/**
 * Passes the advice to `call` when it appears or disappears; at first there is none. Polls the machine while
 * there is advice.
 */
export const createToolWatch = (
	context: ActionContext,
	signal: AbortSignal,
	call: (advice: readonly string[]) => void,
): {readonly checkTools: () => Promise<void>} => {
	let isGiven = false;
	let cancel = (): void => {};
	signal.addEventListener('abort', () => cancel());
	const read = async (): Promise<readonly string[]> => {
		const missing = await context.missingPrograms?.();
		if (missing === undefined || missing.size === 0) return [];
		return readToolAdvice(context.processes.which, context.colony, ({role}) => missing.has(role));
	};
	const checkTools = async (): Promise<void> => {
		const advice = await read();
		if (signal.aborted) return;
		cancel();
		if (advice.length > 0) cancel = context.clock.after(pollIntervalMs, () => void checkTools());
		if (advice.length > 0 === isGiven) return;
		isGiven = !isGiven;
		call(advice);
	};
	return {checkTools};
};
