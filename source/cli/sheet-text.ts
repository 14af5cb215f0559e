import {sanitizeLine} from '../domain/sanitize.ts';
import type {SheetBlock, SheetLine, SheetTone} from '../host/views/sheet-lines.ts';
import type {Text} from './text.ts';

/** Columns of the block names. */
export const sheetIndent = 14;

const marks: Readonly<Record<SheetTone, string>> = {bad: '✗ ', warn: '! ', good: '✓ ', plain: '', dim: ''};
const styles = {bad: 'bad', warn: 'attention', good: 'good', dim: 'dim'} as const;

/** Renders a block of a sheet: its name, and its lines beside it. */
export const renderBlock = ({name, lines}: Pick<SheetBlock, 'name' | 'lines'>): Exclude<Text, string> =>
	lines.flatMap((line, index) => renderLine(line, index === 0 ? name : ''));

const renderLine = (
	{tone, text, whole = text, about, below = []}: SheetLine,
	name: string,
): Exclude<Text, string> => {
	const subject = about === undefined ? '' : `${about}: `;
	const [first = '', ...rest] = `${marks[tone]}${subject}${whole}`.split('\n');
	const rows = [first, ...rest, ...below.map(row => `│ ${row}`)].map(row => `${sanitizeLine(row)}\n`);
	return rows.flatMap((row, index) => [
		{text: (index === 0 ? name : '').padEnd(sheetIndent), style: 'dim'} as const,
		tone === 'plain' ? row : {text: row, style: styles[tone]},
	]);
};
