import {stripVTControlCharacters} from 'node:util';
import {widthOf} from '../parts/cells.ts';

/** Replaces Ink's text measuring, whose cache keeps every text for ever. */
export const measureText = (text: string): {readonly width: number; readonly height: number} => {
	if (text === '') return {width: 0, height: 0};
	const plain = text.includes('\x1b') ? stripVTControlCharacters(text) : text;
	if (!plain.includes('\n')) return {width: widthOf(plain), height: 1};
	const lines = plain.split('\n');
	return {width: Math.max(...lines.map(widthOf)), height: lines.length};
};

/** The same in place of `widest-line`, which Ink calls for every text of every frame. */
export const widestLine = (text: string): number => measureText(text).width;
