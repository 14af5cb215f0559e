import {join} from 'node:path';
import type {StoredEvent} from '../domain/event.ts';
import type {Bus} from '../ports/bus.ts';
import type {Files} from '../ports/files.ts';

/** Names the newest event that the files below `.hive/runs` were written from; no trace id begins with a dot. */
const newestFile = (root: string): string => join(root, '.hive', 'runs', '.newest');

/** @param address of the bus that has the event */
export const writeNewest = (
	files: Files,
	root: string,
	{sequence, id}: Pick<StoredEvent, 'sequence' | 'id'>,
	address: string,
): Promise<void> => files.write(newestFile(root), `${sequence} ${id}\n${address}\n`);

/** Whether the files below `.hive/runs` name an event that they were written from. */
export const namesNewest = async (files: Pick<Files, 'read'>, root: string): Promise<boolean> =>
	(await files.read(newestFile(root))) !== undefined;

/** Address of the message bus whose log they were written from; nothing where that is a file, or not known. */
export const busOfNewest = async (files: Pick<Files, 'read'>, root: string): Promise<string | undefined> => {
	const newest = await readNewest(files, root);
	return newest?.address === 'embedded' ? undefined : newest?.address;
};

/** The sequence of that event; 0 where they name none. */
export const newestSequence = async (files: Pick<Files, 'read'>, root: string): Promise<number> =>
	(await readNewest(files, root))?.sequence ?? 0;

/** From now on the files below `.hive/runs` say nothing of the log here: it is not the one that they were written from. */
export const forgetNewest = (files: Pick<Files, 'remove'>, root: string): Promise<void> =>
	files.remove(newestFile(root));

/** The event that they were written from is in the log at another address by now. */
export const moveNewest = async (
	files: Pick<Files, 'read' | 'write'>,
	root: string,
	address: string,
): Promise<void> => {
	const newest = await readNewest(files, root);
	if (newest === undefined || newest.address === address) return;
	await files.write(newestFile(root), `${newest.sequence} ${newest.id}\n${address}\n`);
};

type Newest = Pick<StoredEvent, 'sequence' | 'id'> & {
	/** Of the bus that has it; nothing where an older hive wrote it. */
	readonly address: string | undefined;
};

const readNewest = async (files: Pick<Files, 'read'>, root: string): Promise<Newest | undefined> => {
	const text = (await files.read(newestFile(root))) ?? '';
	const [, digits = '', id = '', address] = /^(\d+) (.+)\n(?:(.+)\n)?$/.exec(text) ?? [];
	const sequence = Number(digits);
	return id === '' || !Number.isSafeInteger(sequence) ? undefined : {sequence, id, address};
};

/**
 * What a log is refused as that lacks the newest event, when that was written from the log at another address: somebody has forgotten to
 * name it, or names one for the first time.
 */
export const otherLog = async (
	files: Pick<Files, 'read'>,
	root: string,
	address: string,
): Promise<{readonly message: string; readonly hint: string} | undefined> => {
	const newest = await readNewest(files, root);
	if (newest?.address === undefined || newest.address === address) return undefined;
	return {
		message: `.hive/runs was written from ${logWords(newest.address)}, and ${logWords(address)} is another one.`,
		hint: 'Name that log again, by HIVE_BUS_URL or bus.url in config.yaml, or by neither for the embedded one; "hive bus move --to" brings it along to another. To go on with this one, remove .hive/runs/.newest: the traces of the other are then not shown here.',
	};
};

const logWords = (address: string): string =>
	address === 'embedded' ? 'the embedded log' : `the log on the bus at ${address}`;

/** What `missingInLog` says where there is no log at all. */
export const missingWithoutLog = async (
	files: Pick<Files, 'read'>,
	root: string,
): Promise<string | undefined> => {
	const newest = await readNewest(files, root);
	return newest && `it is not there, and .hive/runs was written from event ${newest.sequence}`;
};

/**
 * In words, what a log lacks that was wiped, cut off or exchanged since the files below `.hive/runs` were written from it
 * (docs/reliability.md §5); nothing when it holds their newest event, or when they name none.
 */
export const missingInLog = async (
	bus: Bus,
	files: Pick<Files, 'read'>,
	root: string,
): Promise<string | undefined> => {
	const newest = await readNewest(files, root);
	if (newest === undefined) return undefined;
	const {sequence, id} = newest;
	for await (const [event] of bus.read({after: sequence - 1})) {
		// A purged trace leaves a gap, which proves nothing.
		if (event?.sequence !== sequence || event.id === id) return undefined;
		return `its event ${sequence} is not the one that .hive/runs was written from`;
	}
	return `it ends at event ${await bus.last()}, and .hive/runs was written from event ${sequence}`;
};

/** What a person can do about it. */
export const missingHint = ({isShared}: Pick<Bus, 'isShared'>): string =>
	`${isShared ? 'Stop every hive of this colony and bring the stream back from a copy' : 'Stop every hive here and bring the log back from a copy, its -wal file with it'}. To go on with the log as it is, remove .hive/runs/.newest: what it lacks is then gone for hive.`;
