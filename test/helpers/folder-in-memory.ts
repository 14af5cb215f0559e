import {mkdtempSync, rmSync, statfsSync} from 'node:fs';
import {join} from 'node:path';

const memory = '/dev/shm';

/** What all tests of a run leave at most, with room to spare. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Gives the tests a temporary folder in memory, where the system has one that is large enough. They make tens
 * of thousands of files, and a disk may be slow to make files for minutes after many were removed
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
