import type {Key} from 'ink';

/** One thing the person did. */
export type Press =
	/** `name` is what the key table says: `a`, `K`, `up`, `ctrl+c`, `shift+tab`. `text` is what it would type. */
	| {readonly kind: 'key'; readonly name: string; readonly text?: string}
	| {readonly kind: 'paste'; readonly text: string}
	| {readonly kind: 'wheel'; readonly rows: number; readonly column: number; readonly row: number}
	| {readonly kind: 'click'; readonly column: number; readonly row: number};

const pasteStart = '[200~';
const pasteEnd = '[201~';
const mouse = /^\[<(\d+);(\d+);(\d+)([Mm])$/;
const wheelRows = 3;

/** Turns what Ink read into presses. A paste arrives in pieces between two brackets and is one press. */
export const createPressReader = (): ((input: string, key: Key) => readonly Press[]) => {
	let pasted: string | undefined;
	return (input, key) => {
		if (input === pasteStart) {
			pasted = '';
			return [];
		}
		if (pasted === undefined) return readKeys(input, key);
		if (input !== pasteEnd) {
			pasted += key.return ? '\n' : input;
			return [];
		}
		const text = pasted;
		pasted = undefined;
		return [{kind: 'paste', text}];
	};
};

const readKeys = (input: string, key: Key): readonly Press[] => {
	const special = specialName(key);
	if (special) return [{kind: 'key', name: special}];
	const pointer = mouse.exec(input);
	if (pointer) return readMouse(pointer);
	if (key.ctrl) return [{kind: 'key', name: `ctrl+${input}`}];
	if (key.meta) return [];
	return [...input].flatMap(typed);
};

const typed = (character: string): readonly Press[] => {
	if (character === '\r' || character === '\n') return [{kind: 'key', name: 'enter'}];
	if (character === '\t') return [{kind: 'key', name: 'tab'}];
	if (character < ' ' || character === '\x7f') return [];
	return [{kind: 'key', name: character === ' ' ? 'space' : character, text: character}];
};

const specialName = (key: Key): string | undefined => {
	if (key.tab) return key.shift ? 'shift+tab' : 'tab';
	if (key.return) return 'enter';
	if (key.escape) return 'esc';
	if (key.backspace || key.delete) return 'backspace';
	return arrows.find(([field]) => key[field])?.[1];
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

const readMouse = ([, button, column, row, state]: readonly string[]): readonly Press[] => {
	const at = {column: Number(column) - 1, row: Number(row) - 1};
	if (button === '64') return [{kind: 'wheel', rows: -wheelRows, ...at}];
	if (button === '65') return [{kind: 'wheel', rows: wheelRows, ...at}];
	return button === '0' && state === 'M' ? [{kind: 'click', ...at}] : [];
};
