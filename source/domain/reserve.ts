import {tokensOf, type Used} from './run.ts';

/** Honey that every run costs, in whole units (docs/rules.md §3); its claim takes it. */
export const runCost = 1;

/** What a trace is given at first (docs/rules.md §3): beside honey, whatever is absent has no end. */
export type Budget = {
	/** Whole units of honey. */
	readonly energyBudget: number;
	/** US dollars that its runs may cost, all together. */
	readonly maxCost?: number;
	/** Tokens that its runs may use, each counted once. */
	readonly maxTokens?: number;
};

/** What the ended runs of a trace used, as far as their tools said it. */
export type Spent = {
	/** US dollars. */
	readonly cost: number;
	readonly tokens: number;
};

/**
 * What a trace may spend. What is added later changes what remains of honey, and the two limits themselves.
 */
export type Reserve = Budget & {
	readonly energyRemaining: number;
	readonly spent: Spent;
};

/** What a trace itself knows of it: it has no budget until it is seeded with one. */
type Seeded = Partial<Budget> & Pick<Reserve, 'energyRemaining'> & Partial<Pick<Reserve, 'spent'>>;

/** What a trace can run out of. */
export type Spendable = 'honey' | 'cost' | 'tokens';

/** Amounts that faces offer to add: units of honey, US dollars, tokens (docs/rules.md §10). */
export const topUps = {
	honey: [1, 5, 12],
	cost: [1, 5, 20],
	tokens: [100_000, 1_000_000],
} as const satisfies Readonly<Record<Spendable, readonly number[]>>;

/** What people are told when there is no more of one, and what of `hive energy add` gives more. */
export const lacking: Readonly<
	Record<Spendable, {readonly status: string; readonly words: string; readonly flag: string}>
> = {
	honey: {
		status: 'Honey reserve exhausted',
		words: 'the honey reserve is exhausted',
		flag: '--amount <n>',
	},
	cost: {status: 'Cost limit reached', words: 'the cost limit is reached', flag: '--cost <usd>'},
	tokens: {status: 'Token limit reached', words: 'the token limit is reached', flag: '--tokens <n>'},
};

/** How a trace gets more of what it lacks. */
export const topUp = (traceId: string, lacks: Spendable): string =>
	`hive energy add --trace ${traceId} ${lacking[lacks].flag}`;

/** Neither honey nor tokens pass this, so sums stay exact. */
const most = {honey: 1_000_000_000, cost: 1_000_000_000, tokens: 1_000_000_000_000_000} as const;

export const nothingSpent: Spent = {cost: 0, tokens: 0};

/**
 * A trace that is not seeded yet has the colony's budget, which its first claim seeds it with, and what was
 * added.
 */
export const reserveOf = (trace: Seeded, budget: Budget): Reserve => {
	const {energyBudget, energyRemaining, maxCost, maxTokens, spent = nothingSpent} = trace;
	if (energyBudget === undefined)
		return {...budget, energyRemaining: addHoney(energyRemaining, budget.energyBudget), spent};
	return {
		energyBudget,
		...(maxCost !== undefined && {maxCost}),
		...(maxTokens !== undefined && {maxTokens}),
		energyRemaining,
		spent,
	};
};

export const addHoney = (energyRemaining: number, amount: number): number =>
	Math.min(energyRemaining + amount, most.honey);

/** A limit of money or tokens, raised; one that has no end keeps none. */
export const raise = (of: 'cost' | 'tokens', limit: number, amount: number): number =>
	Math.min(limit + amount, most[of]);

/**
 * What an event says that a reserve is seeded with; nothing when that is no budget. Limits that are none are
 * left out.
 */
export const seedOf = ({energyBudget, maxCost, maxTokens}: Budget): Budget | undefined =>
	Number.isSafeInteger(energyBudget) && energyBudget >= 1
		? {
				energyBudget: Math.min(energyBudget, most.honey),
				...(isCost(maxCost) && {maxCost: Math.min(maxCost, most.cost)}),
				...(isCount(maxTokens) && {maxTokens: Math.min(maxTokens, most.tokens)}),
			}
		: undefined;

const isCost = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && value > 0;

/** An amount of what is counted: honey or tokens. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;

/** One run more. What its tool did not say counts nothing. */
export const spend = (spent: Spent | undefined, usage: Used): Spent => {
	const {cost, tokens} = spent ?? nothingSpent;
	return {
		cost: cost + (usage.costUsd ?? 0),
		tokens: tokens + tokensOf(usage),
	};
};

export const covers = ({energyRemaining}: Pick<Reserve, 'energyRemaining'>, amount: number): boolean =>
	energyRemaining >= amount;

/**
 * What there is no more of, so that nothing can be claimed: tasks are blocked, and what events ask for is put
 * off, until it is added. Nothing while there is enough of all.
 */
export const exhausted = ({
	energyRemaining,
	maxCost = Number.POSITIVE_INFINITY,
	maxTokens = Number.POSITIVE_INFINITY,
	spent = nothingSpent,
}: Seeded): Spendable | undefined => {
	if (!covers({energyRemaining}, runCost)) return 'honey';
	if (spent.cost >= maxCost) return 'cost';
	return spent.tokens >= maxTokens ? 'tokens' : undefined;
};

/** What one trace gives another that begins from it. */
export type Part = {
	/** Of the reserve and the limits of the trace that gives. */
	readonly taken: {readonly amount: number; readonly cost?: number; readonly tokens?: number};
	readonly seed: Budget;
};

/**
 * The honey that is asked for, and of each limit that the reserve has the same share, as the colony's own
 * limit at most; a reserve without a limit gives the colony's. Or what it has too little of.
 */
export const partOf = (
	{energyRemaining, maxCost, maxTokens, spent}: Reserve,
	amount: number,
	{maxCost: mostCost, maxTokens: mostTokens}: Budget,
): Part | {readonly lacks: Spendable} => {
	if (!covers({energyRemaining}, amount)) return {lacks: 'honey'};
	const share = amount / energyRemaining;
	const shareOf = (limit: number, used: number, most = Number.POSITIVE_INFINITY) =>
		Math.floor(Math.min((limit - used) * share, most));
	const micros =
		maxCost === undefined ? undefined : shareOf(maxCost * 1e6, spent.cost * 1e6, mostCost && mostCost * 1e6);
	const cost = micros === undefined ? undefined : micros / 1e6;
	const tokens = maxTokens === undefined ? undefined : shareOf(maxTokens, spent.tokens, mostTokens);
	if (cost !== undefined && cost <= 0) return {lacks: 'cost'};
	if (tokens !== undefined && tokens <= 0) return {lacks: 'tokens'};
	const limits = {maxCost: cost ?? mostCost, maxTokens: tokens ?? mostTokens};
	return {
		taken: {amount, ...(cost && {cost}), ...(tokens && {tokens})},
		seed: {
			energyBudget: amount,
			...(limits.maxCost && {maxCost: limits.maxCost}),
			...(limits.maxTokens && {maxTokens: limits.maxTokens}),
		},
	};
};
