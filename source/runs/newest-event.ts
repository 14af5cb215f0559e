import {join} from 'node:path';
import {escapeHidden} from '../domain/escape-hidden.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {Bus} from '../ports/bus.ts';
import type {Files} from '../ports/files.ts';

/**
 * Returns the file that names the newest event from which the files below `.hive/runs` were written. No trace
 * id begins with a dot.
 */
const newestFile = (root: string): string => join(root, '.hive', 'runs', '.newest');

/** A checkout of this machine. */
export type OwnCheckout = {
	/** Absolute. */
	readonly root: string;
	/** Its id (docs/architecture.md §3). */
	readonly checkout: string;
};

/** @param address address of the bus that has the event */
export const writeNewest = (
	files: Pick<Files, 'write'>,
	{root, checkout}: OwnCheckout,
	{sequence, id}: Pick<StoredEvent, 'sequence' | 'id'>,
	address: string,
): Promise<void> => files.write(newestFile(root), `${sequence} ${id}\n${address}\n${checkout}\n`);

/** True if the files below `.hive/runs` name an event from which this checkout wrote them. */
export const namesNewest = async (files: Pick<Files, 'read'>, own: OwnCheckout): Promise<boolean> =>
	(await readOwn(files, own)) !== undefined;

/** Returns the sequence of that event; 0 if there is none. */
export const newestSequence = async (files: Pick<Files, 'read'>, own: OwnCheckout): Promise<number> =>
	(await readOwn(files, own))?.sequence ?? 0;

/** Records that the log with this event is now at another address. */
export const moveNewest = async (
	files: Pick<Files, 'read' | 'write'>,
	own: OwnCheckout,
	address: string,
): Promise<void> => {
	const newest = await readOwn(files, own);
	if (newest !== undefined && newest.address !== address) await writeNewest(files, own, newest, address);
};

type Newest = Pick<StoredEvent, 'sequence' | 'id'> & {
	/** Address of the bus that has the event. */
	readonly address: string;
	/** Id of the checkout that wrote it. */
	readonly checkout: string;
};

/**
 * Returns the newest event. Its checkout matters: a clone contains the file if its repository tracks it. A
 * file of an older hive names no checkout, and counts as none.
 */
export const readNewest = async (files: Pick<Files, 'read'>, root: string): Promise<Newest | undefined> => {
	const text = (await files.read(newestFile(root))) ?? '';
	const [, digits = '', id = '', address = '', checkout = ''] = /^(\d+) (.+)\n(.+)\n(.+)\n$/.exec(text) ?? [];
	const sequence = Number(digits);
	return id === '' || !Number.isSafeInteger(sequence) ? undefined : {sequence, id, address, checkout};
};

const readOwn = async (
	files: Pick<Files, 'read'>,
	{root, checkout}: OwnCheckout,
): Promise<Newest | undefined> => {
	const newest = await readNewest(files, root);
	return newest?.checkout === checkout ? newest : undefined;
};

/**
 * Returns the refusal of a log that lacks the newest event, if that event was in the log at another address.
 * The person forgot to name that address, or names a bus for the first time.
 */
export const otherLog = async (
	files: Pick<Files, 'read'>,
	own: OwnCheckout,
	address: string,
): Promise<{readonly message: string; readonly hint: string} | undefined> => {
	const newest = await readOwn(files, own);
	if (newest === undefined || newest.address === address) return undefined;
	return {
		message: `.hive/runs was written from ${formatLog(newest.address)}, but ${formatLog(address)} is another one.`,
		hint: 'Name that log again with HIVE_BUS_URL or bus.url in config.yaml; set neither for the embedded log. "hive bus move --to" moves that log to another bus. To continue with this log, remove .hive/runs/.newest; the traces of the other log are then not shown here.',
	};
};

const formatLog = (address: string): string =>
	address === 'embedded' ? 'the embedded log' : `the log on the bus at ${address}`;

/**
 * Returns the remark of `hive init` on files below `.hive/runs` from another checkout or from the repository.
 * The log that they name is not used here. Undefined if this checkout wrote them.
 */
export const foreignLog = async (
	files: Pick<Files, 'read'>,
	{root, checkout}: OwnCheckout,
): Promise<string | undefined> => {
	const newest = await readNewest(files, root);
	if (newest === undefined || newest.checkout === checkout) return undefined;
	return newest.address === 'embedded'
		? 'The files in .hive/runs were written from the log of another checkout. This checkout does not use that log.'
		: `The files in .hive/runs name a log on the bus at ${formatOneLine(newest.address)}. hive uses that log only if HIVE_BUS_URL, or bus.url in config.yaml, names it.`;
};

/** Max characters of an address that came with a clone. */
const maxForeignLength = 200;

const formatOneLine = (address: string): string =>
	escapeHidden(address.length > maxForeignLength ? `${address.slice(0, maxForeignLength)}…` : address);

/** Returns the message of `missingInLog` for a missing log. */
export const missingWithoutLog = async (
	files: Pick<Files, 'read'>,
	own: OwnCheckout,
): Promise<string | undefined> => {
	const newest = await readOwn(files, own);
	return newest && `it is not there, and .hive/runs was written from event ${newest.sequence}`;
};

/**
 * Returns, in words, which events a log lacks that `.hive/runs` was written from. It lacks them if it was
 * wiped, cut off or replaced since (docs/reliability.md §5). Undefined if it has their newest event, or if
 * the files name none.
 */
export const missingInLog = async (
	bus: Bus,
	files: Pick<Files, 'read'>,
	own: OwnCheckout,
): Promise<string | undefined> => {
	const newest = await readOwn(files, own);
	if (newest === undefined) return undefined;
	const {sequence, id} = newest;
	for await (const [event] of bus.read({after: sequence - 1})) {
		// A purged trace leaves a gap, which proves nothing.
		if (event?.sequence !== sequence || event.id === id) return undefined;
		return `its event ${sequence} is not the one that .hive/runs was written from`;
	}
	return `it ends at event ${await bus.last()}, and .hive/runs was written from event ${sequence}`;
};

/** Returns the remedy for a person. */
export const missingHint = ({isShared}: Pick<Bus, 'isShared'>): string =>
	`${isShared ? 'Stop every hive process of this colony, then restore the stream from a backup' : 'Stop every hive process here, then restore the log and its -wal file from a backup'}. To continue with the log as it is, remove .hive/runs/.newest; the missing events are then lost.`;
