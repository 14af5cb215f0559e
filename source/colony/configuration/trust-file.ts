import {join} from 'node:path';
import {HiveError} from '../../domain/errors.ts';
import type {Files} from '../../ports/files.ts';
import {atRoot} from '../at-root.ts';
import {noWriters, type Trust} from './state.ts';

/**
 * Of the machine-local folder, in a folder of its own, which can be watched. The names in it are those of
 * older hives, which leave out `names`.
 */
export const trustFile = (folder: string): string => join(folder, 'configuration', 'seen.json');

/**
 * Throws `invalid_config` when its file is not what a hive wrote: what a person has accepted is not known
 * then.
 */
export const parseTrust = (folder: string, text: string | undefined): Trust => {
	if (text === undefined) return noWriters;
	try {
		const {open, names = [], texts, waiting} = JSON.parse(text);
		if (!Array.isArray(open)) throw new TypeError('nobody is named');
		const words = new Map<string, string>(names);
		return {
			writers: open.map(id => ({id, words: words.get(id) ?? `${id} was open`})),
			trusted: new Map(texts),
			awaiting: new Map(waiting),
		};
	} catch {
		throw new HiveError('invalid_config', {
			message: `${trustFile(folder)} was changed: what you have accepted of the configuration is not known any more.`,
			hint: 'Look at .hive/ with "git diff", then remove that file.',
		});
	}
};

/**
 * Without writers and versions that await a person there is nothing to keep. Resolves with the text that the
 * file has then.
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

/**
 * The checkout has another root now: what is kept of its files is kept under their new paths. May be
 * repeated.
 */
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
