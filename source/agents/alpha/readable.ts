import {contentText} from '../content.ts';
import {errorIn} from '../error-in.ts';
import {isRecord} from '../json-lines.ts';
import {textLines, toolLine} from '../readable-lines.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads alpha's stream record by record. A message may first come in pieces (`timestamp_ms` without `model_call_id`) and
 * then whole, and the result repeats the last one: what was said once is not said again.
 */
export const createAlphaReader = () => {
	let pieces = '';
	let lastSaid = '';
	const flush = (): readonly string[] => {
		const said = pieces.trim();
		pieces = '';
		if (said !== '') lastSaid = said;
		return textLines(said);
	};
	const speak = (text: string): readonly string[] => {
		const lines = flush();
		if (text === '' || text === lastSaid) return lines;
		lastSaid = text;
		return [...lines, ...textLines(text)];
	};
	return (record: Json): readonly string[] => {
		switch (record.type) {
			case 'assistant':
				if (record.timestamp_ms !== undefined && record.model_call_id === undefined) {
					pieces += pieceOf(record);
					return [];
				}
				return [...speak(textOf(record)), ...toolUses(record)];
			case 'tool_call':
				return record.subtype === 'started' ? [...flush(), toolCall(record)] : [];
			case 'result':
				return [...speak(errorIn(record) === undefined ? resultText(record) : ''), endLine(record)];
			default:
				return flush();
		}
	};
};

const blocksOf = ({message}: Json): readonly unknown[] =>
	isRecord(message) && Array.isArray(message.content) ? message.content : [];

const textOf = ({message}: Json): string => (isRecord(message) ? contentText(message.content) : '');

/** Untrimmed: a piece may be a blank. */
const pieceOf = (record: Json): string =>
	blocksOf(record)
		.map(block => (isRecord(block) && typeof block.text === 'string' ? block.text : ''))
		.join('');

const toolUses = (record: Json): readonly string[] =>
	blocksOf(record).flatMap(block =>
		isRecord(block) && block.type === 'tool_use' ? [toolLine(`${block.name ?? 'tool'}`, block.input)] : [],
	);

/** `{name, args}`, or one field named after the tool: `{readToolCall: {args}}`. */
const toolCall = (record: Json): string => {
	const {tool_call: call} = record;
	if (!isRecord(call)) return toolLine(nameIn(record) ?? 'tool', record.args);
	const [key = 'tool', inner] = Object.entries(call).find(([, value]) => isRecord(value)) ?? [];
	const own = nameIn(call);
	if (own !== undefined) return toolLine(own, call.args ?? call.arguments ?? call.input);
	return toolLine(key.replace(/ToolCall$/, ''), isRecord(inner) ? inner.args : undefined);
};

const nameIn = ({name}: Json): string | undefined => (typeof name === 'string' ? name : undefined);

const resultText = ({result}: Json): string => (typeof result === 'string' ? result.trim() : '');

const endLine = (record: Json): string => {
	const error = errorIn(record);
	const {duration_ms: took} = record;
	const time = typeof took === 'number' ? ` after ${Math.round(took / 1000)} s` : '';
	return error === undefined ? `= done${time}` : `= failed${time}: ${error}`;
};
