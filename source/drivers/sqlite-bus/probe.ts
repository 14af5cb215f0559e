import {access, constants} from 'node:fs/promises';
import {dirname} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import {errorCode} from '../../domain/error-code.ts';
import {errorMessage} from '../../domain/error-message.ts';
import type {HiveError} from '../../domain/errors.ts';
import {markedLogError, parseLogMark} from '../../domain/log-mark.ts';
import type {StoreProbe} from '../../ports/event-store.ts';
import {isBusy} from './database.ts';
import {logVersion} from './schema.ts';

/** Opens the log, takes its write lock and releases both. It changes no byte, and makes no log. */
export const probeStore = async (file: string): Promise<StoreProbe> => {
	const isThere = await access(file).then(
		() => true,
		() => false,
	);
	return isThere ? openOnce(file) : checkFolder(dirname(file));
};

const busyTimeoutMs = 1000;

const openOnce = (file: string): StoreProbe => {
	let database: InstanceType<typeof DatabaseSync> | undefined;
	try {
		database = new DatabaseSync(file, {timeout: busyTimeoutMs});
		const {value} = database.prepare(`select value from meta where key = 'version'`).get();
		if (value > logVersion) return {state: 'newer'};
		const marked = database.prepare(`select value from meta where key = 'mark'`).get();
		const mark = parseLogMark(marked?.value ?? '');
		if (mark !== undefined) return {state: 'away', ...sayOf(markedLogError(file, mark))};
		database.exec('BEGIN IMMEDIATE; ROLLBACK');
		return {state: 'sound'};
	} catch (error) {
		// Another process is writing, so the log can be written.
		return isBusy(error) ? {state: 'sound'} : {state: 'broken', reason: errorMessage(error)};
	} finally {
		database?.close();
	}
};

/** Checks the folder in which the file would be made, or its nearest parent that exists. */
const checkFolder = async (folder: string): Promise<StoreProbe> => {
	try {
		await access(folder, constants.W_OK);
		return {state: 'absent'};
	} catch (error) {
		const missing = errorCode(error) === 'ENOENT';
		if (missing && dirname(folder) !== folder) return checkFolder(dirname(folder));
		return {state: 'broken', reason: `${folder} cannot be written to`};
	}
};

const sayOf = ({refusal: {message, hint}}: HiveError) => ({message, hint});
