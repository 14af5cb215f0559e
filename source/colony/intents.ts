import type {Bee, Colony} from './colony.ts';

/** What a run means to do: the intent that its prompt branches on, and what the caller wrote. */
export type Intent = {readonly intent: string; readonly raw: string};

/** The bee's own intents, else those that its intent partials name, sorted (docs/rules.md §9). */
export const intentsOf = (colony: Colony, {role, intents}: Bee): readonly string[] => {
	if (intents.length > 0) return intents;
	const prefix = `_partials/${role}-intent-`;
	return [...colony.prompts.keys()]
		.filter(name => name.startsWith(prefix))
		.map(name => name.slice(prefix.length).replace(/\.md$/, '').toLowerCase())
		.sort();
};

/** The bee's default: its own when it is in the vocabulary, else `general`, else the first, else none. */
export const defaultIntentOf = (colony: Colony, bee: Bee): string => {
	const vocabulary = intentsOf(colony, bee);
	const preferred = [bee.defaultIntent ?? '', 'general'].find(intent => vocabulary.includes(intent));
	return preferred ?? vocabulary[0] ?? '';
};

/** Trims and lower-cases; what the bee's vocabulary lacks becomes its default. */
export const normaliseIntent = (colony: Colony, bee: Bee, raw = ''): Intent => {
	const wanted = raw.trim().toLowerCase();
	const known = intentsOf(colony, bee).includes(wanted);
	return {intent: known ? wanted : defaultIntentOf(colony, bee), raw};
};
