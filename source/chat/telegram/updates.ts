import type {Heard} from '../channel.ts';

/** What came from the platform, as far as it can be used. */
export type Update = {
	readonly update: number;
	/** Absent of what hive has no use for. */
	readonly heard?: Heard;
	readonly message?: number;
	/** Of a press: what its answer is sent to. */
	readonly query?: string;
};

/** Reads one update; nothing where it does not even have a number. */
export const readUpdate = (raw: unknown): Update | undefined => {
	const update = numberIn(raw, 'update_id');
	if (update === undefined) return undefined;
	const said = at(raw, 'message');
	const pressed = at(raw, 'callback_query');
	const message = said ?? at(pressed, 'message');
	const chat = numberIn(at(message, 'chat'), 'id');
	const user = numberIn(at(pressed ?? said, 'from'), 'id');
	const ref = numberIn(message, 'message_id');
	if (chat === undefined || user === undefined || ref === undefined) return {update};
	const who = {chat: String(chat), user: String(user)};
	const data = textIn(pressed, 'data');
	const query = textIn(pressed, 'id');
	if (data !== undefined && query !== undefined)
		return {update, message: ref, query, heard: {did: 'press', ...who, data}};
	const text = isOwnWords(said) ? textIn(said, 'text') : undefined;
	if (text === undefined) return {update, message: ref};
	const to = numberIn(at(said, 'reply_to_message'), 'message_id');
	return {
		update,
		message: ref,
		heard: {did: 'say', ...who, text, id: String(ref), ...(to !== undefined && {to: String(to)})},
	};
};

/** Neither passed on from somebody else nor said by a bot, or in the name of a chat. */
const isOwnWords = (message: unknown): boolean =>
	['forward_origin', 'forward_date', 'forward_from', 'via_bot', 'sender_chat'].every(
		name => at(message, name) === undefined,
	) && at(at(message, 'from'), 'is_bot') !== true;

const at = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Record<string, unknown>)[name]
		: undefined;

const numberIn = (value: unknown, name: string): number | undefined => {
	const found = at(value, name);
	return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined;
};

const textIn = (value: unknown, name: string): string | undefined => {
	const found = at(value, name);
	return typeof found === 'string' ? found : undefined;
};
