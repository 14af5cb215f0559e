import {join} from 'node:path';
import {HiveError} from '../../domain/errors.ts';
import type {Files} from '../../ports/files.ts';
import {atRoot} from '../at-root.ts';
import {noWriters, type Trust} from './state.ts';

/**
 * Path of the trust file in the machine-local folder. It has a folder of its own, which can be watched. Its
 * field names are those of older versions, which lack `names`.
 */
export const trustFile = (folder: string): string => join(folder, 'configuration', 'seen.json');

/**
 * Throws `invalid_config` if the file is not as hive wrote it. What a person has accepted is unknown then.
 */
export const parseTrust = (folder: string, text: string | undefined): Trust => {
	if (text === undefined) return noWriters;
	try {
		const {open, names = [], texts, waiting} = JSON.parse(text);
		if (!Array.isArray(open)) throw new TypeError('"open" is not a list');
		const words = new Map<string, string>(names);
		return {
			writers: open.map(id => ({id, words: words.get(id) ?? `${id} was open`})),
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
		names: writers.map(({id, words}) => [id, words]),
		texts: [...trusted],
		waiting: [...awaiting],
	};
	const text = `${JSON.stringify(written)}\n`;
	await files.write(trustFile(folder), text, {mode: 0o600});
	return text;
};

/** Moves the kept versions to new paths, after the checkout was moved to another root. Idempotent. */
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
