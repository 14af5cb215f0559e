import {join} from 'node:path';
import {parseObject} from '../domain/json.ts';
import {type Usage, type UsageSum, usageFields} from '../domain/run.ts';
import type {Files} from '../ports/files.ts';
import {runDirectory, runFile} from './layout.ts';

/** Returns the usage in a run's `result.json`; undefined if it has none, is missing, or is torn. */
export const readUsage = async (
	files: Files,
	root: string,
	traceId: string,
	agentId: string,
): Promise<Usage | undefined> => {
	const text = await files.read(join(runDirectory(root, traceId, agentId), runFile.result));
	return text === undefined ? undefined : usageIn(text);
};

/** Returns exact sums of tokens; an absent count adds nothing. It has no cost if no run has one. */
export const sumUsage = (usages: readonly Usage[]): UsageSum => {
	const sum = {inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0};
	for (const usage of usages) for (const field of usageFields) sum[field] += usage[field] ?? 0;
	const costs = usages.flatMap(({costUsd}) => costUsd ?? []);
	if (costs.length === 0) return sum;
	const costUsd = costs.reduce((all, cost) => all + cost, 0);
	return {...sum, costUsd, ...(usages.some(({isEstimated}) => isEstimated) && {isEstimated: true})};
};

const usageIn = (text: string): Usage | undefined => {
	const {usage} = parseObject(text) ?? {};
	if (typeof usage !== 'object' || usage === null) return undefined;
	const {source, costUsd, isEstimated, model, toolSession, ...given}: Record<string, unknown> = {...usage};
	const counts = usageFields.flatMap(field => {
		const count = given[field];
		return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? [[field, count]] : [];
	});
	const hasCost = typeof costUsd === 'number' && Number.isFinite(costUsd) && costUsd >= 0;
	if (counts.length === 0 && !hasCost && typeof toolSession !== 'string') return undefined;
	return {
		...Object.fromEntries(counts),
		...(hasCost && {costUsd}),
		...(hasCost && isEstimated === true && {isEstimated}),
		...(typeof model === 'string' && {model}),
		...(typeof toolSession === 'string' && {toolSession}),
		source: typeof source === 'string' ? source : '',
	};
};
