import {maxEventBytes} from '../domain/event.ts';

/** Events that may wait in the spool of one run. */
export const mostSpooled = 1000;

/**
 * In bytes; a longer file is refused unread. What a published event may have: checking more would hold up all
 * other runs.
 */
export const mostSpooledBytes = maxEventBytes;

/** What was found of a spooled event; nothing when it is gone. */
export type Spooled = {readonly text: string} | 'too large' | 'no file' | undefined;

/**
 * Folder of a run in which an agent that can write nothing else of hive's leaves its events, one file each
 * (docs/rules.md §5). Any program may have written what is there: only regular files with one name are read,
 * and no link is followed.
 */
export type Spool = {
	/**
	 * Names of regular files that are wanted, sorted, the first `mostSpooled` of them; nothing when there is no
	 * such folder.
	 *
	 * @returns `hasMore`: there may be more of them, also in a folder that cannot be read
	 */
	readonly list: (
		folder: string,
		isWanted: (name: string) => boolean,
	) => {readonly names: readonly string[]; readonly hasMore: boolean} | undefined;
	readonly read: (folder: string, name: string) => Spooled;
	/** Adds a file in one step. Throws the system's error. */
	readonly add: (folder: string, name: string, text: string) => void;
	/** Removes a file, where that can be done: one that stays is read again, and is the same event. */
	readonly remove: (folder: string, name: string) => void;
};
