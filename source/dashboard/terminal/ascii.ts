import {widthOf} from '../parts/cells.ts';

const asciiForms: Readonly<Record<string, string>> = {
	'│': '|',
	'─': '-',
	'┌': '+',
	'┐': '+',
	'└': '+',
	'┘': '+',
	'├': '+',
	'┤': '+',
	'·': '.',
	'○': 'o',
	'▶': '*',
	'◆': '!',
	'▸': '>',
	'▾': 'v',
	'✓': 'v',
	'✗': 'x',
	'■': '#',
	'‖': '=',
	'⊘': '/',
	'●': '*',
	'•': '*',
	'»': '*',
	'█': '#',
	'░': '.',
	'…': '~',
	'→': '>',
	'▼': 'v',
	'↑': '^',
	'↓': 'v',
	'⠋': '-',
	'⠙': '\\',
	'⠸': '|',
	'⠴': '/',
	'⠦': '-',
	'⠇': '|',
	'≈': '=',
	'␍': '?',
};

const other = /[^\0-~]/gu;

/**
 * For terminals without Unicode: box drawing as signs, letters as question marks, all as wide as they were.
 */
export const toAscii = (text: string): string =>
	text.replaceAll(other, character => asciiForms[character] ?? '?'.repeat(widthOf(character)));
