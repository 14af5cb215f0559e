import type {RunActivities} from './activity.ts';

/** Cost of the runs that ended since then, in US dollars, as far as known. */
export type Spent = {
	/** When the day began in the local time zone (UTC, RFC 3339). */
	readonly since: string;
	readonly cost: number;
};

/** Today's cost in US dollars: of the runs that ended, and of the live ones so far. */
export const costToday = (now: number, spent: Spent | undefined, activities: RunActivities): number => {
	let cost = spent?.since === startOfDay(now) ? spent.cost : 0;
	for (const {used} of activities.values()) cost += used?.costUsd ?? 0;
	return cost;
};

/** When the day began in the local time zone. */
export const startOfDay = (now: number): string => {
	const day = new Date(now);
	day.setHours(0, 0, 0, 0);
	return day.toISOString();
};
