import type {Doings} from './doing.ts';

/** What runs that ended since then cost, in US dollars as far as it is known. */
export type Spent = {
	/** When a day began where the person is (UTC, RFC 3339). */
	readonly since: string;
	readonly cost: number;
};

/** US dollars of today: of the runs that ended, and what the live ones used so far. */
export const costToday = (now: number, spent: Spent | undefined, doings: Doings): number => {
	let cost = spent?.since === startOfDay(now) ? spent.cost : 0;
	for (const {used} of doings.values()) cost += used?.costUsd ?? 0;
	return cost;
};

/** When the day began where the person is. */
export const startOfDay = (now: number): string => {
	const day = new Date(now);
	day.setHours(0, 0, 0, 0);
	return day.toISOString();
};
