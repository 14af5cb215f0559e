import {parseColonyYaml} from './parse/colony.ts';
import {readAnew} from './parse/read-anew.ts';

/**
 * A new id of a colony: its slug, cut at 55 characters, and 8 random digits.
 * @param randomHex that many random lowercase hex digits
 */
export const createColonyId = (slug: string, randomHex: (digits: number) => string): string =>
	`${slug.slice(0, 55)}-${randomHex(8)}`;

/** The lines of `colony.yaml` that give a colony its id. */
export const idLines = (id: string): string =>
	`# Names this colony on a message bus; its clones have the same.\nid: ${id}`;

/**
 * The text of a `colony.yaml` that has a slug and no id, with this one: below the line of the slug, or where
 * its form has no lines.
 */
export const withId = async (text: string, id: string): Promise<string> => {
	const below = text.replace(/^["']?slug["']?[ \t]*:[^\r\n]*/m, line => `${line}\n${idLines(id)}`);
	const {value} = parseColonyYaml('', await readAnew(below));
	if (value?.id === id) return below;
	const {withEntry} = await import('./with-entry.ts');
	return withEntry(text, 'id', id);
};
