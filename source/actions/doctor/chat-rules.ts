import type {Trouble} from '../../colony/rules/rule.ts';
import type {MachineRule} from './machine-rule.ts';
import type {MachineSurvey} from './survey.ts';
import type {BotState, SurveyedBot} from './surveyed-bot.ts';

/** The doctor's checks of this machine's bot. They report nothing if `chat.yaml` enables no bot. */
export const chatRules: readonly MachineRule[] = [
	{
		id: 'chat-token',
		level: 'error',
		says: 'The token of the chat’s bot is taken.',
		check: ({machine}) =>
			troubleWhen(machine, 'refused', ({host}) => ({
				message: `${host} does not take the bot token`,
				fix: 'Set HIVE_CHAT_BOT_TOKEN, or "bot_token" in it, to the token that BotFather shows.',
			})),
	},
	{
		id: 'chat-heard',
		level: 'error',
		says: 'No webhook takes the messages of the chat’s bot.',
		check: ({machine}) =>
			troubleWhen(machine, 'webhook', () => ({
				message: 'a webhook takes the messages of the bot, so no gateway hears them',
				fix: 'Have whoever set it remove it (deleteWebhook of the Bot API), or give hive a bot of its own.',
			})),
	},
	{
		id: 'chat-reached',
		level: 'warning',
		says: 'The platform of the chat answers.',
		check: ({machine}) =>
			troubleWhen(machine, 'away', ({host, status}) => ({
				message: status === undefined ? `no Bot API answers at ${host}` : `${host} answers ${status}`,
				fix: 'Check the network, and "api_root" in it. A gateway goes on by itself when it answers again.',
			})),
	},
];

const troubleWhen = (
	{bot}: MachineSurvey,
	state: BotState['state'],
	words: (bot: SurveyedBot) => Omit<Trouble, 'path'>,
): Trouble[] => (bot?.state === state ? [{path: bot.path, ...words(bot)}] : []);
