import {join} from 'node:path';
import * as z from 'zod/mini';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {Files} from '../ports/files.ts';

/** What a face keeps of a colony on this machine from one time to the next. */
export type Remembered = {
	/** Name of the order of its traces; empty for its own choice. */
	readonly sort: string;
	/** Traces that a person has put away. */
	readonly archived: readonly string[];
};

const nothing: Remembered = {sort: '', archived: []};

/** Newer ones push the oldest out. */
const mostArchived = 10_000;

const shape = z.object({sort: z.string(), archived: z.array(z.string())});

/** Of the machine-local folder. */
const pathIn = (folder: string): string => join(folder, 'dashboard.json');

/** A file that is torn, or of another shape, is as none. */
export const readRemembered = async (files: Pick<Files, 'read'>, folder: string): Promise<Remembered> => {
	try {
		return shape.parse(JSON.parse((await files.read(pathIn(folder))) ?? ''));
	} catch {
		return nothing;
	}
};

export type Remember = (change: (before: Remembered) => Remembered) => Promise<void>;

/**
 * Changes what is kept, one after the other, each against what is there by then: another face may have
 * written.
 */
export const createRemember = (files: Pick<Files, 'read' | 'write'>, folder: string): Remember => {
	const queue = createSerialQueue();
	return change =>
		queue(async () => {
			const {sort, archived} = change(await readRemembered(files, folder));
			const kept = {sort, archived: archived.slice(-mostArchived)};
			await files.write(pathIn(folder), `${JSON.stringify(kept)}\n`, {mode: 0o600});
		});
};
