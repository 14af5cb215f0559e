import {oneColumn} from '../parts/cells.ts';

type Transform = (line: string, index: number) => string;
type Clip = {
	readonly x1: number | undefined;
	readonly x2: number | undefined;
	readonly y1: number | undefined;
	readonly y2: number | undefined;
};

/** The part of Ink's output step that is used. Writes are collected, and `get` turns them into rows. */
type Output = {
	write(x: number, y: number, text: string, options: {transformers: Transform[]}): void;
	clip(clip: Clip): void;
	unclip(): void;
	get(): {output: string; height: number};
};
export type OutputClass = new (size: {width: number; height: number}) => Output;

type Piece = {readonly x: number; readonly text: string};

/**
 * Ink's output step with a cache of the last frame's rows. A row with the same pieces as in the last frame is
 * reused. Adjacent pieces are joined. Ink's own code merges them only if they overlap, or have characters
 * that are not one column wide. A frame that clips is left to Ink as a whole. The build replaces Ink's
 * `output.js` with it, and a test checks that both show the same.
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

		/** The pieces written on each row, in order. */
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
 * Joins adjacent pieces, with spaces between them; each piece has its own styles. Undefined if Ink would show
 * something else.
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
