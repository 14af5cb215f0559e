import type {Command} from './command.ts';
import type {LoadedGroup} from './describe.ts';
import {commonFlags, type Flags} from './flags.ts';
import {argumentHint} from './read-values.ts';
import {flagLabel, synopsis} from './usage.ts';

/** What an exit code means (docs/architecture.md §9). */
const exitCodes: readonly (readonly [codes: string, meaning: string])[] = [
	['0', 'Done.'],
	['1', 'Failed.'],
	['2', 'The command line is not valid.'],
	['3', 'What it names is not there.'],
	['4', 'The state refuses it.'],
	['5', 'The input or the configuration is not valid.'],
	['6', 'The log cannot be reached.'],
	['7', 'Nothing moves, and honey or a limit is exhausted.'],
	['8', 'A person is awaited.'],
	['9', 'A task failed or was cancelled.'],
	['124', 'The timeout passed.'],
];

/** Renders the manual page hive(1) from the declarations of the commands. */
export const renderManPage = (groups: readonly LoadedGroup[], version: string): string =>
	[
		`.TH HIVE 1 "" ${quoted(`hive ${version}`)} ${quoted('User commands')}`,
		'.SH NAME',
		'hive \\- run several coding agents on one repository',
		'.SH SYNOPSIS',
		'.B hive',
		'[command] [flags]',
		'.SH DESCRIPTION',
		...words(
			'Without a command, hive opens the full-screen dashboard on the repository of the current folder.',
		),
		'.PP',
		...words(
			'"hive init" makes a repository a colony. "hive demo" shows the main job on a temporary repository.',
		),
		...groups.flatMap(({title, commands}) => [
			`.SH ${quoted(title.toUpperCase())}`,
			...commands.flatMap(describe),
		]),
		'.SH FLAGS OF EVERY COMMAND',
		...rowsOf(commonFlags, flagLabel),
		'.SH EXIT STATUS',
		...exitCodes.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, ...words(meaning)]),
		'.SH FILES',
		...['.TP', '.I .hive/colony.yaml', ...words('Settings of the colony.')],
		...['.TP', '.I ~/.config/hive/', ...words('Settings of this machine, and the secrets that hive makes.')],
		'',
	].join('\n');

const describe = (command: Command): string[] => [
	`.SS ${quoted(synopsis(command))}`,
	...words(command.summary),
	...(command.description ?? '')
		.trim()
		.split('\n')
		.flatMap(line => (line === '' ? [] : ['.PP', ...words(line)])),
	...rowsOf(command.arguments, argumentHint),
	...rowsOf(command.flags, flagLabel),
];

const rowsOf = (flags: Flags, label: typeof flagLabel): string[] =>
	Object.entries(flags).flatMap(([name, flag]) => [
		'.TP',
		`.B ${escapeRoff(label(name, flag))}`,
		...words(flag.summary),
	]);

/** One line of text. A leading dot or quote would be a request. */
const words = (text: string): string[] => [escapeRoff(text).replace(/^(?=[.'])/, '\\&')];

const quoted = (text: string): string => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;

/** Hyphens stay those that people type; roff reads ASCII alone. */
const escapeRoff = (text: string): string =>
	text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll(
			/[^\0-\x7f]/g,
			char => `\\[u${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
		);
