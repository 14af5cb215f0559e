import type {Key} from 'ink';
import type {KeyboardInput} from './keyboard-input.ts';
import type {Target} from './target.ts';

/** One input of the person. */
export type InputEvent =
	| KeyboardInput
	/** `on` has the targets under the pointer, the innermost first. */
	| {readonly kind: 'wheel'; readonly rows: number; readonly on: readonly Target[]}
	| {readonly kind: 'click'; readonly on: readonly Target[]};

/** Returns the targets at a column and a row of the screen. */
type FindTargets = (column: number, row: number) => readonly Target[];

const pasteStart = '[200~';
const pasteEnd = '[201~';
const mouse = /^\[<(\d+);(\d+);(\d+)([Mm])$/;
const wheelRows = 3;

/** Turns Ink's input into presses. A paste arrives in pieces between two brackets, and becomes one press. */
export const createInputReader = (
	find: FindTargets,
): ((input: string, key: Key) => readonly InputEvent[]) => {
	let pasted: string | undefined;
	return (input, key) => {
		if (input === pasteStart) {
			pasted = '';
			return [];
		}
		if (pasted === undefined) return readKeys(input, key, find);
		if (input !== pasteEnd) {
			pasted += key.return ? '\n' : input;
			return [];
		}
		const text = pasted;
		pasted = undefined;
		return [{kind: 'paste', text}];
	};
};

const readKeys = (input: string, key: Key, find: FindTargets): readonly InputEvent[] => {
	const special = specialName(key);
	if (special) return [{kind: 'key', name: special}];
	const pointer = mouse.exec(input);
	if (pointer) return readMouse(pointer, find);
	if (key.ctrl) return [{kind: 'key', name: `ctrl+${input}`}];
	if (key.meta) return [{kind: 'key', name: `alt+${input}`}];
	return [...input].flatMap(characterEvents);
};

const characterEvents = (character: string): readonly InputEvent[] => {
	if (character === '\r' || character === '\n') return [{kind: 'key', name: 'enter'}];
	if (character === '\t') return [{kind: 'key', name: 'tab'}];
	if (character < '\x1b') return [{kind: 'key', name: `ctrl+${controlLetter(character)}`}];
	if (character < ' ' || character === '\x7f') return [];
	return [{kind: 'key', name: character === ' ' ? 'space' : character, text: character}];
};

/** The letter of a Ctrl key that arrived together with other keys. */
const controlLetter = (control: string): string => String.fromCharCode(control.charCodeAt(0) + 96);

const specialName = (key: Key): string | undefined => {
	if (key.tab) return key.shift ? 'shift+tab' : 'tab';
	if (key.return) return 'enter';
	if (key.escape) return 'esc';
	if (key.backspace || key.delete) return key.meta ? 'ctrl+w' : 'backspace';
	const arrow = arrows.find(([field]) => key[field])?.[1];
	// Moves by words. Terminals send either modifier for it.
	return (arrow === 'left' || arrow === 'right') && (key.ctrl || key.meta) ? `ctrl+${arrow}` : arrow;
};

const arrows = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pgup'],
	['pageDown', 'pgdn'],
	['home', 'home'],
	['end', 'end'],
] as const;

const readMouse = (
	[, button, column, row, state]: readonly string[],
	find: FindTargets,
): readonly InputEvent[] => {
	const on = find(Number(column) - 1, Number(row) - 1);
	if (button === '64') return [{kind: 'wheel', rows: -wheelRows, on}];
	if (button === '65') return [{kind: 'wheel', rows: wheelRows, on}];
	return button === '0' && state === 'M' ? [{kind: 'click', on}] : [];
};
