import {stripVTControlCharacters} from 'node:util';
import {widthOf} from '../parts/cells.ts';

/**
 * Ink's text measuring without a memory: Ink's own keeps every text it ever saw, and never lets go of one.
 */
export const measureText = (text: string): {readonly width: number; readonly height: number} => {
	if (text === '') return {width: 0, height: 0};
	const plain = text.includes('\x1b') ? stripVTControlCharacters(text) : text;
	if (!plain.includes('\n')) return {width: widthOf(plain), height: 1};
	const lines = plain.split('\n');
	return {width: Math.max(...lines.map(widthOf)), height: lines.length};
};

/** The same in the place of `widest-line`, which Ink asks for every text of every frame. */
export const widestLine = (text: string): number => measureText(text).width;
