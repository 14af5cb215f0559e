import {nothingSpent, type Reserve} from '../../domain/reserve.ts';
import type {Trace} from '../../domain/trace.ts';

/** US dollars to the cent; what is less than one is said to be that. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`);

/** Tokens in at most five characters: `12.3K`. */
export const compactCount = (count: number): string => compact.format(count);

const compact = new Intl.NumberFormat('en-US', {notation: 'compact', maximumFractionDigits: 1});

/** `$0.42/$5.00`; without a limit what was used alone, and a dash for nothing. */
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

/**
 * What is known of the money and tokens of a trace, or limits them; nothing of one whose tools said nothing.
 */
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
 * Money where any was spent or is limited, tokens where they are limited, in a few cells; empty for neither.
 */
export const shortSpending = ({maxCost, maxTokens, spent = nothingSpent}: Trace): string =>
	[
		...(maxCost !== undefined || spent.cost > 0 ? [outOf(dollars, spent.cost, maxCost)] : []),
		...(maxTokens === undefined ? [] : [`${outOf(compactCount, spent.tokens, maxTokens)} tokens`]),
	].join(' · ');
