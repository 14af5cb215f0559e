import {join} from 'node:path';
import {HiveError} from '../../domain/errors.ts';
import type {Files} from '../../ports/files.ts';
import {atRoot} from '../at-root.ts';
import {noWriters, type Trust} from './state.ts';

/**
 * Path of the trust file in the machine-local folder. The file is alone in its folder, so that the folder can
 * be watched. Its field names are kept from older versions. Files of those versions have no `names`.
 */
export const trustFile = (folder: string): string => join(folder, 'configuration', 'seen.json');

/**
 * Parses the trust file. Throws `invalid_config` if it is malformed, since what a person has accepted is then
 * unknown.
 */
export const parseTrust = (folder: string, text: string | undefined): Trust => {
	if (text === undefined) return noWriters;
	try {
		const {open, names = [], texts, waiting} = JSON.parse(text);
		if (!Array.isArray(open)) throw new TypeError('"open" is not a list');
		const descriptions = new Map<string, string>(names);
		return {
			writers: open.map(id => ({id, description: descriptions.get(id) ?? `${id} was open`})),
			trusted: new Map(texts),
			awaiting: new Map(waiting),
		};
	} catch {
		throw new HiveError('invalid_config', {
			message: `${trustFile(folder)}, where hive keeps which configuration you accepted, was changed by another program.`,
			hint: `Check .hive/ with "git diff". If you accept it as it is, remove ${trustFile(folder)}.`,
		});
	}
};

/**
 * Writes the trust file, or removes it if there are no writers and no awaiting versions. Resolves with the
 * file's new text.
 */
export const writeTrust = async (files: Files, folder: string, trust: Trust): Promise<string | undefined> => {
	const {writers, trusted, awaiting} = trust;
	if (writers.length === 0 && awaiting.size === 0) {
		await files.remove(trustFile(folder));
		return undefined;
	}
	const written = {
		open: writers.map(({id}) => id),
		names: writers.map(({id, description}) => [id, description]),
		texts: [...trusted],
		waiting: [...awaiting],
	};
	const text = `${JSON.stringify(written)}\n`;
	await files.write(trustFile(folder), text, {mode: 0o600});
	return text;
};

/** Rewrites the paths in the trust file after the checkout has moved from `from` to `to`. Idempotent. */
export const moveTrust = async (files: Files, folder: string, from: string, to: string): Promise<void> => {
	const text = await files.read(trustFile(folder));
	if (text === undefined) return;
	const trust = parseTrust(folder, text);
	const moved = <Value>(versions: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
		new Map([...versions].map(([path, value]) => [atRoot(to, from, path), value]));
	await writeTrust(files, folder, {
		...trust,
		trusted: moved(trust.trusted),
		awaiting: moved(trust.awaiting),
	});
};
