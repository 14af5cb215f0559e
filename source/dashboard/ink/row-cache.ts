import {oneColumn} from '../parts/cells.ts';

type Transform = (line: string, index: number) => string;
type Clip = {
	readonly x1: number | undefined;
	readonly x2: number | undefined;
	readonly y1: number | undefined;
	readonly y2: number | undefined;
};

/** The part of Ink's output step that is used: writes are collected, `get` turns them into rows. */
type Output = {
	write(x: number, y: number, text: string, options: {transformers: Transform[]}): void;
	clip(clip: Clip): void;
	unclip(): void;
	get(): {output: string; height: number};
};
export type OutputClass = new (size: {width: number; height: number}) => Output;

type Piece = {readonly x: number; readonly text: string};

/**
 * Ink's output step with a memory of the last frame's rows: a row whose pieces are those of the last frame is
 * the row of the last frame; pieces that stand beside each other are joined; only where they overlap, or have
 * characters of another width than one, Ink's own code puts them together. A frame that clips is left to Ink
 * as a whole. The build puts it in the place of Ink's `output.js`; a test holds what it shows equal to that.
 */
export const withRowCache = (Stock: OutputClass): OutputClass => {
	let lastRows = new Map<string, string>();
	return class implements Output {
		readonly #size: {readonly width: number; readonly height: number};
		readonly #stock: Output;
		readonly #writes: {
			readonly x: number;
			readonly y: number;
			readonly text: string;
			readonly transformers: Transform[];
		}[] = [];
		#clips = false;

		constructor(size: {width: number; height: number}) {
			this.#size = size;
			this.#stock = new Stock(size);
		}

		write(x: number, y: number, text: string, options: {transformers: Transform[]}): void {
			this.#stock.write(x, y, text, options);
			if (text) this.#writes.push({x, y, text, ...options});
		}

		clip(clip: Clip): void {
			this.#clips = true;
			this.#stock.clip(clip);
		}

		unclip(): void {
			this.#stock.unclip();
		}

		get(): {output: string; height: number} {
			if (this.#clips) return this.#stock.get();
			const {width, height} = this.#size;
			const rows = new Map<string, string>();
			const output = this.#pieces().map(pieces => {
				const key = `${width}\n${pieces.map(({x, text}) => `${x} ${text}`).join('\n')}`;
				const row = rows.get(key) ?? lastRows.get(key) ?? renderRow(Stock, width, pieces);
				rows.set(key, row);
				return row;
			});
			lastRows = rows;
			return {output: output.join('\n'), height};
		}

		/** What is written on each row, in order. */
		#pieces(): Piece[][] {
			const rows: Piece[][] = Array.from({length: this.#size.height}, () => []);
			for (const {x, y, text, transformers} of this.#writes)
				for (const [index, line] of text.split('\n').entries()) {
					const piece = transformers.reduce((now, transform) => transform(now, index), line);
					if (piece !== '') rows[y + index]?.push({x, text: piece});
				}
			return rows;
		}
	};
};

const renderRow = (Stock: OutputClass, width: number, pieces: readonly Piece[]): string => {
	const joined = joinPieces(pieces);
	if (joined !== undefined) return joined;
	const row = new Stock({width, height: 1});
	for (const {x, text} of pieces) row.write(x, 0, text, {transformers: []});
	return row.get().output;
};

/**
 * Pieces beside each other with the spaces between them, each with styles of its own; nothing when that would
 * not be what Ink shows.
 */
const joinPieces = (pieces: readonly Piece[]): string | undefined => {
	let row = '';
	let column = 0;
	for (const {x, text} of pieces.toSorted((a, b) => a.x - b.x)) {
		const plain = text.replaceAll(styles, '');
		if (x < column || !oneColumn.test(plain)) return undefined;
		row += ' '.repeat(x - column) + text;
		column = x + plain.length;
	}
	return row.trimEnd();
};

const styles = new RegExp(`${'\x1b'}\\[[\\d;:]*m`, 'g');
