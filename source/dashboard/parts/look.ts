import type {TextProps} from 'ink';
import type {Tone} from './line.ts';

export const themeNames = ['dark', 'light', 'no-color', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

/** How to draw on a terminal: a theme, and ASCII instead of box drawing where it has none. */
export type Look = {readonly theme: ThemeName; readonly ascii: boolean};

/** Properties of Ink's `Text` for a tone; state never depends on them alone. */
type Style = Pick<TextProps, 'color' | 'bold' | 'dimColor' | 'inverse'>;
type Theme = Readonly<Record<Tone, Style>>;

export const styleOf = (theme: ThemeName, tone: Tone): Style => themes[theme][tone];

const amber = 'ansi256(214)';
const brown = 'ansi256(130)';

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
	light: {...dark, accent: {color: brown}, focus: {color: brown}, bad: {color: 'red'}},
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
