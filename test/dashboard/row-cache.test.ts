import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type OutputClass, withRowCache} from '../../source/dashboard/ink/row-cache.ts';

const {default: Stock}: {default: OutputClass} = await import(
	new URL('../../node_modules/ink/build/output.js', import.meta.url).href
);
const Cached = withRowCache(Stock);

const styled = fc
	.tuple(
		fc.constantFrom('', '1', '2', '7', '31', '38;5;214'),
		fc.oneof(
			fc.string({unit: 'grapheme', maxLength: 12}),
			fc.string({unit: fc.constantFrom('a', ' ', '│', '✓')}),
		),
	)
	.map(([code, text]) => (code ? `\x1b[${code}m${text}\x1b[0m` : text));
const text = fc.array(styled, {minLength: 1, maxLength: 4}).map(parts => parts.join(''));
const write = fc.record({
	x: fc.integer({min: 0, max: 25}),
	y: fc.integer({min: 0, max: 7}),
	lines: fc.array(text, {minLength: 1, maxLength: 3}),
	isUpper: fc.boolean(),
});
const clip = fc.option(fc.record({x1: fc.integer({min: 0, max: 5}), x2: fc.integer({min: 6, max: 20})}), {
	nil: undefined,
});

const draw = (
	Output: OutputClass,
	writes: readonly {x: number; y: number; lines: string[]; isUpper: boolean}[],
	edge: {x1: number; x2: number} | undefined,
) => {
	const output = new Output({width: 30, height: 8});
	if (edge) output.clip({...edge, y1: undefined, y2: undefined});
	for (const {x, y, lines, isUpper} of writes)
		output.write(x, y, lines.join('\n'), {
			transformers: isUpper ? [(line, index) => `${index}${line.toUpperCase()}`] : [],
		});
	if (edge) output.unclip();
	return output.get();
};

/** Renders each row once more through Ink, which normalises characters and styles. */
const shown = ({output, height}: {output: string; height: number}) => {
	const rows = output.split('\n').map(row => {
		const single = new Stock({width: 30, height: 1});
		single.write(0, 0, row, {transformers: []});
		return single.get().output;
	});
	return {rows, height};
};

describe('the row cache of the output step', () => {
	it('shows the same as Ink, for any tree, frame after frame', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.array(write, {maxLength: 10}), clip), {maxLength: 4}), frames => {
				for (const [writes, edge] of frames)
					expect(shown(draw(Cached, writes, edge))).toEqual(shown(draw(Stock, writes, edge)));
			}),
			{numRuns: 1000},
		);
	});

	it('renders only the rows that changed', () => {
		let rendered = 0;
		const Counting: OutputClass = class extends Stock {
			override get() {
				rendered += 1;
				return super.get();
			}
		};
		const Output = withRowCache(Counting);
		const frame = (changed: string) => {
			const output = new Output({width: 30, height: 3});
			for (const [y, row] of ['漢', changed, '字'].entries()) output.write(1, y, row, {transformers: []});
			return output.get().output;
		};
		frame('で');
		rendered = 0;
		expect(frame('す')).toBe(' 漢\n す\n 字');
		expect(rendered).toBe(1);
	});
});
