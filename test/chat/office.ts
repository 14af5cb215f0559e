import {onTestFinished} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {type ControllerPorts, openChatController} from '../../source/chat/chat-controller.ts';
import {openTelegram} from '../../source/chat/telegram/gateway.ts';
import {accepted} from '../../source/domain/errors.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {randomHex} from '../../source/drivers/random.ts';
import type {ChatSettings} from '../../source/host/host.ts';
import type {LiveColony} from '../../source/host/live/live.ts';
import {createInboxReader, type ReadInbox} from '../../source/host/review/read-inbox.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import type {startBotApi} from '../helpers/bot-api.ts';
import {owner} from '../helpers/bot-platform.ts';

export const quietSettings: ChatSettings = {
	token: '1:secret-token',
	apiRoot: '',
	users: [String(owner.user)],
	chats: [String(owner.chat)],
	notify: {
		...{
			review_required: 'sound',
			review_final: 'sound',
			commit_gate: 'off',
			failed: 'sound',
			blocked: 'sound',
		},
		...{
			paused: 'silent',
			invite: 'sound',
			question: 'sound',
			session: 'silent',
			no_change: 'sound',
			conflict: 'sound',
			plan: 'sound',
			configuration: 'silent',
			'task.completed': 'off',
		},
	},
	task: {bee: 'builder', intent: '', review: 'none', autorun: true},
	custom: [],
};

/** Creates a log in memory on which people can act. */
export const createOffice = async (given: Partial<ActionContext> = {}) => {
	const clock = createSystemClock();
	const memory = createMemoryBus({clock});
	const ids = createIdSource(clock.now, randomHex);
	const colony = await colonyFrom({
		'bees/builder.yaml': 'adapter: script\ncommand: [sh]\n',
		'bees/drone.yaml': 'adapter: alpha\n',
		'cues/feature.yaml':
			'description: A feature\nemit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\nbody: "{{.Body}}"\n',
	});
	const context = {
		...{
			bus: {...memory, redacts: true},
			clock,
			ids,
			colony,
			checkout: 'here',
			by: 'human',
			insideRun: undefined,
		},
		...{failpoint: () => {}, redact: (text: string) => text, machines: async () => []},
		// There is no repository, so nothing conflicts.
		git: {},
		reactorIsAlive: async () => true,
		endRun: async () => {},
		missingPrograms: async () => new Map(),
		...given,
	} as unknown as ActionContext;
	const say = async (...events: readonly NewEvent[]): Promise<void> => {
		for (const event of events) await context.bus.append(event, {id: ids.event()});
	};
	const events = async () => {
		const all = [];
		for await (const batch of memory.read({after: 0})) all.push(...batch);
		return all;
	};
	return {context, say, events, bucket: context.bus.bucket('chat')};
};

export type Office = Awaited<ReturnType<typeof createOffice>>;

export const deskPreview: LiveColony['preview'] = async () =>
	accepted({
		...{
			workspace: 'isolated',
			branch: 'hive/t',
			base: 'main',
			fork: '',
			work: '',
			tree: 'tree1',
			patch: 'the patch',
			truncated: false,
		},
		files: [{path: 'a.txt', added: 3, removed: 1}],
		...{conflicts: [], unsaved: [], carried: [], notTaken: [], planted: []},
	});

/** Reads the inbox from the ledger of the process, which opens at the first look. */
const inboxOf = (context: ActionContext): ReadInbox => {
	let reading: Promise<ReadInbox> | undefined;
	return async () => {
		reading ??= openLedger(context.bus).then(ledger => createInboxReader(context, ledger));
		return (await reading)();
	};
};

export const deskPorts = (
	{context, bucket}: Office,
	more: Pick<ControllerPorts, 'channel'> & Partial<ControllerPorts>,
): ControllerPorts => ({
	...{context, bucket, settings: quietSettings, preview: deskPreview, readInbox: inboxOf(context)},
	header: {slug: 'shop', root: '/repo', branch: 'main', bus: 'embedded'},
	reactorIsAlive: async () => true,
	sanitize: text => text,
	onError: () => {},
	...more,
});

/** Opens a gateway between the log and the stand-in platform, as one process would. */
export const openGateway = async (
	office: Office,
	api: Awaited<ReturnType<typeof startBotApi>>,
	more: Partial<ControllerPorts> = {},
	patience = 60,
) => {
	const over = new AbortController();
	const said: string[] = [];
	const settings = {...(more.settings ?? quietSettings), apiRoot: api.url};
	const report = (message: string) => void said.push(message);
	const {context, bucket} = office;
	const telegram = await openTelegram({
		context,
		bucket,
		settings,
		token: '1:secret-token',
		signal: over.signal,
		report,
		timeoutSeconds: patience,
	});
	const desk = await openChatController(deskPorts(office, {...more, settings, channel: telegram.channel}));
	const running = telegram.run(desk);
	const stop = async () => {
		over.abort();
		await running;
		await desk.settled();
	};
	onTestFinished(stop);
	return {desk, said, stop, channel: telegram.channel};
};
