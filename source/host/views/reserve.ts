import {nothingSpent, type Reserve} from '../../domain/reserve.ts';
import type {Trace} from '../../domain/trace.ts';

/** US dollars to the cent; less than a cent is shown as `<$0.01`. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`);

/** Tokens in at most five characters: `12.3K`. */
export const compactCount = (count: number): string => compact.format(count);

const compact = new Intl.NumberFormat('en-US', {notation: 'compact', maximumFractionDigits: 1});

/** `$0.42/$5.00`; without a limit only what was used, and a dash if nothing was. */
export const outOf = (words: (used: number) => string, used: number, limit: number | undefined): string => {
	if (limit !== undefined) return `${words(used)}/${words(limit)}`;
	return used > 0 ? words(used) : '-';
};

export const honeyWords = ({energyRemaining, energyBudget}: Reserve): string =>
	`${energyRemaining} left (budget ${energyBudget})`;

export const costWords = ({spent, maxCost}: Pick<Reserve, 'spent' | 'maxCost'>): string =>
	maxCost === undefined
		? `${dollars(spent.cost)} spent`
		: `${dollars(spent.cost)} of ${dollars(maxCost)} spent`;

export const tokenWords = ({spent, maxTokens}: Pick<Reserve, 'spent' | 'maxTokens'>): string =>
	maxTokens === undefined
		? `${compactCount(spent.tokens)} tokens used`
		: `${compactCount(spent.tokens)} of ${compactCount(maxTokens)} tokens used`;

/** The known spending and limits of a trace, in money and tokens; empty if its tools report nothing. */
export const spendingWords = (
	reserve: Pick<Reserve, 'spent' | 'maxCost' | 'maxTokens'>,
): readonly string[] => {
	const {spent, maxCost, maxTokens} = reserve;
	return [
		...(spent.cost > 0 || maxCost !== undefined ? [costWords(reserve)] : []),
		...(spent.tokens > 0 || maxTokens !== undefined ? [tokenWords(reserve)] : []),
	];
};

/**
 * Spending in a few cells: money if any was spent or is limited, tokens if they are limited; otherwise empty.
 */
export const shortSpending = ({maxCost, maxTokens, spent = nothingSpent}: Trace): string =>
	[
		...(maxCost !== undefined || spent.cost > 0 ? [outOf(dollars, spent.cost, maxCost)] : []),
		...(maxTokens === undefined ? [] : [`${outOf(compactCount, spent.tokens, maxTokens)} tokens`]),
	].join(' · ');
