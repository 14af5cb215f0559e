import {nothingSpent, type Reserve} from '../../domain/reserve.ts';
import type {Trace} from '../../domain/trace.ts';

/** US dollars to the cent; less than a cent is shown as `<$0.01`. */
export const formatDollars = (usd: number): string =>
	usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;

/** Tokens in at most five characters: `12.3K`. */
export const formatCompactCount = (count: number): string => compact.format(count);

const compact = new Intl.NumberFormat('en-US', {notation: 'compact', maximumFractionDigits: 1});

/** `$0.42/$5.00`; without a limit only what was used, and a dash if nothing was. */
export const formatOutOf = (
	format: (used: number) => string,
	used: number,
	limit: number | undefined,
): string => {
	if (limit !== undefined) return `${format(used)}/${format(limit)}`;
	return used > 0 ? format(used) : '-';
};

export const formatHoney = ({energyRemaining, energyBudget}: Reserve): string =>
	`${energyRemaining} left (budget ${energyBudget})`;

export const formatCost = ({spent, maxCost}: Pick<Reserve, 'spent' | 'maxCost'>): string =>
	maxCost === undefined
		? `${formatDollars(spent.cost)} spent`
		: `${formatDollars(spent.cost)} of ${formatDollars(maxCost)} spent`;

export const formatTokens = ({spent, maxTokens}: Pick<Reserve, 'spent' | 'maxTokens'>): string =>
	maxTokens === undefined
		? `${formatCompactCount(spent.tokens)} tokens used`
		: `${formatCompactCount(spent.tokens)} of ${formatCompactCount(maxTokens)} tokens used`;

/** The known spending and limits of a trace, in money and tokens; empty if its tools report nothing. */
export const formatSpending = (
	reserve: Pick<Reserve, 'spent' | 'maxCost' | 'maxTokens'>,
): readonly string[] => {
	const {spent, maxCost, maxTokens} = reserve;
	return [
		...(spent.cost > 0 || maxCost !== undefined ? [formatCost(reserve)] : []),
		...(spent.tokens > 0 || maxTokens !== undefined ? [formatTokens(reserve)] : []),
	];
};

/**
 * Spending in a few cells: money if any was spent or is limited, tokens if they are limited; otherwise empty.
 */
export const formatShortSpending = ({maxCost, maxTokens, spent = nothingSpent}: Trace): string =>
	[
		...(maxCost !== undefined || spent.cost > 0 ? [formatOutOf(formatDollars, spent.cost, maxCost)] : []),
		...(maxTokens === undefined
			? []
			: [`${formatOutOf(formatCompactCount, spent.tokens, maxTokens)} tokens`]),
	].join(' · ');
