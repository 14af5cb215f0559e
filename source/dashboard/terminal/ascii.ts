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
 * Converts text for terminals without Unicode: box drawing to ASCII signs, other characters to question marks
 * of the same width.
 */
export const toAscii = (text: string): string =>
	text.replaceAll(other, character => asciiForms[character] ?? '?'.repeat(widthOf(character)));
