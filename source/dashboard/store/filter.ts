/** The searchable parts of a row: its texts, and its facts by key. */
export type SearchTerms = {
	readonly texts: readonly string[];
	readonly facts: Readonly<Partial<Record<FactKey, readonly string[]>>>;
};

const factKeys = ['is', 'bee', 'kind', 'type'] as const;
type FactKey = (typeof factKeys)[number];

/** One word of a filter, for a text or for a fact. */
type Term = {readonly key?: FactKey; readonly value: string};
export type Filter = readonly Term[];

/** Parses `is:waiting bee:builder login`. A word with a known key matches a fact, any other word a text. */
export const parseFilter = (text: string): Filter =>
	text
		.toLowerCase()
		.split(/\s+/)
		.filter(Boolean)
		.map(word => {
			const at = word.indexOf(':');
			const key = factKeys.find(name => name === word.slice(0, at));
			return key === undefined ? {value: word} : {key, value: word.slice(at + 1)};
		});

/**
 * True if every word matches. A text matches anywhere in a text or in the name of a state. A fact matches
 * from its start, so that it is found while it is typed.
 */
export const matchesFilter = (filter: Filter, {texts, facts}: SearchTerms): boolean =>
	filter.every(({key, value}) => {
		if (key !== undefined) return (facts[key] ?? []).some(fact => fact.toLowerCase().startsWith(value));
		return [...texts, ...(facts.is ?? [])].some(text => text.toLowerCase().includes(value));
	});

/** The words of a filter that are for texts, as one text. */
export const textOfFilter = (filter: Filter): string =>
	filter.flatMap(({key, value}) => (key === undefined ? [value] : [])).join(' ');

/** The rest of a filter: its words for facts. */
export const factsOfFilter = (filter: Filter): Filter => filter.filter(({key}) => key !== undefined);

/** True if the filter asks for rows in that state. */
export const requiresFact = (filter: Filter, state: string): boolean =>
	filter.some(({key, value}) => key === 'is' && value !== '' && state.startsWith(value));
