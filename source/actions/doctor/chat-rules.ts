import type {Trouble} from '../../colony/rules/rule.ts';
import type {MachineRule} from './machine-rule.ts';
import type {MachineSurvey} from './survey.ts';
import type {BotState, SurveyedBot} from './surveyed-bot.ts';

/** The doctor's checks of this machine's bot. They report nothing if `chat.yaml` enables no bot. */
export const chatRules: readonly MachineRule[] = [
	{
		id: 'chat-token',
		level: 'error',
		says: 'The chat platform accepts the bot token.',
		check: ({machine}) =>
			troubleWhen(machine, 'refused', ({host}) => ({
				message: `${host} does not accept the bot token`,
				fix: 'Set HIVE_CHAT_BOT_TOKEN, or "bot_token" in chat.yaml, to the token that BotFather shows.',
			})),
	},
	{
		id: 'chat-heard',
		level: 'error',
		says: 'No webhook receives the messages of the bot.',
		check: ({machine}) =>
			troubleWhen(machine, 'webhook', () => ({
				message: 'a webhook receives the messages of the bot, so no gateway gets them',
				fix: 'Remove the webhook (deleteWebhook of the Bot API), or create a separate bot for hive.',
			})),
	},
	{
		id: 'chat-reached',
		level: 'warning',
		says: 'The chat platform answers.',
		check: ({machine}) =>
			troubleWhen(machine, 'away', ({host, status}) => ({
				message: status === undefined ? `no Bot API answers at ${host}` : `${host} answers ${status}`,
				fix: 'Check the network, and "api_root" in chat.yaml. A gateway continues when the platform answers again.',
			})),
	},
];

const troubleWhen = (
	{bot}: MachineSurvey,
	state: BotState['state'],
	words: (bot: SurveyedBot) => Omit<Trouble, 'path'>,
): Trouble[] => (bot?.state === state ? [{path: bot.path, ...words(bot)}] : []);
