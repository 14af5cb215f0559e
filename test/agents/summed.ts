import {adapterOf} from '../../source/agents/adapter.ts';
import {type AgentOutput, createSum} from '../../source/agents/sum-up.ts';
import type {AdapterName} from '../../source/colony/colony.ts';

/** Returns the summary that an adapter makes of an output. */
export const sumUp = (
	adapter: AdapterName,
	output: string | Uint8Array,
	isWell = true,
	at?: string,
): AgentOutput => {
	const sum = createSum(adapterOf(adapter));
	sum.push(Buffer.from(output));
	return sum.end(isWell, at);
};
