import type {ChatSettings} from '../../colony/chat-settings.ts';

/**
 * The bot's state at its chat platform: `well`, `refused` (bad token), `webhook` (a webhook receives its
 * messages), or `away` (no usable answer).
 */
export type BotState = {readonly state: 'well' | 'refused' | 'webhook' | 'away'; readonly status?: number};

/**
 * Asks the platform within some seconds, without disturbing a gateway that receives the bot's messages. Never
 * rejects.
 */
export type TryBot = (
	bot: Required<Pick<ChatSettings, 'apiRoot' | 'token'>>,
	seconds?: number,
) => Promise<BotState>;

/** The bot that `chat.yaml` enables. */
export type SurveyedBot = BotState & {
	/** Absolute path of `chat.yaml`. */
	readonly path: string;
	/** Host that was asked, without parts of the address that may be secret. */
	readonly host: string;
};
