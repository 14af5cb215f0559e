import {isObject, type JsonObject} from '../../domain/json.ts';
import {listIn} from '../json.ts';
import {contentText} from '../message.ts';

const textFields = ['summary', 'output', 'text', 'content', 'message', 'result', 'assistant', 'response'];
/** `item` and `part` hold the pieces that other tools stream. */
const nestedFields = ['response', 'data', 'item', 'part'];

const maxDepth = 8;

/**
 * The text of a record of another format: in one of the common fields, its own or a nested one (docs/rules.md
 * §8). Empty if there is none.
 */
export const extractForeignText = (record: JsonObject): string =>
	isForeign(record) ? '' : textOf(record, 0);

/** True for text of a person or a tool, and for a piece of a message. It is not a message of the agent. */
const isForeign = ({type, role, message}: JsonObject): boolean =>
	(typeof type === 'string' && (type.startsWith('tool_') || /_(update|delta|start)$/.test(type))) ||
	[role, isObject(message) ? message.role : undefined].some(
		author => typeof author === 'string' && author !== 'assistant',
	);

const textOf = (record: JsonObject, depth: number): string => {
	const own = textFields.map(field => record[field]);
	const text = own.map(contentText).find(value => value !== '');
	if (text !== undefined) return text;
	const answer = listIn(record, 'messages').findLast(({role}) => role === 'assistant');
	const nested = [...nestedFields.map(field => record[field]), ...own, answer].filter(isObject);
	if (depth >= maxDepth) return '';
	return nested.map(value => textOf(value, depth + 1)).find(value => value !== '') ?? '';
};
