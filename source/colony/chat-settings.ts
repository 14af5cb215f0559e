import {accepted, type Outcome} from '../domain/errors.ts';
import {isName} from '../domain/ids.ts';
import type {NotifyCategory} from '../domain/notify.ts';
import {type Review, reviews} from '../domain/task.ts';
import type {Files} from '../ports/files.ts';
import {type CustomCommand, parseCommands} from './parse/chat-commands.ts';
import {readYamlUncached} from './parse/read-yaml-uncached.ts';
import {
	fields,
	listOf,
	oneOf,
	type Parsed,
	parseFile,
	plainArgument,
	type Reader,
	scalarOf,
	text,
	truth,
} from './parse/reader.ts';
import type {YamlReading} from './parse/yaml-tree.ts';
import {refuseConfig} from './refuse-config.ts';

/** How loudly a category is notified. */
type Loudness = 'off' | 'silent' | 'sound';

/** Minutes of the local day. Notifications from the first until the second make no sound. */
type QuietHours = {readonly from: number; readonly to: number};

/** The webhook: the address for messages, the address for answers, and the secret that signs both. */
type WebhookSettings = {readonly url: string; readonly listen?: string; readonly secret: string};

/** `chat.yaml` of the machine-local directory (docs/rules.md §9). */
export type ChatSettings = {
	/** Absent if only a webhook is used. */
	readonly token?: string;
	readonly apiRoot: string;
	/** Ids of users and of chats. A message needs a known user in a known chat. */
	readonly users: readonly string[];
	readonly chats: readonly string[];
	readonly consoleUrl?: string;
	readonly notify: Readonly<Record<NotifyCategory, Loudness>>;
	readonly quiet?: QuietHours;
	/** Settings of a task that `/task` starts. */
	readonly task: {
		readonly bee: string;
		readonly intent: string;
		readonly review: Review;
		readonly autorun: boolean;
	};
	readonly custom: readonly CustomCommand[];
	readonly webhook?: WebhookSettings;
};

/** A variable that overrides `bot_token` of the file. */
const botTokenVariable = 'HIVE_CHAT_BOT_TOKEN';

type Ports = Pick<Files, 'read' | 'isPrivate'>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `chat.yaml`. Undefined if the file is missing or not enabled. A broken file is refused with
 * `invalid_config`, and so is one with a token or a secret that other users may read.
 */
export const loadChatSettings = async (
	files: Ports,
	path: string,
	env: Environment,
): Promise<Outcome<ChatSettings | undefined>> => {
	const source = (await files.read(path))?.trim();
	if (!source) return accepted(undefined);
	const {value, problems} = parseChatYaml(path, await readYamlUncached(source));
	if (value === undefined) return refuseConfig(problems);
	if (value.enabled !== true) return accepted(undefined);
	const token = env[value.bot_token_env ?? botTokenVariable] || value.bot_token;
	const {webhook} = value;
	const secret = (webhook?.secret_env && env[webhook.secret_env]) || webhook?.secret;
	const keepsSecret = (value.bot_token ?? webhook?.secret) !== undefined;
	if (keepsSecret && !(await files.isPrivate(path)))
		return refuseConfig([
			{
				path,
				message: 'others may read it, and it holds a token or a secret',
				hint: `Run "chmod 600 ${path}", or name a variable instead.`,
			},
		]);
	if (webhook !== undefined && !secret)
		return refuseConfig([
			{
				path,
				message: 'the webhook has no secret',
				hint: 'Set "secret", or the variable that "secret_env" names.',
			},
		]);
	if (!token && webhook === undefined)
		return refuseConfig([
			{path, message: 'there is no bot token', hint: `Set ${botTokenVariable}, or "bot_token".`},
		]);
	const {bot_token: _, bot_token_env: __, ...rest} = value;
	return accepted({
		...(token && {token}),
		apiRoot: rest.api_root ?? 'https://api.telegram.org',
		users: rest.allow_from ?? [],
		chats: rest.chat_ids ?? [],
		...(rest.console_base_url && {consoleUrl: rest.console_base_url}),
		notify: loudnessOf(rest.notify),
		...(rest.notify?.quiet_hours && {quiet: rest.notify.quiet_hours}),
		task: {
			bee: rest.commands?.default_bee ?? 'builder',
			intent: rest.commands?.default_intent ?? '',
			review: rest.commands?.default_review ?? 'none',
			autorun: rest.commands?.task_autorun ?? true,
		},
		custom: rest.commands?.custom ?? [],
		...(webhook?.url &&
			secret && {webhook: {url: webhook.url, secret, ...(webhook.listen && {listen: webhook.listen})}}),
	});
};

/** The bare `true` means `sound`, `false` means `off`. */
const loudness: Reader<Loudness> = scalarOf('off, silent or sound', ({value, source}) => {
	if (typeof value === 'boolean') return value ? 'sound' : 'off';
	return (['off', 'silent', 'sound'] as const).find(known => known === source);
});

const quietHours: Reader<QuietHours> = scalarOf('hours such as "22:00-07:00"', ({source}) => {
	const read = /^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)$/.exec(source)?.slice(1).map(Number);
	const [hour = 0, minute = 0, endHour = 0, endMinute = 0] = read ?? [];
	return read && {from: hour * 60 + minute, to: endHour * 60 + endMinute};
});

/** The id of a user or a chat, in the platform's format. */
const id = scalarOf('the number of a user or a chat', ({source}) =>
	/^-?\d{1,20}$/.test(source) ? source : undefined,
);

const address = scalarOf('an http or https address', ({source}) =>
	/^https?:\/\/[^\s]+$/.test(source) ? source.replace(/\/+$/, '') : undefined,
);

const name = scalarOf('a name', ({source}) => (isName(source) ? source : undefined));

const notifyFields = fields({
	...{invites: loudness, blocked: loudness, failed: loudness, paused: loudness, conflict: loudness},
	...{review_required: loudness, review_final: loudness, waiting_review: loudness, commit_gate: loudness},
	...{
		question: loudness,
		session: loudness,
		no_change: loudness,
		plan: loudness,
		configuration: loudness,
		completed: loudness,
		'task.completed': loudness,
	},
	quiet_hours: quietHours,
});

const loudnessOf = (read: ReturnType<typeof notifyFields> = {}): ChatSettings['notify'] => ({
	review_required: read.review_required ?? read.waiting_review ?? 'sound',
	review_final: read.review_final ?? read.waiting_review ?? 'sound',
	commit_gate: read.commit_gate ?? 'off',
	failed: read.failed ?? 'sound',
	blocked: read.blocked ?? 'sound',
	paused: read.paused ?? 'silent',
	invite: read.invites ?? 'sound',
	question: read.question ?? 'sound',
	// A person may sit at it.
	session: read.session ?? 'silent',
	no_change: read.no_change ?? 'sound',
	conflict: read.conflict ?? 'sound',
	plan: read.plan ?? 'sound',
	configuration: read.configuration ?? 'silent',
	'task.completed': read['task.completed'] ?? read.completed ?? 'silent',
});

const readChat = fields({
	enabled: truth,
	bot_token: plainArgument,
	bot_token_env: plainArgument,
	mode: oneOf(['longpoll']),
	api_root: address,
	allow_from: listOf(id),
	chat_ids: listOf(id),
	console_base_url: address,
	notify: notifyFields,
	commands: fields({
		default_bee: name,
		default_intent: name,
		default_review: oneOf(reviews),
		task_autorun: truth,
		custom: parseCommands,
	}),
	webhook: fields({url: address, listen: text, secret: plainArgument, secret_env: plainArgument}, ['url']),
});

const parseChatYaml = (
	file: string,
	reading: YamlReading,
): Parsed<NonNullable<ReturnType<typeof readChat>>> => parseFile(file, reading, readChat);
