import {type ThemeName, type ThemeSettings, themeNames} from '../parts/theme.ts';

export type ColorMode = 'auto' | 'always' | 'never';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Determines how to draw on this terminal: from `--color`, then HIVE_NO_COLOR, NO_COLOR, FORCE_COLOR, TERM
 * and the locale.
 */
export const readThemeSettings = (env: Environment, color: ColorMode, theme?: string): ThemeSettings => ({
	theme: hasColor(env, color)
		? (themeNames.find(name => name === (theme ?? env.HIVE_THEME)) ?? 'dark')
		: plainTheme,
	ascii: env.HIVE_ASCII === '1' || !isUnicode(env),
});

const plainTheme: ThemeName = 'no-color';

const hasColor = (env: Environment, color: ColorMode): boolean => {
	if (color !== 'auto') return color === 'always';
	if (env.HIVE_NO_COLOR || env.NO_COLOR) return false;
	if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
	return env.TERM !== 'dumb';
};

/** The first locale variable that is set counts. Without any, a modern terminal is assumed. */
const isUnicode = (env: Environment): boolean => {
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
	return !locale || /utf-?8/i.test(locale);
};
