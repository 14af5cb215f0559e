import {parseColonyYaml} from './parse/colony.ts';
import {readYamlUncached} from './parse/read-yaml-uncached.ts';

/**
 * Makes a new colony id: the slug, cut at 55 characters, and 8 random digits.
 * @param randomHex returns that many random lowercase hex digits
 */
export const createColonyId = (slug: string, randomHex: (digits: number) => string): string =>
	`${slug.slice(0, 55)}-${randomHex(8)}`;

/** The lines of `colony.yaml` that set the id. */
export const idLines = (id: string): string =>
	`# Names this colony on a message bus; its clones have the same.\nid: ${id}`;

/**
 * Adds an id to the text of a `colony.yaml` with a slug and without an id. It is added below the line of the
 * slug, or by the YAML library if the file is not written in lines.
 */
export const withId = async (text: string, id: string): Promise<string> => {
	const below = text.replace(/^["']?slug["']?[ \t]*:[^\r\n]*/m, line => `${line}\n${idLines(id)}`);
	const {value} = parseColonyYaml('', await readYamlUncached(below));
	if (value?.id === id) return below;
	const {withEntry} = await import('./with-entry.ts');
	return withEntry(text, 'id', id);
};
