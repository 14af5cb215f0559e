import {adapterOf} from '../agents/adapter.ts';
import type {Bee} from '../colony/colony.ts';
import type {RunResult} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {uncountedUsage} from '../domain/uncounted-usage.ts';

/**
 * Warns if a limit cannot be enforced because the tool reports no usage or cost, since people rely on limits.
 * A bee that is no agent tool has no usage.
 */
export const usageWarnings = (
	{trace, bee}: {readonly trace: Pick<Trace, 'maxCost' | 'maxTokens'>; readonly bee: Pick<Bee, 'adapter'>},
	{status, usage}: Pick<RunResult, 'status' | 'usage'>,
): readonly string[] => {
	const {maxCost, maxTokens} = trace;
	if (status !== 'completed' || (maxCost ?? maxTokens) === undefined) return [];
	if (usage === undefined)
		return adapterOf(bee.adapter).read === undefined
			? []
			: [`${uncountedUsage.all}: its tool reported no usage`];
	return maxCost !== undefined && usage.costUsd === undefined
		? [`${uncountedUsage.cost}: ${formatUnpriced(usage.model)}`]
		: [];
};

const formatUnpriced = (model: string | undefined): string =>
	`its tool reports no cost${model === undefined ? ' and no model' : `, and prices in the config.yaml of hive's home has none for ${model}`}`;
