import type {Message} from './message.ts';

/** A place to send messages to. A call waits while it cannot be served, or throws. */
export type Channel = {
	readonly name: string;
	/** The chats that receive notifications. */
	readonly chats: () => readonly string[];
	/** Returns a mark for the chat's latest message. Messages sent later come after it. */
	readonly mark: (chat: string) => Promise<string>;
	/**
	 * Sends a message and returns its reference in the chat. Throws `NotTaken` if it was certainly not sent.
	 * @param id of the card; the same id is the same message
	 */
	readonly send: (chat: string, message: Message, id: string) => Promise<string>;
	/** Updates the message. A deleted message stays deleted. */
	readonly edit: (chat: string, ref: string, message: Message, id: string) => Promise<void>;
	/**
	 * Finds the message that an interrupted process sent after the mark but did not record, and updates it.
	 * @param others messages of the chat that are known to be different ones
	 */
	readonly find: (
		chat: string,
		mark: string,
		message: Message,
		others: ReadonlySet<string>,
	) => Promise<string | undefined>;
	/** Sends a text as a file, beside a message. */
	readonly file: (chat: string, ref: string, name: string, text: string) => Promise<void>;
};

/** The platform refused this message, or every message to its chat (`isOfChat`). */
export class MessageRefused extends Error {
	readonly concernsChat: boolean;
	constructor(message: string, concernsChat: boolean) {
		super(message);
		this.concernsChat = concernsChat;
	}
}

/** An action of a person in a chat. A channel delivers them in order. */
export type ChatInput =
	| {readonly did: 'press'; readonly chat: string; readonly user: string; readonly data: string}
	| {
			readonly did: 'say';
			readonly chat: string;
			readonly user: string;
			readonly text: string;
			/** The message that it replies to. */
			readonly to?: string;
			/** Id of the message; a repeated delivery has the same. */
			readonly id: string;
	  };
