import {stripVTControlCharacters} from 'node:util';
import {widthOf} from '../parts/line.ts';

type Measure = {readonly width: number; readonly height: number};

const known = new Map<string, Measure>();
/** A few whole frames: Ink asks for the same one several times while it draws it. */
const mostKnown = 8;

/** Ink's text measuring with a bounded memory: Ink's own keeps every text it ever saw (performance.md, row 24). */
export const measureText = (text: string): Measure => {
	if (text === '') return {width: 0, height: 0};
	const found = known.get(text);
	if (found) return found;
	const lines = stripVTControlCharacters(text).split('\n');
	const measure = {width: Math.max(...lines.map(widthOf)), height: lines.length};
	if (known.size >= mostKnown) known.clear();
	known.set(text, measure);
	return measure;
};

/** The same memory in the place of `widest-line`, which Ink asks for every row of every frame. */
export const widestLine = (text: string): number => measureText(text).width;
