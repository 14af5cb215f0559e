import {type ReserveLimit, reserveLimits} from './reserve-limit.ts';
import {tokensOf, type Used} from './run.ts';

/** Honey that every run costs, in whole units (docs/rules.md §3); the run's claim takes it. */
export const runCost = 1;

/** The initial budget of a trace (docs/rules.md §3). An absent limit means no limit. */
export type Budget = {
	/** Whole units of honey. */
	readonly energyBudget: number;
	/** Maximum US dollars for all its runs together. */
	readonly maxCost?: number;
	/** Maximum tokens for all its runs, each token counted once. */
	readonly maxTokens?: number;
};

/** The usage of a trace's ended runs, as far as their tools reported it. */
export type Spent = {
	/** US dollars. */
	readonly cost: number;
	readonly tokens: number;
};

/** The resources of a trace. A later addition changes `energyRemaining` and the two limits. */
export type Reserve = Budget & {
	readonly energyRemaining: number;
	readonly spent: Spent;
};

/** The reserve as the trace itself has it: without a budget until it is seeded with one. */
type Seeded = Partial<Budget> & Pick<Reserve, 'energyRemaining'> & Partial<Pick<Reserve, 'spent'>>;

/** The resources that a trace can run out of. */
export type Spendable = 'honey' | ReserveLimit;

/** Amounts that faces offer to add: units of honey, US dollars, tokens (docs/rules.md §10). */
export const topUps = {
	honey: [1, 5, 12],
	cost: [1, 5, 20],
	tokens: [100_000, 1_000_000],
} as const satisfies Readonly<Record<Spendable, readonly number[]>>;

/** Texts for each exhausted resource, and the flag of `hive energy add` that adds more. */
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

/** The command that adds the exhausted resource. */
export const topUpCommand = (traceId: string, lacks: Spendable): string =>
	`hive energy add --trace ${traceId} ${lacking[lacks].flag}`;

/** Maximum values, so that sums stay exact. */
const maxAmounts = {honey: 1_000_000_000, cost: 1_000_000_000, tokens: 1_000_000_000_000_000} as const;

export const nothingSpent: Spent = {cost: 0, tokens: 0};

/**
 * The reserve of a trace. A trace that is not seeded yet has the colony's budget plus what was added. Its
 * first claim seeds it with that budget.
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
	Math.min(energyRemaining + amount, maxAmounts.honey);

/** Raises a limit of money or tokens, up to the maximum. A trace without a limit keeps none. */
export const raise = (of: ReserveLimit, limit: number, amount: number): number =>
	Math.min(limit + amount, maxAmounts[of]);

/**
 * The budget with which an event seeds a reserve; `undefined` if it is invalid. Invalid limits are left out.
 */
export const seedOf = ({energyBudget, maxCost, maxTokens}: Budget): Budget | undefined =>
	Number.isSafeInteger(energyBudget) && energyBudget >= 1
		? {
				energyBudget: Math.min(energyBudget, maxAmounts.honey),
				...(isCost(maxCost) && {maxCost: Math.min(maxCost, maxAmounts.cost)}),
				...(isCount(maxTokens) && {maxTokens: Math.min(maxTokens, maxAmounts.tokens)}),
			}
		: undefined;

const isCost = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && value > 0;

/** True for a valid amount of honey or tokens. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;

/** Adds the usage of one run. Values that its tool did not report count as 0. */
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
 * The exhausted resource, or `undefined` if there is enough of all. While one is exhausted nothing can be
 * claimed: tasks are blocked and runs that events ask for are deferred.
 */
export const exhausted = (reserve: Seeded): Spendable | undefined =>
	covers(reserve, runCost) ? reachedLimit(reserve) : 'honey';

/** The limit that has been spent; `undefined` if there is none. */
export const reachedLimit = ({
	maxCost = Number.POSITIVE_INFINITY,
	maxTokens = Number.POSITIVE_INFINITY,
	spent = nothingSpent,
}: Pick<Seeded, 'maxCost' | 'maxTokens' | 'spent'>): ReserveLimit | undefined => {
	if (spent.cost >= maxCost) return 'cost';
	return spent.tokens >= maxTokens ? 'tokens' : undefined;
};

/** The limit for which hive stopped a run, from the reason that it noted. */
export const limitOfStop = (reason: string): ReserveLimit | undefined =>
	reserveLimits.find(limit => lacking[limit].status === reason);

/** The part of its reserve that a trace gives to another that begins from it. */
export type Part = {
	/** Amounts taken from the reserve and the limits of the giving trace. */
	readonly taken: {readonly amount: number; readonly cost?: number; readonly tokens?: number};
	readonly seed: Budget;
};

/**
 * The requested honey, and the same share of each limit of the reserve, at most the colony's own limit. If
 * the reserve has no limit, the new trace gets the colony's. Returns the resource that is too low, if any.
 */
export const partOf = (
	{energyRemaining, maxCost, maxTokens, spent}: Reserve,
	amount: number,
	{maxCost: colonyMaxCost, maxTokens: colonyMaxTokens}: Budget,
): Part | {readonly lacks: Spendable} => {
	if (!covers({energyRemaining}, amount)) return {lacks: 'honey'};
	const share = amount / energyRemaining;
	const shareOf = (limit: number, used: number, max = Number.POSITIVE_INFINITY) =>
		Math.floor(Math.min((limit - used) * share, max));
	const micros =
		maxCost === undefined
			? undefined
			: shareOf(maxCost * 1e6, spent.cost * 1e6, colonyMaxCost && colonyMaxCost * 1e6);
	const cost = micros === undefined ? undefined : micros / 1e6;
	const tokens = maxTokens === undefined ? undefined : shareOf(maxTokens, spent.tokens, colonyMaxTokens);
	if (cost !== undefined && cost <= 0) return {lacks: 'cost'};
	if (tokens !== undefined && tokens <= 0) return {lacks: 'tokens'};
	const limits = {maxCost: cost ?? colonyMaxCost, maxTokens: tokens ?? colonyMaxTokens};
	return {
		taken: {amount, ...(cost && {cost}), ...(tokens && {tokens})},
		seed: {
			energyBudget: amount,
			...(limits.maxCost && {maxCost: limits.maxCost}),
			...(limits.maxTokens && {maxTokens: limits.maxTokens}),
		},
	};
};
