import type {Trace} from './trace.ts';

/** What a trace may spend, in whole units. */
export type Reserve = {
	/** What the trace was given at first; what is added later does not change it. */
	readonly energyBudget: number;
	readonly energyRemaining: number;
};

/** A trace that is not seeded yet has the colony's reserve, which its first claim seeds it with, and what was added. */
export const reserveOf = ({energyBudget, energyRemaining}: Trace, budget: number): Reserve =>
	energyBudget === undefined
		? {energyBudget: budget, energyRemaining: energyRemaining + budget}
		: {energyBudget, energyRemaining};
