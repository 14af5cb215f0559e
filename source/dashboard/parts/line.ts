import {sanitizeWords} from '../../domain/sanitize.ts';
import type {CodeKind} from '../../review/code.ts';

/** The meaning of a stretch of text. The theme decides on its look. */
export type Tone =
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

export type Span = {readonly text: string; readonly tone: Tone};

/** Text in several tones. The component that shows it decides on its width. */
export type Line = readonly Span[];

/** Sanitized text on one line. */
export const span = (text: string, tone: Tone = 'plain'): Span => ({text: sanitizeWords(text), tone});

export const line = (text: string, tone: Tone = 'plain'): Line => [span(text, tone)];

export const plainText = (content: Line): string => content.map(({text}) => text).join('');
