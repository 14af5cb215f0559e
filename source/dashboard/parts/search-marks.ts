import {type ColourToken, type Line, span} from './line.ts';

/** A text with the first search match marked. */
export const markFound = (text: string, search: string, tone: ColourToken = 'plain'): Line => {
	const at = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
	if (at < 0) return [span(text, tone)];
	return [
		span(text.slice(0, at), tone),
		span(text.slice(at, at + search.length), 'cursor'),
		span(text.slice(at + search.length), tone),
	];
};
