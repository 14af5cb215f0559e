/** The message of a face when the colony's folder was moved or deleted, and what to do. */
export const formatRootGone = (root: string): string =>
	`The folder ${root} is gone: it was moved or deleted. End hive here, then run "hive init" where the folder is now, or in a new clone: it offers to go on with the log.`;
