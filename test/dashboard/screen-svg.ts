import xterm from '@xterm/headless';
import type {Size} from '../../source/dashboard/store/state.ts';

const cell = {width: 8.4, height: 18};
const margin = 12;
const paper = '#16181d';
const ink = '#d5d8de';
/** The first sixteen colours of a terminal. */
const palette = [
	...['#16181d', '#e05d5d', '#7fb069', '#d6a743', '#6aa0d8', '#b48ead', '#63b5b0', '#d5d8de'],
	...['#7a808c', '#ff7a7a', '#a3d48a', '#f2c55c', '#8ab8ea', '#cfa9d6', '#86d0cb', '#ffffff'],
];

/** Returns a picture of a frame as a terminal shows it; the title is its alternative text. */
export const screenSvg = async (title: string, frame: string, {columns, rows}: Size): Promise<string> => {
	const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	await new Promise<void>(resolve => terminal.write(frame.replaceAll('\n', '\r\n'), resolve));
	const lines = Array.from({length: rows}, (_, row) => lineOf(terminal, row)).filter(text => text !== '');
	terminal.dispose();
	const [width, height] = [columns * cell.width + 2 * margin, rows * cell.height + 2 * margin];
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="100%" height="100%" rx="8" fill="${paper}"/>`,
		...lines,
		'</svg>\n',
	].join('\n');
};

type Look = {readonly fill: string; readonly behind: string; readonly bold: boolean};
type Piece = Look & {readonly column: number; readonly text: string; readonly width: number};

const lineOf = (terminal: xterm.Terminal, row: number): string => {
	const line = terminal.buffer.active.getLine(row);
	const pieces: Piece[] = [];
	for (let column = 0; column < terminal.cols; column += 1) {
		const each = line?.getCell(column);
		if (!each || each.getWidth() === 0) continue;
		const look = lookOf(each);
		const text = each.getChars() || ' ';
		const last = pieces.at(-1);
		if (last && last.fill === look.fill && last.behind === look.behind && last.bold === look.bold)
			pieces[pieces.length - 1] = {...last, text: last.text + text, width: last.width + each.getWidth()};
		else pieces.push({...look, column, text, width: each.getWidth()});
	}
	return pieces.map(piece => drawn(piece, row)).join('');
};

const lookOf = (each: xterm.IBufferCell): Look => {
	const [fill, behind] = [
		colour(each.isFgDefault(), each.getFgColor(), ink),
		colour(each.isBgDefault(), each.getBgColor(), paper),
	];
	const bold = each.isBold() !== 0;
	return each.isInverse() ? {fill: behind, behind: fill, bold} : {fill, behind, bold};
};

/** Returns a colour; of the 256 colours the cube and the greys follow from their number. */
const colour = (isDefault: boolean, number: number, usual: string): string => {
	if (isDefault) return usual;
	if (number < 16) return palette[number] ?? usual;
	if (number >= 232) return hex([0, 0, 0].map(() => 8 + (number - 232) * 10));
	return hex(
		[36, 6, 1]
			.map(step => Math.floor((number - 16) / step) % 6)
			.map(level => (level === 0 ? 0 : 55 + level * 40)),
	);
};

const hex = (levels: readonly number[]): string =>
	`#${levels.map(level => level.toString(16).padStart(2, '0')).join('')}`;

const drawn = ({column, text, width, fill, behind, bold}: Piece, row: number): string => {
	const [x, y] = [margin + column * cell.width, margin + row * cell.height];
	const box =
		behind === paper
			? ''
			: `<rect x="${round(x)}" y="${round(y)}" width="${round(width * cell.width)}" height="${cell.height}" fill="${behind}"/>`;
	if (text.trim() === '') return box;
	const start = text.length - text.trimStart().length;
	const shown = text.trim();
	const length = round((width - (text.length - shown.length)) * cell.width);
	return `${box}<text x="${round(x + start * cell.width)}" y="${round(y + 13)}" textLength="${length}" fill="${fill}"${bold ? ' font-weight="bold"' : ''} xml:space="preserve">${escaped(shown)}</text>\n`;
};

const round = (value: number): number => Math.round(value * 10) / 10;
const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
