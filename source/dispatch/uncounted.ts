import {adapterOf} from '../agents/adapter.ts';
import type {Bee} from '../colony/colony.ts';
import type {RunResult} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';

/**
 * A limit that a run was not counted for is worth a word: people rely on it. A bee that is no agent tool uses
 * nothing.
 */
export const uncounted = (
	{trace, bee}: {readonly trace: Pick<Trace, 'maxCost' | 'maxTokens'>; readonly bee: Pick<Bee, 'adapter'>},
	{status, usage}: Pick<RunResult, 'status' | 'usage'>,
): readonly string[] => {
	const {maxCost, maxTokens} = trace;
	if (status !== 'completed' || (maxCost ?? maxTokens) === undefined) return [];
	if (usage === undefined)
		return adapterOf(bee.adapter).read === undefined
			? []
			: ['the limits of money and tokens do not count this run: its tool said nothing of what it used'];
	return maxCost !== undefined && usage.costUsd === undefined
		? [`max_cost does not count this run: ${unpriced(usage.model)}`]
		: [];
};

const unpriced = (model: string | undefined): string =>
	`its tool says no cost${model === undefined ? ' and no model' : `, and prices in the config.yaml of hive's home has none for ${model}`}`;
