import type {Bee, Colony} from './colony.ts';

/** The intent of a run: the one that its prompt branches on, and the caller's original text. */
export type Intent = {readonly intent: string; readonly raw: string};

/** The bee's own intents, else those of its intent partials, sorted (docs/rules.md §9). */
export const intentsOf = (colony: Colony, {role, intents}: Bee): readonly string[] => {
	if (intents.length > 0) return intents;
	const prefix = `_partials/${role}-intent-`;
	return [...colony.prompts.keys()]
		.filter(name => name.startsWith(prefix))
		.map(name => name.slice(prefix.length).replace(/\.md$/, '').toLowerCase())
		.sort();
};

/**
 * The bee's default intent: its own if it is among its intents, else `general`, else the first, else empty.
 */
export const defaultIntentOf = (colony: Colony, bee: Bee): string => {
	const vocabulary = intentsOf(colony, bee);
	const preferred = [bee.defaultIntent ?? '', 'general'].find(intent => vocabulary.includes(intent));
	return preferred ?? vocabulary[0] ?? '';
};

/** Trims and lower-cases an intent. An unknown one becomes the bee's default. */
export const normaliseIntent = (colony: Colony, bee: Bee, raw = ''): Intent => {
	const wanted = raw.trim().toLowerCase();
	const known = intentsOf(colony, bee).includes(wanted);
	return {intent: known ? wanted : defaultIntentOf(colony, bee), raw};
};
