import type {Bee, Colony} from '../colony.ts';

export const levels = ['error', 'warning', 'advisory'] as const;
type Level = (typeof levels)[number];

/** A problem, its place (a colony-relative file, with a line if known), and its fix. */
export type Trouble = {readonly path: string; readonly message: string; readonly fix: string};

/** Facts about this machine. `needsOf` lists what to look up. */
export type MachineFacts = {
	readonly missingPrograms: ReadonlySet<string>;
	/** Relative to the root. */
	readonly missingFolders: ReadonlySet<string>;
};

/** One check of `hive doctor`. */
export type Rule = {
	readonly id: string;
	readonly level: Level;
	/** The statement that holds if the check finds nothing. */
	readonly says: string;
	readonly check: (colony: Colony, facts: MachineFacts) => readonly Trouble[];
};

export type Finding = Trouble & {readonly rule: string; readonly level: Level};

/** Returns the problems of a bee. They are located in the bee's file. */
export type BeeCheck = (bee: Bee, colony: Colony) => readonly Omit<Trouble, 'path'>[];

export const eachBee = (colony: Colony, check: BeeCheck): Trouble[] =>
	[...colony.bees.values()].flatMap(bee => check(bee, colony).map(trouble => ({path: bee.file, ...trouble})));
