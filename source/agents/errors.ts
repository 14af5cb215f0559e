import {isObject, type JsonObject, parseObject} from '../domain/json.ts';

/** The message of a record that reports an error. Undefined if it reports none. */
export const errorIn = (record: JsonObject): string | undefined => {
	const {type, subtype, is_error} = record;
	const failed =
		is_error === true ||
		type === 'error' ||
		type === 'turn.failed' ||
		(typeof subtype === 'string' && subtype.startsWith('error'));
	if (!failed) return undefined;
	const kind = subtype === undefined || subtype === 'success' ? 'an error' : subtype;
	return findErrorMessage(record) || `the agent reported ${kind}`;
};

/**
 * Reads `error` as text or with a `message`, its own or in its `data`; a list of `errors`; `message`; or
 * `result`.
 */
const findErrorMessage = ({error, errors, message, result}: JsonObject): string | undefined => {
	const inner = isObject(error) ? error : {};
	const data = isObject(inner.data) ? inner.data : {};
	const listed = Array.isArray(errors) ? errors.filter(one => typeof one === 'string').join('; ') : '';
	return [error, inner.message, data.message, listed, message, result]
		.map(text => (typeof text === 'string' ? plainError(text) : ''))
		.find(text => text !== '');
};

/** Max depth of nested JSON bodies. */
const maxUnwrapDepth = 4;

/** An error as readable text. A JSON answer of a server is reduced to its message. */
export const plainError = (text: string, depth = 0): string => {
	const trimmed = text.trim();
	const from = trimmed.indexOf('{');
	const to = trimmed.lastIndexOf('}') + 1;
	const body = from < 0 || depth >= maxUnwrapDepth ? undefined : parseObject(trimmed.slice(from, to));
	const innerText = body && bodyOf(body);
	if (innerText === undefined || innerText === '') return trimmed;
	const before = trimmed.slice(0, from).replace(/^\[/, '').trim();
	const inner = plainError(innerText, depth + 1);
	return before === '' || inner.includes(before) ? inner : `${before} ${inner}`;
};

const bodyOf = (body: JsonObject): string | undefined => {
	const error = isObject(body.error) ? body.error : {};
	return [error.message, body.message, body.error, body.detail].find(
		text => typeof text === 'string' && text.trim() !== '',
	) as string | undefined;
};
