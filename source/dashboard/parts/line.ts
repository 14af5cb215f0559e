import {sanitizeProse} from '../../domain/sanitize.ts';
import type {CodeKind} from '../../review/code.ts';

/** The meaning of a stretch of text. The theme decides on its look. */
export type ColourToken =
	| 'plain'
	| 'strong'
	| 'dim'
	| 'accent'
	| 'good'
	| 'bad'
	| 'info'
	| 'border'
	| 'focus'
	| 'cursor'
	| 'added'
	| 'removed'
	| 'added-word'
	| 'removed-word'
	| `code-${CodeKind}`;

export type Span = {readonly text: string; readonly tone: ColourToken};

/** Text in several tones. The component that shows it decides on its width. */
export type Line = readonly Span[];

/** Sanitized text on one line. */
export const span = (text: string, tone: ColourToken = 'plain'): Span => ({text: sanitizeProse(text), tone});

export const line = (text: string, tone: ColourToken = 'plain'): Line => [span(text, tone)];

export const plainText = (content: Line): string => content.map(({text}) => text).join('');
