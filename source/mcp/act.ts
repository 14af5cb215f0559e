import {type Act, maxActLength, maxToolLength} from '../domain/question.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a tool wants to do, in the parts that a person judges it by. */
export const actOf = (tool: string, input: Input): Act => {
	const command = textOf(input.command);
	const path = textOf(input.file_path) ?? textOf(input.notebook_path) ?? textOf(input.path);
	const diff = diffOf(input);
	const json = JSON.stringify(input);
	return {
		tool: tool.slice(0, maxToolLength),
		...(command !== undefined && {command: cut(command)}),
		...(path !== undefined && {path: cut(path)}),
		...(diff !== undefined && {diff: cut(diff)}),
		...(json.length <= maxActLength && {input: json}),
	};
};

/** The change of an edit or of a written file, as lines with a sign. */
const diffOf = (input: Input): string | undefined => {
	const [before, after] = [textOf(input.old_string), textOf(input.new_string)];
	if (before !== undefined && after !== undefined)
		return [...signed('-', before), ...signed('+', after)].join('\n');
	const content = textOf(input.content);
	return content === undefined ? undefined : signed('+', content).join('\n');
};

const signed = (sign: string, text: string): readonly string[] =>
	text.split('\n').map(line => `${sign}${line}`);

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

const mark = '\n… cut';

const cut = (text: string): string =>
	text.length <= maxActLength ? text : `${text.slice(0, maxActLength - mark.length)}${mark}`;
