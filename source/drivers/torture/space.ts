import {statfs} from 'node:fs/promises';

/** Returns the bytes that this user can still write in the folder's file system. */
export const readFreeSpace = async (folder: string): Promise<number> => {
	const {bavail, bsize} = await statfs(folder);
	return bavail * bsize;
};
