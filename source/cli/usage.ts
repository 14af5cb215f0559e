import type {Command} from './command.ts';
import {commonFlags, type Flag, type Flags, formatDefault, formatFlag, valueHint} from './flags.ts';
import {argumentHint} from './read-values.ts';
import type {Text} from './text.ts';
import {wrap} from './wrap.ts';

/** Maximum characters per line, unless one word is longer. */
const columns = 80;

type Row = readonly [left: string, right: string];

/** Renders the usage of one command, like a manual page. */
export const renderUsage = (command: Command): Text => [
	{text: `hive ${command.path}`, style: 'strong'},
	wrap(`hive ${command.path} - ${command.summary}`, columns).join('\n').slice(`hive ${command.path}`.length),
	...section('Usage', `  ${synopsis(command)}`),
	...(command.description === undefined ? [] : section('About', indent(command.description))),
	...rowSection('Arguments', argumentRows(command.arguments)),
	...rowSection('Flags', flagRows(command.flags)),
	...rowSection('Flags of every command', flagRows(commonFlags)),
	...(command.json === undefined ? [] : section('With --json', indent(command.json))),
	...(command.examples === undefined
		? []
		: section('Examples', command.examples.map(example => `  hive ${example}`).join('\n'))),
];

/** One line: the name, its arguments, and its required flags. */
export const synopsis = (command: Command): string => {
	const positional = Object.entries(command.arguments).map(([name, flag]) => {
		const hint = `${argumentHint(name, flag)}${flag.repeatable ? '…' : ''}`;
		return flag.required ? hint : `[${hint}]`;
	});
	const flags = Object.entries(command.flags);
	const required = flags
		.filter(([, flag]) => flag.required)
		.map(([name, flag]) => `${formatDefault(name)} ${valueHint(flag)}`);
	const optional = flags.length > required.length ? ['[flags]'] : [];
	return ['hive', command.path, ...positional, ...required, ...optional].join(' ');
};

/** `-b, --body <text>`. */
export const flagLabel = (name: string, flag: Flag): string =>
	[flag.short === undefined ? '' : `-${flag.short}, `, formatFlag(name, flag), ' ', valueHint(flag)]
		.join('')
		.trimEnd();

const flagRows = (flags: Flags): Row[] =>
	Object.entries(flags).map(([name, flag]) => [flagLabel(name, flag), meaning(flag)]);

const argumentRows = (positional: Flags): Row[] =>
	Object.entries(positional).map(([name, flag]) => [argumentHint(name, flag), meaning(flag)]);

const meaning = ({summary, required, repeatable}: Flag): string =>
	[summary, required ? 'Required.' : '', repeatable ? 'May be repeated.' : ''].filter(Boolean).join(' ');

const rowSection = (title: string, rows: readonly Row[]) =>
	rows.length === 0 ? [] : section(title, alignRows(rows));

const section = (title: string, body: string) => [
	'\n\n',
	{text: title, style: 'strong'} as const,
	`\n${body}`,
];

/** Two columns, indented. */
export const alignRows = (rows: readonly Row[]): string => {
	const width = Math.max(...rows.map(([left]) => left.length));
	const margin = ' '.repeat(width + 4);
	return rows
		.map(
			([left, right]) =>
				`  ${left.padEnd(width)}  ${wrap(right, columns - margin.length).join(`\n${margin}`)}`,
		)
		.join('\n');
};

const indent = (paragraphs: string): string =>
	paragraphs
		.trim()
		.split('\n')
		.map(line =>
			wrap(line, columns - 2)
				.map(part => `  ${part}`)
				.join('\n'),
		)
		.join('\n');
