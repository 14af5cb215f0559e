import type {Trace} from './trace.ts';

/** Honey that every run costs, in whole units (docs/rules.md §3); its claim takes it. */
export const runCost = 1;

/** What a trace may spend, in whole units. */
export type Reserve = {
	/** What the trace was given at first; what is added later does not change it. */
	readonly energyBudget: number;
	readonly energyRemaining: number;
};

/** Honey never passes this, so sums stay exact. */
const mostHoney = 1_000_000_000;

/** A trace that is not seeded yet has the colony's reserve, which its first claim seeds it with, and what was added. */
export const reserveOf = ({energyBudget, energyRemaining}: Trace, budget: number): Reserve =>
	energyBudget === undefined
		? {energyBudget: budget, energyRemaining: addHoney(energyRemaining, budget)}
		: {energyBudget, energyRemaining};

export const addHoney = (energyRemaining: number, amount: number): number =>
	Math.min(energyRemaining + amount, mostHoney);

/** What an event says that a reserve is seeded with; nothing when that is no budget. */
export const seedOf = (energyBudget: number): number | undefined =>
	Number.isSafeInteger(energyBudget) && energyBudget >= 1 ? Math.min(energyBudget, mostHoney) : undefined;

export const covers = ({energyRemaining}: Pick<Reserve, 'energyRemaining'>, amount: number): boolean =>
	energyRemaining >= amount;

/** Nothing can be claimed: tasks are blocked, and what events ask for is put off, until honey is added. */
export const isExhausted = (reserve: Pick<Reserve, 'energyRemaining'>): boolean => !covers(reserve, runCost);
