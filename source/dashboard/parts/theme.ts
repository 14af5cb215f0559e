import type {TextProps} from 'ink';
import type {ColourToken} from './line.ts';

export const themeNames = ['dark', 'light', 'no-color', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

/** How to draw on a terminal: the theme, and ASCII if it has no box drawing characters. */
export type ThemeSettings = {readonly theme: ThemeName; readonly ascii: boolean};

/** Properties of Ink's `Text` for a tone. State is never shown by them alone. */
type Style = Pick<TextProps, 'color' | 'backgroundColor' | 'bold' | 'dimColor' | 'inverse'>;
type Theme = Readonly<Record<ColourToken, Style>>;

export const styleOf = (theme: ThemeName, tone: ColourToken): Style => themes[theme][tone];

/** The bar of a selected row: strong in the focused pane, faint in others. */
export type Selection = 'strong' | 'faint';

/** A background: a bar, or the colour of added or removed lines. */
export type Background = Selection | 'added' | 'removed';

export const backgroundStyleOf = (theme: ThemeName, background: Background): Style =>
	backgrounds[theme][background] ?? {};

/** Themes without this background use the sign and its colour instead. */
export const hasBackground = (theme: ThemeName, background: Background): boolean =>
	backgrounds[theme][background] !== undefined;

/**
 * The tone of a text on a background. Dim text would be hard to read there, and an inverse bar has a single
 * colour.
 */
export const tokenOnBackground = (
	theme: ThemeName,
	background: Background,
	tone: ColourToken,
): ColourToken => {
	if (backgroundStyleOf(theme, background).inverse) return 'plain';
	return tone === 'dim' ? 'plain' : tone;
};

/** Muted backgrounds. A terminal with 256 colours shows the nearest ones, which are green and red too. */
const onBlack = {green: '#0b3a0b', greenWord: '#146414', red: '#461212', redWord: '#781818'};

const inverseSelection = {strong: {inverse: true}, faint: {bold: true}} as const;

const backgrounds: Readonly<Record<ThemeName, Readonly<Partial<Record<Background, Style>>>>> = {
	dark: {
		strong: {backgroundColor: 'ansi256(239)'},
		faint: {backgroundColor: 'ansi256(236)'},
		added: {backgroundColor: onBlack.green},
		removed: {backgroundColor: onBlack.red},
	},
	light: {
		strong: {backgroundColor: 'ansi256(253)'},
		faint: {backgroundColor: 'ansi256(255)'},
		added: {backgroundColor: 'ansi256(194)'},
		removed: {backgroundColor: 'ansi256(224)'},
	},
	'high-contrast': inverseSelection,
	'no-color': inverseSelection,
};

/**
 * Contrast of at least 4.5 to 1 on black and on the bars. Bars have fixed colours, so text on them needs
 * fixed colours too.
 */
const onDark = {
	...{amber: 'ansi256(214)', gray: 'ansi256(246)', green: 'ansi256(114)'},
	...{red: 'ansi256(217)', cyan: 'ansi256(116)'},
};
/** The same on white. */
const onWhite = {
	amber: 'ansi256(58)',
	gray: 'ansi256(240)',
	green: 'ansi256(22)',
	red: 'ansi256(124)',
	blue: 'ansi256(25)',
};

const dark: Theme = {
	plain: {},
	strong: {bold: true},
	dim: {color: onDark.gray},
	accent: {color: onDark.amber},
	good: {color: onDark.green},
	bad: {color: onDark.red},
	info: {color: onDark.cyan},
	border: {color: 'gray'},
	focus: {color: onDark.amber},
	cursor: {inverse: true},
	added: {color: onDark.green},
	removed: {color: onDark.red},
	'added-word': {bold: true, color: 'ansi256(231)', backgroundColor: onBlack.greenWord},
	'removed-word': {bold: true, color: 'ansi256(231)', backgroundColor: onBlack.redWord},
	'code-comment': {color: 'ansi256(152)'},
	'code-keyword': {color: 'ansi256(219)'},
	'code-string': {color: 'ansi256(229)'},
	'code-number': {color: 'ansi256(223)'},
	'code-type': {color: 'ansi256(159)'},
	'code-title': {color: 'ansi256(222)'},
	'code-attribute': {color: 'ansi256(153)'},
	'code-variable': {color: 'ansi256(217)'},
	'code-meta': {color: 'ansi256(189)'},
};

/** One colour for all code: for themes without colours, and for those where few colours stand out. */
const oneColour = {
	...{'added-word': {bold: true}, 'removed-word': {bold: true}},
	...{'code-comment': {}, 'code-keyword': {}, 'code-string': {}, 'code-number': {}, 'code-type': {}},
	...{'code-title': {}, 'code-attribute': {}, 'code-variable': {}, 'code-meta': {}},
};

const themes: Readonly<Record<ThemeName, Theme>> = {
	dark,
	light: {
		...dark,
		dim: {color: onWhite.gray},
		border: {color: onWhite.gray},
		accent: {color: onWhite.amber},
		focus: {color: onWhite.amber},
		good: {color: onWhite.green},
		bad: {color: onWhite.red},
		info: {color: onWhite.blue},
		added: {color: onWhite.green},
		removed: {color: onWhite.red},
		'added-word': {bold: true, color: 'ansi256(16)', backgroundColor: 'ansi256(157)'},
		'removed-word': {bold: true, color: 'ansi256(16)', backgroundColor: 'ansi256(217)'},
		'code-comment': {color: onWhite.gray},
		'code-keyword': {color: 'ansi256(90)'},
		'code-string': {color: onWhite.green},
		'code-number': {color: 'ansi256(88)'},
		'code-type': {color: 'ansi256(24)'},
		'code-title': {color: 'ansi256(18)'},
		'code-attribute': {color: onWhite.blue},
		'code-variable': {color: 'ansi256(52)'},
		'code-meta': {color: 'ansi256(54)'},
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
		added: {bold: true, color: 'greenBright'},
		removed: {bold: true, color: 'redBright'},
		...oneColour,
		'code-comment': {color: 'cyanBright'},
		'code-keyword': {color: 'magentaBright'},
		'code-string': {color: 'yellowBright'},
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
		...oneColour,
	},
};
