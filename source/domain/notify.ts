/** What a person is told of, each on its own terms: what needs them, and `task.completed`, which does not. */
export const notifyCategories = [
	'review_required',
	'review_final',
	'commit_gate',
	'failed',
	'blocked',
	'paused',
	'invite',
	'question',
	'no_change',
	'conflict',
	'configuration',
	'task.completed',
] as const;
export type NotifyCategory = (typeof notifyCategories)[number];

/** Not at all, without a sound, or with one. */
export const notifyLevels = ['off', 'silent', 'sound'] as const;
export type NotifyLevel = (typeof notifyLevels)[number];

/** What a terminal is told with: the bell alone, or a message by one of the sequences that terminals know. */
export const notifyWays = ['bell', 'osc9', 'osc777'] as const;

/** How a person at this machine is told (docs/rules.md §9). */
export type NotifySettings = {
	readonly levels: Readonly<Record<NotifyCategory, NotifyLevel>>;
	readonly by: (typeof notifyWays)[number];
	/** The title of the terminal counts what needs the person. */
	readonly title: boolean;
	/** Argv of a program of the person's, started once for each. */
	readonly command?: readonly string[];
};

export const usualNotify: NotifySettings = {
	levels: {
		review_required: 'sound',
		review_final: 'sound',
		commit_gate: 'sound',
		failed: 'sound',
		blocked: 'sound',
		// It goes on by itself.
		paused: 'silent',
		invite: 'sound',
		question: 'sound',
		no_change: 'sound',
		conflict: 'sound',
		configuration: 'silent',
		'task.completed': 'silent',
	},
	by: 'bell',
	title: true,
};
