import {join} from 'node:path';
import * as z from 'zod/mini';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {Files} from '../ports/files.ts';

/** What a face remembers of a colony on this machine between starts. */
export type DashboardPreferences = {
	/** Name of the sort order of its traces; empty for the face's default. */
	readonly sort: string;
	/** Ids of traces that a person has archived. */
	readonly archived: readonly string[];
	/** Names of its hints that the person has used, or has seen if they are shown once. */
	readonly learned: readonly string[];
};

const noPreferences: DashboardPreferences = {sort: '', archived: [], learned: []};

/** Maximum; newer ids push out the oldest. */
const maxArchived = 10_000;
/** Maximum of names of hints; newer ones push out the oldest. */
const maxLearned = 100;

/** Files of earlier versions have no hints. */
const shape = z.object({
	sort: z.string(),
	archived: z.array(z.string()),
	learned: z._default(z.array(z.string()), []),
});

/** Path in the machine-local folder. */
const pathIn = (folder: string): string => join(folder, 'dashboard.json');

/** A file that is damaged, or of another shape, counts as none. */
export const readDashboardPreferences = async (
	files: Pick<Files, 'read'>,
	folder: string,
): Promise<DashboardPreferences> => {
	try {
		return shape.parse(JSON.parse((await files.read(pathIn(folder))) ?? ''));
	} catch {
		return noPreferences;
	}
};

export type UpdatePreferences = (
	change: (before: DashboardPreferences) => DashboardPreferences,
) => Promise<void>;

/**
 * Returns a function that changes what is remembered. Changes are applied one at a time, each to the current
 * content of the file, since another face may have written it.
 */
export const createUpdatePreferences = (
	files: Pick<Files, 'read' | 'write'>,
	folder: string,
): UpdatePreferences => {
	const queue = createSerialQueue();
	return change =>
		queue(async () => {
			const {sort, archived, learned} = change(await readDashboardPreferences(files, folder));
			const kept = {
				sort,
				archived: archived.slice(-maxArchived),
				learned: [...new Set(learned)].slice(-maxLearned),
			};
			await files.write(pathIn(folder), `${JSON.stringify(kept)}\n`, {mode: 0o600});
		});
};
