import {mkdtempSync, rmSync, statfsSync} from 'node:fs';
import {join} from 'node:path';

const memory = '/dev/shm';

/** The most space that all tests of a run leave in use, with a margin. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Gives the tests a temporary folder in memory, if the system has a large enough one. Tests create tens of
 * thousands of files, and a disk may create files slowly for minutes after many removals
 * (docs/performance.md, finding 14).
 */
export const setup = () => {
	if (!hasRoom()) return;
	const folder = mkdtempSync(join(memory, 'hive-'));
	process.env.TMPDIR = folder;
	return () => rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
};

const hasRoom = (): boolean => {
	try {
		const {bavail, bsize} = statfsSync(memory);
		return bavail * bsize >= neededBytes;
	} catch {
		return false;
	}
};
