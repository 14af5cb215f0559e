import {sanitizeWords} from '../../domain/sanitize.ts';
import type {CodeKind} from '../../review/code.ts';

/** What a stretch of text means; the theme decides what that looks like. */
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

/** A text in several tones. How wide it is drawn is for the component that shows it. */
export type Line = readonly Span[];

/** Sanitized, on one line. */
export const span = (text: string, tone: Tone = 'plain'): Span => ({text: sanitizeWords(text), tone});

export const line = (text: string, tone: Tone = 'plain'): Line => [span(text, tone)];

export const plainText = (content: Line): string => content.map(({text}) => text).join('');
