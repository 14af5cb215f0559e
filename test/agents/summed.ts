import {adapterOf} from '../../source/agents/adapter.ts';
import {type AgentOutput, createOutputSummarizer} from '../../source/agents/summarize-output.ts';
import type {AdapterName} from '../../source/colony/colony.ts';

/** Returns the summary that an adapter makes of an output. */
export const sumUp = (
	adapter: AdapterName,
	output: string | Uint8Array,
	isWell = true,
	at?: string,
): AgentOutput => {
	const sum = createOutputSummarizer(adapterOf(adapter));
	sum.push(Buffer.from(output));
	return sum.end(isWell, at);
};
