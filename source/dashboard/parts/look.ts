import type {TextProps} from 'ink';
import type {Tone} from './line.ts';

export const themeNames = ['dark', 'light', 'no-color', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

/** How to draw on a terminal: a theme, and ASCII instead of box drawing where it has none. */
export type Look = {readonly theme: ThemeName; readonly ascii: boolean};

/** Properties of Ink's `Text` for a tone; state never depends on them alone. */
type Style = Pick<TextProps, 'color' | 'backgroundColor' | 'bold' | 'dimColor' | 'inverse'>;
type Theme = Readonly<Record<Tone, Style>>;

export const styleOf = (theme: ThemeName, tone: Tone): Style => themes[theme][tone];

/** What marks a selected row: strong in the pane that has the focus, faint in the others. */
export type Bar = 'strong' | 'faint';

export const barStyleOf = (theme: ThemeName, bar: Bar): Style => bars[theme][bar];

/** The tone of a text in a bar: nothing there is too faint to read, and an inverse bar is of one colour. */
export const toneInBar = (theme: ThemeName, bar: Bar, tone: Tone): Tone => {
	if (bars[theme][bar].inverse) return 'plain';
	return tone === 'dim' ? 'plain' : tone;
};

const inverseBar = {strong: {inverse: true}, faint: {bold: true}} as const;

const bars: Readonly<Record<ThemeName, Readonly<Record<Bar, Style>>>> = {
	dark: {strong: {backgroundColor: 'ansi256(239)'}, faint: {backgroundColor: 'ansi256(236)'}},
	light: {strong: {backgroundColor: 'ansi256(253)'}, faint: {backgroundColor: 'ansi256(255)'}},
	'high-contrast': inverseBar,
	'no-color': inverseBar,
};

const amber = 'ansi256(214)';
/** Each at least 4.5 to 1 on white. */
const onWhite = {
	brown: 'ansi256(94)',
	gray: 'ansi256(240)',
	green: 'ansi256(22)',
	red: 'ansi256(124)',
	blue: 'ansi256(25)',
};

const dark: Theme = {
	plain: {},
	strong: {bold: true},
	dim: {color: 'gray'},
	accent: {color: amber},
	good: {color: 'green'},
	bad: {color: 'redBright'},
	info: {color: 'cyan'},
	border: {color: 'gray'},
	focus: {color: amber},
	cursor: {inverse: true},
	added: {color: 'green'},
	removed: {color: 'red'},
};

const themes: Readonly<Record<ThemeName, Theme>> = {
	dark,
	light: {
		...dark,
		dim: {color: onWhite.gray},
		border: {color: onWhite.gray},
		accent: {color: onWhite.brown},
		focus: {color: onWhite.brown},
		good: {color: onWhite.green},
		bad: {color: onWhite.red},
		info: {color: onWhite.blue},
		added: {color: onWhite.green},
		removed: {color: onWhite.red},
	},
	'high-contrast': {
		...dark,
		dim: {},
		border: {},
		accent: {bold: true, color: 'yellowBright'},
		focus: {bold: true, color: 'yellowBright'},
		good: {bold: true, color: 'greenBright'},
		bad: {bold: true, color: 'redBright'},
		info: {bold: true, color: 'cyanBright'},
	},
	'no-color': {
		plain: {},
		strong: {bold: true},
		dim: {dimColor: true},
		accent: {bold: true},
		good: {},
		bad: {bold: true},
		info: {},
		border: {dimColor: true},
		focus: {bold: true},
		cursor: {inverse: true},
		added: {},
		removed: {},
	},
};
