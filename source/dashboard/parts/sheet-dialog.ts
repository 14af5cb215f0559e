import type {SheetBlock, SheetLine, SheetTone} from '../../host/views/sheet-lines.ts';
import {type ColourToken, type Line, line} from './line.ts';

const marks: Readonly<Record<SheetTone, string>> = {bad: '✗ ', warn: '! ', good: '✓ ', plain: '', dim: ''};
const tones: Readonly<Record<SheetTone, ColourToken>> = {
	...{bad: 'bad', warn: 'accent', good: 'good', plain: 'plain', dim: 'dim'},
};

/** Max lines of a sheet in a dialog, so that its buttons stay visible. The rest are counted. */
const maxLines = 6;

/** The red and amber lines of a sheet for a dialog, the red ones first. */
export const cautionLines = (blocks: readonly SheetBlock[]): readonly Line[] => {
	const found = blocks.flatMap(block => block.lines.map(one => ({block, one})));
	const ordered = [
		...found.filter(({one}) => one.tone === 'bad'),
		...found.filter(({one}) => one.tone === 'warn'),
	];
	const left = ordered.length - maxLines;
	return [
		...ordered.slice(0, maxLines).map(({block, one}) => lineOf(block, one)),
		...(left > 0 ? [line(`! and ${left} more in the review`, 'accent')] : []),
	];
};

/** The lines of some blocks for a dialog, in the order of the sheet. */
export const linesOfBlocks = (
	blocks: readonly SheetBlock[],
	ids: readonly SheetBlock['id'][],
): readonly Line[] =>
	blocks.filter(({id}) => ids.includes(id)).flatMap(block => block.lines.map(one => lineOf(block, one)));

const lineOf = ({name}: SheetBlock, {tone, text, about}: SheetLine): Line =>
	line(
		`${marks[tone]}${name}${about === undefined ? '' : `, ${about}`}: ${text.split('\n').join(' ')}`,
		tones[tone],
	);

/** Numbers of the red and the amber lines. */
export const countCautions = (
	blocks: readonly SheetBlock[],
): {readonly bad: number; readonly warn: number} => {
	const all = blocks.flatMap(({lines}) => lines.map(({tone}) => tone));
	return {
		bad: all.filter(tone => tone === 'bad').length,
		warn: all.filter(tone => tone === 'warn').length,
	};
};
