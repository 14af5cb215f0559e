import {sanitizeText} from '../domain/sanitize.ts';

/** Markup that is safe to put into a page. Only `html` makes it. */
export type Html = {readonly markup: string};

type Part = Html | string | number | readonly Html[];

/**
 * A template whose values become sanitized and escaped text, never markup. Only results of `html` are
 * inserted unchanged.
 */
export const html = (fixed: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
	markup: fixed.map((text, at) => text + (at < parts.length ? markupOf(parts[at] ?? '') : '')).join(''),
});

const markupOf = (part: Part): string => {
	if (typeof part === 'number') return String(part);
	if (typeof part === 'string') return escapeText(sanitizeText(part).text);
	return 'markup' in part ? part.markup : part.map(({markup}) => markup).join('');
};

const escapeText = (text: string): string =>
	text.replace(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`);

export const nothing: Html = {markup: ''};
