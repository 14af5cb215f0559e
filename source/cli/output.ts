import {errorTable} from '../domain/error-table.ts';
import type {Refusal} from '../domain/errors.ts';
import {printableJson} from '../domain/sanitize.ts';
import {writeOut} from '../domain/written-out.ts';
import type {Line, Result} from './command.ts';
import {renderText, type Text} from './text.ts';

/** Writes text. Resolves with true when it is written, or with false when its reader has closed it. */
export type Sink = (text: string | Uint8Array) => Promise<boolean>;

export type Face = {
	readonly stdout: Sink;
	readonly stderr: Sink;
	readonly json: boolean;
	/** Colour of standard output and of standard error. */
	readonly color: {readonly stdout: boolean; readonly stderr: boolean};
};

/** Prints a command's result and returns its exit code. The only writer of standard output. */
export const printResult = async (result: Result, face: Face): Promise<number> => {
	if ('lines' in result) {
		for await (const said of result.lines) if (!(await printLines([said].flat(), face))) break;
		return result.exit?.() ?? 0;
	}
	if ('bytes' in result) {
		for await (const chunk of result.bytes) if (!(await face.stdout(chunk))) break;
		return 0;
	}
	const {json} = result;
	const text = face.json ? '' : typeof result.text === 'function' ? await result.text() : result.text;
	if (face.json || text !== '') await printLines([{json, text}], face);
	return result.exit ?? 0;
};

/**
 * Prints why a command was refused, and returns the exit code of the error table (docs/architecture.md §9).
 */
export const printRefusal = async (refusal: Refusal, face: Face): Promise<number> => {
	if (face.json) await printLines([{json: {ok: false, error: refusal}, text: ''}], face);
	else await face.stderr(`${renderText(refusalText(refusal), face.color.stderr)}\n`);
	return errorTable[refusal.code].exit;
};

const printLines = (lines: readonly Line[], {stdout, json: isJson, color}: Face): Promise<boolean> =>
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
			`\n  ${[writeOut(detail.path), detail.message].filter(Boolean).join(' ')}${detail.hint ? ` (${detail.hint})` : ''}`,
	),
	...(hint === '' ? [] : [`\n${hint}`]),
];
