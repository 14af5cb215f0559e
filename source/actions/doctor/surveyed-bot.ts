import type {ChatSettings} from '../../colony/chat-settings.ts';

/**
 * What a chat's platform says of its bot: it may be heard, its token is refused, a webhook takes its
 * messages; or no sense is made of it.
 */
export type BotState = {readonly state: 'well' | 'refused' | 'webhook' | 'away'; readonly status?: number};

/** Asks the platform within some seconds, and disturbs nobody who hears the bot; never rejects. */
export type TryBot = (
	bot: Required<Pick<ChatSettings, 'apiRoot' | 'token'>>,
	seconds?: number,
) => Promise<BotState>;

/** The bot that `chat.yaml` enables. */
export type SurveyedBot = BotState & {
	/** Of `chat.yaml`, absolute. */
	readonly path: string;
	/** Who was asked, without what the address may keep secret. */
	readonly host: string;
};
