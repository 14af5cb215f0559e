import type {KeyboardInput} from '../keys/keyboard-input.ts';
import {columnOf, offsetAt, rowOf, textRowsOf} from '../parts/text-rows.ts';
import type {TextInput} from '../store/form.ts';
import {editText, insertText} from './text-input.ts';

/** Columns of the mark before each row of a text area. */
export const areaMark = 2;

/** Columns to which the text of an area of that width is wrapped. */
export const areaTextWidth = (width: number): number => Math.max(2, width - areaMark);

/**
 * Applies a key to a text of several lines, drawn `width` columns wide. Enter starts a line. Up and down move
 * by drawn rows, and stop at the first and the last. Undefined if the key has no meaning here.
 */
export const editArea = (input: TextInput, event: KeyboardInput, width: number): TextInput | undefined => {
	if (event.kind !== 'key') return editText(input, event);
	if (event.name === 'enter') return insertText(input, '\n');
	const step = Object.hasOwn(steps, event.name) ? steps[event.name] : undefined;
	return step === undefined ? editText(input, event) : moveRows(input, step, width);
};

const pageRows = 5;
const steps: Readonly<Record<string, number>> = {up: -1, down: 1, pgup: -pageRows, pgdn: pageRows};

const moveRows = (input: TextInput, step: number, width: number): TextInput => {
	const {text, cursor} = input;
	const rows = textRowsOf(text, width);
	const from = rowOf(rows, cursor);
	const to = Math.min(rows.length - 1, Math.max(0, from + step));
	const [now, next] = [rows[from], rows[to]];
	if (now === undefined || next === undefined || to === from) return input;
	const column = input.column ?? columnOf(now, cursor);
	return {text, cursor: offsetAt(next, column), column};
};
