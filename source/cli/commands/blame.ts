import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {explainLines} from '../../host/blame/blame.ts';
import {groupLines} from '../../host/views/line-origin.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import type {Text} from '../text.ts';
import {wrap} from '../wrap.ts';

export const blame = command({
	path: 'blame',
	summary: 'Show where lines of a file come from: trace, task, run, checks, approval and cost.',
	description:
		'It shows the file as it is on disk. A line belongs to the trace whose merge brought it to this branch, and to the run that wrote it while the files of its runs are kept. What is not known is named.',
	flags: {},
	arguments: {
		file: text({
			summary: 'File, with a line or a range of lines if not all are meant.',
			hint: '<file>[:<line>[-<line>]]',
			required: true,
			complete: 'files',
		}),
	},
	examples: ['blame source/greet.ts', 'blame source/greet.ts:3-5 --json'],
	json: '{v, lines: [{line, text, commit, author, at, subject, traceId, title, taskId, taskTitle, agentId, bee, said, guard: null or {bee, passed, said}, checks: [{of: proposal|merge, state: passed|failed|could_not_run|skipped, summary}], approvedBy, costUsd, tokens, seconds, unknown: [sentence…]}]}',
	run: async ({file}, commandContext) => {
		const named = parsePlace(file);
		if (!named.ok) return named;
		const context = await commandContext.open();
		const lines = await explainLines(context, {...named.value, cwd: commandContext.cwd});
		if (!lines.ok) return lines;
		return accepted({
			json: {lines: lines.value},
			text: () =>
				groupLines(lines.value).flatMap((group, index) => [
					...(index === 0 ? [] : ['\n']),
					...renderGroup(group, commandContext.stdout.columns ?? 80),
				]),
		});
	},
});

type Place = {readonly path: string; readonly ranges?: readonly [{from: number; to: number}]};

const parsePlace = (written: string): Outcome<Place> => {
	const [, path = '', first, last = first] = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/s.exec(written) ?? [];
	if (first === undefined) return accepted({path});
	const [from, to] = [Number(first), Number(last)];
	if (from >= 1 && to >= from) return accepted({path, ranges: [{from, to}]});
	return refuse('usage', {
		message: `"${first}-${last}" is no range of lines.`,
		hint: 'Lines are counted from 1: "hive blame <file>:<line>-<line>".',
	});
};

/** Columns of the line numbers and of the names of facts. */
const margin = 12;

const renderGroup = (
	{title, facts, lines}: ReturnType<typeof groupLines>[number],
	columns: number,
): Exclude<Text, string> => [
	{text: `${escapeHidden(title)}\n`, style: 'strong'},
	...facts.flatMap(({name, text, id, tone}) =>
		wrap(escapeHidden(withId(title, text, id)), Math.max(columns - margin, 20)).map((row, index) => {
			const line = `${(index === 0 ? name : '').padEnd(margin)}${row}\n`;
			return tone === 'plain' ? line : ({text: line, style: tone} as const);
		}),
	),
	...lines.map(({line, text}) => `${String(line).padStart(margin - 2)}  ${escapeHidden(text)}\n`),
];

/** The id comes alone if the title is above it. */
const withId = (title: string, text: string, id: string | undefined): string => {
	if (id === undefined || id === text) return text;
	return text === title ? id : `${text} (${id})`;
};
