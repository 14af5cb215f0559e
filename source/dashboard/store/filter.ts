/** What a row can be found by: any of its texts, and its facts by their keys. */
export type Searched = {
	readonly texts: readonly string[];
	readonly facts: Readonly<Partial<Record<FactKey, readonly string[]>>>;
};

const factKeys = ['is', 'bee', 'kind', 'type'] as const;
type FactKey = (typeof factKeys)[number];

/** One word of a filter: of a text, or of a fact. */
type Term = {readonly key?: FactKey; readonly value: string};
export type Filter = readonly Term[];

/** `is:waiting bee:builder login`: words with a known key ask for a fact, others for a text. */
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
 * Every word has to be found: a text anywhere in a text, or in the name of a state; a fact from its start, so
 * that one that is still typed finds too.
 */
export const isFound = (filter: Filter, {texts, facts}: Searched): boolean =>
	filter.every(({key, value}) => {
		if (key !== undefined) return (facts[key] ?? []).some(fact => fact.toLowerCase().startsWith(value));
		return [...texts, ...(facts.is ?? [])].some(text => text.toLowerCase().includes(value));
	});

/** The filter asks for what is in that state. */
export const asksFor = (filter: Filter, state: string): boolean =>
	filter.some(({key, value}) => key === 'is' && value !== '' && state.startsWith(value));
