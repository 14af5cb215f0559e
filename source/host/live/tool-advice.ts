import type {ActionContext} from '../../actions/context.ts';
import {readToolAdvice} from '../../actions/tool-advice.ts';

/** Somebody who installs a tool meanwhile need not start anew to see that it is found. */
const lookMilliseconds = 5000;

/**
 * Calls with the advice when it comes or goes; at first there is none. While there is some the machine is
 * looked at again.
 */
export const createToolWatch = (
	context: ActionContext,
	signal: AbortSignal,
	call: (advice: readonly string[]) => void,
): {readonly look: () => Promise<void>} => {
	let isGiven = false;
	let cancel = (): void => {};
	signal.addEventListener('abort', () => cancel());
	const read = async (): Promise<readonly string[]> => {
		const missing = await context.missingPrograms?.();
		if (missing === undefined || missing.size === 0) return [];
		return readToolAdvice(context.processes.which, context.colony, ({role}) => missing.has(role));
	};
	const look = async (): Promise<void> => {
		const advice = await read();
		if (signal.aborted) return;
		cancel();
		if (advice.length > 0) cancel = context.clock.after(lookMilliseconds, () => void look());
		if (advice.length > 0 === isGiven) return;
		isGiven = !isGiven;
		call(advice);
	};
	return {look};
};
