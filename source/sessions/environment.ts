/**
 * Variables that describe the terminal of the process that started hive; a session's program has another
 * terminal.
 */
const ofOtherTerminals =
	/^(TERM|COLORTERM|TERM_PROGRAM.*|TERMCAP|TERMINFO.*|COLUMNS|LINES|TMUX.*|STY|WINDOW|WINDOWID|VTE_VERSION|WT_.*|KITTY_.*|ITERM_.*|LC_TERMINAL.*|WEZTERM_.*|ALACRITTY_.*|GHOSTTY_.*|KONSOLE_.*|VSCODE_.*|ZELLIJ.*|INK_.*|CI)$/;

/** Returns the environment of a session's program: its agent's, on a terminal like xterm. */
export const programEnvironment = (
	environment: Readonly<Record<string, string | undefined>>,
	{trueColor}: {readonly trueColor: boolean},
): Record<string, string> => ({
	...Object.fromEntries(
		Object.entries(environment).flatMap(([name, value]) =>
			value === undefined || ofOtherTerminals.test(name) ? [] : [[name, value]],
		),
	),
	TERM: 'xterm-256color',
	...(trueColor ? {COLORTERM: 'truecolor'} : {}),
});
