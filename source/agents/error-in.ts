import {isRecord} from './json-lines.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a record that reports an error says of it; nothing when it reports none. */
export const errorIn = (record: Json): string | undefined => {
	const {type, subtype, is_error} = record;
	const failed =
		is_error === true ||
		type === 'error' ||
		type === 'turn.failed' ||
		(typeof subtype === 'string' && subtype.startsWith('error'));
	if (!failed) return undefined;
	const kind = subtype === undefined || subtype === 'success' ? 'an error' : subtype;
	return wordsOf(record) ?? `the agent reported ${kind}`;
};

/** `error` in words or with a `message`, its own or in its `data`; a list of `errors`; a `message`; the `result`. */
const wordsOf = ({error, errors, message, result}: Json): string | undefined => {
	const inner = isRecord(error) ? error : {};
	const data = isRecord(inner.data) ? inner.data : {};
	const listed = Array.isArray(errors) ? errors.filter(one => typeof one === 'string').join('; ') : '';
	return [error, inner.message, data.message, listed, message, result]
		.map(words => (typeof words === 'string' ? words.trim() : ''))
		.find(words => words !== '');
};
