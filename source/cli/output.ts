import {errorTable} from '../domain/error-table.ts';
import type {Refusal} from '../domain/errors.ts';
import {escapeHidden} from '../domain/escape-hidden.ts';
import {printableJson} from '../domain/sanitize.ts';
import type {OutputLine, Result} from './command.ts';
import {renderText, type Text} from './text.ts';

/** Writes text. Resolves with true when it is written, or with false when its reader has closed it. */
export type Sink = (text: string | Uint8Array) => Promise<boolean>;

export type OutputSettings = {
	readonly stdout: Sink;
	readonly stderr: Sink;
	readonly json: boolean;
	/** Colour of standard output and of standard error. */
	readonly color: {readonly stdout: boolean; readonly stderr: boolean};
};

/** Prints a command's result and returns its exit code. The only writer of standard output. */
export const printResult = async (result: Result, settings: OutputSettings): Promise<number> => {
	if ('lines' in result) {
		for await (const chunk of result.lines) if (!(await printLines([chunk].flat(), settings))) break;
		return result.exit?.() ?? 0;
	}
	if ('bytes' in result) {
		for await (const chunk of result.bytes) if (!(await settings.stdout(chunk))) break;
		return 0;
	}
	const {json} = result;
	const text = settings.json ? '' : typeof result.text === 'function' ? await result.text() : result.text;
	if (settings.json || text !== '') await printLines([{json, text}], settings);
	return result.exit ?? 0;
};

/**
 * Prints why a command was refused, and returns the exit code of the error table (docs/architecture.md §9).
 */
export const printRefusal = async (refusal: Refusal, settings: OutputSettings): Promise<number> => {
	if (settings.json) await printLines([{json: {ok: false, error: refusal}, text: ''}], settings);
	else await settings.stderr(`${renderText(refusalText(refusal), settings.color.stderr)}\n`);
	return errorTable[refusal.code].exit;
};

const printLines = (
	lines: readonly OutputLine[],
	{stdout, json: isJson, color}: OutputSettings,
): Promise<boolean> =>
	stdout(
		lines
			.map(({json, text}) => (isJson ? printableJson({v: 1, ...json}) : renderText(text, color.stdout)))
			.map(line => `${line}\n`)
			.join(''),
	);

const refusalText = ({message, hint, details}: Refusal): Text => [
	{text: 'hive:', style: 'bad'},
	` ${message}`,
	...details.map(
		detail =>
			`\n  ${[escapeHidden(detail.path), detail.message].filter(Boolean).join(' ')}${detail.hint ? ` (${detail.hint})` : ''}`,
	),
	...(hint === '' ? [] : [`\n${hint}`]),
];
