import type {Price, Prices} from '../colony/parse/machine.ts';
import {type Usage, usageFields} from '../domain/run.ts';

const million = 1_000_000;

/** Adds an estimated cost if the tool reports none and the model has a price. A cost of 0 counts as none. */
export const priced = (usage: Usage, prices: Prices): Usage => {
	if (usage.costUsd !== undefined && usage.costUsd > 0) return usage;
	const price = priceOf(usage.model ?? '', prices);
	if (price === undefined) return usage;
	const costUsd = usageFields
		.map(field => ((usage[field] ?? 0) * (price[field] ?? 0)) / million)
		.reduce((all, cost) => all + cost, 0);
	return {...usage, costUsd, isEstimated: true};
};

/**
 * The price with the longest name that is a prefix of the model's: `claude-sonnet-4-5` matches
 * `claude-sonnet-4-5-20250929`.
 */
const priceOf = (model: string, prices: Prices): Price | undefined => {
	const [longest] = [...prices]
		.filter(([name]) => model.startsWith(name))
		.sort(([one], [other]) => other.length - one.length);
	return longest?.[1];
};
