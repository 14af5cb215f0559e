/** Beginnings of the warnings that a limit does not count a run. */
export const uncountedUsage = {
	cost: 'max_cost does not count this run',
	all: 'the limits of money and tokens do not count this run',
} as const;

/** The limits that do not count the run of this warning; undefined for other warnings. */
export const uncountedLimits = (warning: string): string | undefined => {
	if (warning.startsWith(uncountedUsage.cost)) return 'max_cost does not count';
	return warning.startsWith(uncountedUsage.all) ? 'no limit counts' : undefined;
};
