import {maxEventBytes} from '../domain/event.ts';

/** Maximum number of events that may wait in the spool of one run. */
export const maxSpooledEvents = 1000;

/**
 * Maximum size in bytes; a longer file is refused unread. It is the limit of a published event. Checking more
 * would hold up all other runs.
 */
export const maxSpooledBytes = maxEventBytes;

/** Result of reading a spooled event; `undefined` if the file is gone. */
export type Spooled = {readonly text: string} | 'too large' | 'no file' | undefined;

/**
 * The folder of a run where its agent leaves events, one file each, if it can write nothing else of hive's
 * (docs/rules.md §5). Any program may have written these files. So only regular files without a second hard
 * link are read, and no link is followed.
 */
export type Spool = {
	/**
	 * Returns the names of wanted regular files, sorted, at most the first `mostSpooled`; `undefined` if there
	 * is no such folder.
	 *
	 * @returns `hasMore`: there may be more of them, also in a folder that cannot be read
	 */
	readonly list: (
		folder: string,
		isWanted: (name: string) => boolean,
	) => {readonly names: readonly string[]; readonly hasMore: boolean} | undefined;
	readonly read: (folder: string, name: string) => Spooled;
	/** Adds a file atomically. Throws the system's error. */
	readonly add: (folder: string, name: string, text: string) => void;
	/** Removes a file if possible. A file that stays is read again and gives the same event. */
	readonly remove: (folder: string, name: string) => void;
};
