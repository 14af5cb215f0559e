import type {ChatInput} from '../channel.ts';

/** The usable parts of an update from the platform. */
export type Update = {
	readonly update: number;
	/** Absent if hive does not handle this kind of update. */
	readonly input?: ChatInput;
	readonly message?: number;
	/** For a press: the id to answer. */
	readonly query?: string;
};

/** Reads one update. Undefined if it has no update number. */
export const readUpdate = (raw: unknown): Update | undefined => {
	const update = numberIn(raw, 'update_id');
	if (update === undefined) return undefined;
	const sentMessage = at(raw, 'message');
	const pressed = at(raw, 'callback_query');
	const message = sentMessage ?? at(pressed, 'message');
	const chat = numberIn(at(message, 'chat'), 'id');
	const user = numberIn(at(pressed ?? sentMessage, 'from'), 'id');
	const ref = numberIn(message, 'message_id');
	if (chat === undefined || user === undefined || ref === undefined) return {update};
	const chatUser = {chat: String(chat), user: String(user)};
	const data = textIn(pressed, 'data');
	const query = textIn(pressed, 'id');
	if (data !== undefined && query !== undefined)
		return {update, message: ref, query, input: {did: 'press', ...chatUser, data}};
	const text = isOriginalMessage(sentMessage) ? textIn(sentMessage, 'text') : undefined;
	if (text === undefined) return {update, message: ref};
	const to = numberIn(at(sentMessage, 'reply_to_message'), 'message_id');
	return {
		update,
		message: ref,
		input: {did: 'say', ...chatUser, text, id: String(ref), ...(to !== undefined && {to: String(to)})},
	};
};

/** True if the message was not forwarded, and not sent by a bot or in the name of a chat. */
const isOriginalMessage = (message: unknown): boolean =>
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
