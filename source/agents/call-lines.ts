import {formatCount} from '../domain/format-count.ts';
import {isObject} from '../domain/json.ts';
import type {Redactor} from '../domain/redact.ts';
import type {ToolCall} from './call-reader.ts';

/** Max characters of a call that are shown, input and output together. */
const maxCallLength = 256 * 1024;
/** Max characters of its input. */
const maxInputLength = 64 * 1024;

/**
 * Returns the whole input and output of a tool call as lines. Secrets are removed before a long text is cut;
 * control characters are kept.
 *
 * @param isOver true if no more output can come
 */
export const callLines = (
	{input, output, state}: ToolCall,
	redact: Redactor,
	isOver = false,
): readonly string[] => {
	const given = inputLines(input, redact);
	const written = outputLines(output, redact);
	return [
		...(given.length === 0 ? [] : ['Input:', ...given]),
		...(written.length === 0 ? [silences(state, isOver)] : [headings[state], ...written]),
		...(written.length > 0 && state === 'running' && isOver ? [noResult] : []),
	];
};

/** The input of a tool call, one value after the other. */
export const inputLines = (input: unknown, redact: Redactor): readonly string[] => {
	const text = cutMiddle(redact(inputText(input, redact)), maxInputLength);
	return text === '' ? [] : indented(text);
};

/** The output of a tool call. */
export const outputLines = (output: string, redact: Redactor): readonly string[] => {
	const text = cutMiddle(redact(output.trimEnd()), maxCallLength - maxInputLength);
	return text === '' ? [] : indented(text);
};

const noResult = 'Its result is not in the output.';

const headings: Readonly<Record<ToolCall['state'], string>> = {
	running: 'Output so far:',
	done: 'Output:',
	failed: 'It failed:',
	denied: 'It was denied:',
};

const silences = (state: ToolCall['state'], isOver: boolean): string => {
	if (state === 'failed') return 'It failed without output.';
	if (state === 'denied') return 'It was denied.';
	if (state === 'done') return 'No output.';
	return isOver ? noResult : 'No output yet.';
};

const inputText = (input: unknown, redact: Redactor): string => {
	if (!isObject(input)) return valueText(input, redact);
	return Object.entries(input)
		.map(([name, value]) => {
			const text = valueText(value, redact);
			return text.includes('\n') ? [`${name}:`, ...indented(text)].join('\n') : `${name}: ${text}`;
		})
		.join('\n');
};

/** A secret of several lines has to be found before JSON escapes its line feeds. */
const valueText = (value: unknown, redact: Redactor): string => {
	if (typeof value === 'string') return value.trimEnd();
	if (value === undefined || value === null) return '';
	return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? redact(part) : part), 2);
};

const indented = (text: string): readonly string[] => text.split('\n').map(line => `  ${line}`);

/** Keeps the beginning and the end of a long text. */
const cutMiddle = (text: string, max: number): string => {
	if (text.length <= max) return text;
	const half = Math.floor(max / 2);
	const left = formatCount(text.length - 2 * half, 'character');
	return `${text.slice(0, half)}\n… ${left} left out: "hive logs --raw" prints them …\n${text.slice(-half)}`;
};
