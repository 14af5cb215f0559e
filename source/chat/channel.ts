import type {Message} from './message.ts';

/** Where messages go. What it cannot do now it waits for, or it throws. */
export type Channel = {
	readonly name: string;
	/** Who is told what happens. */
	readonly chats: () => readonly string[];
	/** Names what was sent to the chat last: what is sent from now on comes behind it. */
	readonly mark: (chat: string) => Promise<string>;
	/**
	 * Answers what names the message in its chat. Throws `NotTaken` where it is known not to be there.
	 *
	 * @param id of the card: the same is the same message
	 */
	readonly send: (chat: string, message: Message, id: string) => Promise<string>;
	/** Shows the message anew; one that is gone stays gone. */
	readonly edit: (chat: string, ref: string, message: Message, id: string) => Promise<void>;
	/**
	 * The message that was sent behind the mark by somebody who was cut off before it was noted, shown anew.
	 *
	 * @param others messages of the chat that are known to be something else
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

/** The platform refused a message: this one, or everything for its chat. */
export class NotTaken extends Error {
	readonly isOfChat: boolean;
	constructor(message: string, isOfChat: boolean) {
		super(message);
		this.isOfChat = isOfChat;
	}
}

/** Something that a person did in a chat, in the order of the channel. */
export type Heard =
	| {readonly did: 'press'; readonly chat: string; readonly user: string; readonly data: string}
	| {
			readonly did: 'say';
			readonly chat: string;
			readonly user: string;
			readonly text: string;
			/** The message that it answers. */
			readonly to?: string;
			/** The same words that come again have the same. */
			readonly id: string;
	  };
