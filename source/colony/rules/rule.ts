import type {Bee, Colony} from '../colony.ts';

export const levels = ['error', 'warning', 'advisory'] as const;
type Level = (typeof levels)[number];

/** What is wrong, where (a colony-relative file, with a line when one is known), and what mends it. */
export type Trouble = {readonly path: string; readonly message: string; readonly fix: string};

/** What only this machine knows; `needsOf` says what to look for. */
export type MachineFacts = {
	readonly missingPrograms: ReadonlySet<string>;
	/** Root-relative. */
	readonly missingFolders: ReadonlySet<string>;
};

/** One check of `hive doctor`. */
export type Rule = {
	readonly id: string;
	readonly level: Level;
	/** What holds when the check finds nothing. */
	readonly says: string;
	readonly check: (colony: Colony, facts: MachineFacts) => readonly Trouble[];
};

export type Finding = Trouble & {readonly rule: string; readonly level: Level};

/** What is wrong with a bee; it is in the bee's file. */
export type BeeCheck = (bee: Bee, colony: Colony) => readonly Omit<Trouble, 'path'>[];

export const eachBee = (colony: Colony, check: BeeCheck): Trouble[] =>
	[...colony.bees.values()].flatMap(bee => check(bee, colony).map(trouble => ({path: bee.file, ...trouble})));
