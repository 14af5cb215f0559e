import type {Line, Tone} from './line.ts';

export const themeNames = ['dark', 'light', 'no-color', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

/** SGR parameters that switch a tone on, and those that switch it off again. */
type Style = readonly [on: string, off: string];
type Theme = Readonly<Record<Tone, readonly Style[]>>;

/** How rows become bytes: a theme, and ASCII instead of box drawing where the terminal has none. */
export type Look = {readonly theme: ThemeName; readonly ascii: boolean};

/** The row as text with SGR codes; state never depends on them (dashboard.md, Colour). */
export const paint = (content: Line, look: Look): string => {
	const theme = themes[look.theme];
	return content
		.map(({text, tone}) => {
			const shown = look.ascii ? toAscii(text) : text;
			return theme[tone].reduceRight((inner, [on, off]) => `\x1b[${on}m${inner}\x1b[${off}m`, shown);
		})
		.join('');
};

const foreground = (code: string): Style => [code, '39'];
const bold: Style = ['1', '22'];
const dim: Style = ['2', '22'];
const inverse: Style = ['7', '27'];

const dark: Theme = {
	plain: [],
	strong: [bold],
	dim: [foreground('90')],
	accent: [foreground('38;5;214')],
	good: [foreground('32')],
	bad: [foreground('91')],
	info: [foreground('36')],
	border: [foreground('90')],
	focus: [foreground('38;5;214')],
	cursor: [inverse],
	added: [foreground('32')],
	removed: [foreground('31')],
};

const themes: Readonly<Record<ThemeName, Theme>> = {
	dark,
	light: {
		...dark,
		accent: [foreground('38;5;130')],
		focus: [foreground('38;5;130')],
		bad: [foreground('31')],
	},
	'high-contrast': {
		...dark,
		dim: [],
		border: [],
		accent: [bold, foreground('93')],
		focus: [bold, foreground('93')],
		good: [bold, foreground('92')],
		bad: [bold, foreground('91')],
		info: [bold, foreground('96')],
	},
	'no-color': {
		plain: [],
		strong: [bold],
		dim: [dim],
		accent: [bold],
		good: [],
		bad: [bold],
		info: [],
		border: [dim],
		focus: [bold],
		cursor: [inverse],
		added: [],
		removed: [],
	},
};

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
	'◆': '?',
	'✓': 'v',
	'✗': 'x',
	'■': '#',
	'⊘': '/',
	'●': '*',
	'•': '*',
	'█': '#',
	'░': '.',
	'…': '~',
	'→': '>',
	'▼': 'v',
	'↑': '^',
	'↓': 'v',
	'␍': '?',
};

/** Same width, so columns stay where they are; agents' own letters outside ASCII become `?`. */
const toAscii = (text: string): string =>
	text.replaceAll(/[^ -~]/gu, character => asciiForms[character] ?? '?');
