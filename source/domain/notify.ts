/**
 * Categories of notifications, each with its own level. All need the person's attention, except
 * `task.completed`.
 */
export const notifyCategories = [
	'review_required',
	'review_final',
	'commit_gate',
	'failed',
	'blocked',
	'paused',
	'invite',
	'question',
	'session',
	'no_change',
	'conflict',
	'plan',
	'configuration',
	'task.completed',
] as const;
export type NotifyCategory = (typeof notifyCategories)[number];

/** No notification, one without a sound, or one with a sound. */
export const notifyLevels = ['off', 'silent', 'sound'] as const;
export type NotifyLevel = (typeof notifyLevels)[number];

/**
 * How a terminal is notified: only the bell, or a message by one of the escape sequences that terminals
 * support.
 */
export const notifyWays = ['bell', 'osc9', 'osc777'] as const;

/** How a person at this machine is notified (docs/rules.md §9). */
export type NotifySettings = {
	readonly levels: Readonly<Record<NotifyCategory, NotifyLevel>>;
	readonly by: (typeof notifyWays)[number];
	/** The terminal's title shows the number of items that need the person. */
	readonly title: boolean;
	/** Argv of a program of the person's choice, started once for each notification. */
	readonly command?: readonly string[];
};

export const defaultNotify: NotifySettings = {
	levels: {
		review_required: 'sound',
		review_final: 'sound',
		commit_gate: 'sound',
		failed: 'sound',
		blocked: 'sound',
		// It continues by itself.
		paused: 'silent',
		invite: 'sound',
		question: 'sound',
		session: 'sound',
		no_change: 'sound',
		conflict: 'sound',
		plan: 'sound',
		configuration: 'silent',
		'task.completed': 'silent',
	},
	by: 'bell',
	title: true,
};
