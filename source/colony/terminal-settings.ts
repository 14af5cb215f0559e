import {accepted, type Detail, type Outcome} from '../domain/errors.ts';
import type {Files} from '../ports/files.ts';
import {readYamlUncached} from './parse/read-yaml-uncached.ts';
import {
	command,
	fields,
	name,
	type Parsed,
	parseFile,
	plainArgument,
	type Reader,
	scalarOf,
} from './parse/reader.ts';
import type {YamlReading} from './parse/yaml-tree.ts';
import {refuseConfig} from './refuse-config.ts';

/**
 * Where sessions open on this machine, and how to leave one: `terminal.yaml` of the machine-local directory
 * (docs/rules.md §9).
 */
export type TerminalSettings = {
	/** `default` is the terminal in which the command runs. Others open a window. */
	readonly terminal: string;
	/** Argv that opens a window, by the terminal's name. The session's argv is appended. */
	readonly windows: Readonly<Record<string, readonly string[]>>;
	/** One of `@A-Z\]^_`, pressed with Ctrl. Absent if not set. */
	readonly detachKey?: string | undefined;
	/** Warnings about valid settings that may surprise. */
	readonly warnings?: readonly Detail[];
};

/** The file's name in the machine-local directory. */
export const terminalFile = 'terminal.yaml';

/** Terminals that can open a window. */
const knownWindows: TerminalSettings['windows'] = {
	ghostty: ['ghostty', '-e'],
	kitty: ['kitty'],
	alacritty: ['alacritty', '-e'],
	wezterm: ['wezterm', 'start', '--'],
	tmux: ['tmux', 'new-window'],
};

const defaultTerminal: TerminalSettings = {terminal: 'default', windows: knownWindows};

/**
 * Reads `terminal.yaml`, or returns the defaults without one. A broken file is refused with `invalid_config`.
 */
export const loadTerminalSettings = async (
	files: Pick<Files, 'read'>,
	path: string,
): Promise<Outcome<TerminalSettings>> => {
	const source = (await files.read(path))?.trim();
	if (!source) return accepted(defaultTerminal);
	const {value, problems, warnings} = parseTerminalYaml(path, await readYamlUncached(source));
	return value === undefined
		? refuseConfig(problems)
		: accepted({...value, ...(warnings.length > 0 && {warnings})});
};

const parseTerminalYaml = (file: string, reading: YamlReading): Parsed<TerminalSettings> =>
	parseFile(file, reading, readTerminal);

/**
 * Ctrl with other letters is Backspace, Tab or Enter, and terminals differ in what they send for other
 * characters.
 */
const detachKey: Reader<string> = scalarOf(
	'Ctrl and a key: ctrl-], ctrl-\\ or a letter except h, i, j and m',
	({source}) => /^ctrl-([a-gkln-z\\\]])$/i.exec(source)?.[1]?.toUpperCase(),
);

const terminalFields = fields({
	terminal: name,
	ghostty_binary: plainArgument,
	command,
	detach_key: detachKey,
});

const readTerminal: Reader<TerminalSettings> = (tree, notes) => {
	const read = terminalFields(tree, notes);
	if (read === undefined) return undefined;
	const windows = {
		...knownWindows,
		...(read.ghostty_binary && {ghostty: [read.ghostty_binary, '-e']}),
		...(read.command && {custom: read.command}),
	};
	const terminal = read.terminal ?? (read.command ? 'custom' : defaultTerminal.terminal);
	if (terminal !== defaultTerminal.terminal && !Object.hasOwn(windows, terminal))
		return notes.problem(
			tree.line,
			`"${terminal}" is no terminal that hive knows`,
			`Use "default" or one of ${Object.keys(windows).join(', ')}; "command" sets another.`,
		);
	return {terminal, windows, detachKey: read.detach_key};
};
