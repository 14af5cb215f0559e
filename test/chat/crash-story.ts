import type {ActionContext} from '../../source/actions/context.ts';
import {openChatController} from '../../source/chat/chat-controller.ts';
import type {ChatPoint} from '../../source/chat/context.ts';
import {openTelegram} from '../../source/chat/telegram/gateway.ts';
import type {Bucket} from '../../source/ports/bus.ts';
import {crashPoints} from '../../source/ports/crash-points.ts';
import type {startBotApi} from '../helpers/bot-api.ts';
import {claimOf, finishOf, item, planOf, statusOf} from '../helpers/events.ts';
import {createOffice, deskPorts, type Office, quietSettings} from './office.ts';

type BotApi = Awaited<ReturnType<typeof startBotApi>>;

/** The point at which a gateway dies, and on which visit of that point. */
export type Death = {readonly point: ChatPoint; readonly time: number; readonly loses: boolean};

export const chatPoints = crashPoints.filter((point): point is ChatPoint => point.startsWith('chat.'));

export const everyDeath: readonly Death[] = chatPoints.flatMap(point =>
	[1, 2, 3].map(time => ({point, time, loses: false})),
);

/** The result of a story in which a person approves a task and starts another, while gateways die. */
export type Told = {
	readonly approvals: number;
	readonly plans: number;
	readonly reviewCards: number;
	readonly taskCards: number;
	readonly deaths: number;
};

/** Plays the story on the stand-in platform. The gateway after the last planned death survives. */
export const playCrashes = async (api: BotApi, deaths: readonly Death[]): Promise<Told> => {
	const office = await createOffice();
	const reviewed = {...item('one'), review: 'required' as const};
	await office.say(
		planOf(reviewed),
		statusOf('one', 'ready'),
		claimOf('run1', 'one'),
		finishOf('run1'),
		statusOf('one', 'waiting_review'),
	);
	const over = new AbortController();
	const story = person(api).finally(() => over.abort());
	let died = 0;
	const lives = [...deaths, undefined];
	for (const death of lives) {
		if (over.signal.aborted) break;
		died += Number(await live(office, api, death, over.signal));
	}
	await story;
	const byChat = (await office.events()).filter(({agentId}) => agentId === 'chat');
	const count = (kind: string) => byChat.filter(({payload}) => payload.kind === kind).length;
	const shown = (words: string) => api.messages.filter(({text}) => text.includes(words)).length;
	return {
		...{approvals: count('task.completed'), plans: count('task.plan'), deaths: died},
		...{reviewCards: shown('Review'), taskCards: shown('New task')},
	};
};

const person = async (api: BotApi): Promise<void> => {
	const review = await api.message('\u25c6 Review');
	api.press(review, 'Approve');
	await api.until(() => review.text.includes('are you sure') || undefined);
	api.press(review, 'Yes: Approve');
	await api.until(() => /nswered in the chat/.test(review.text) || undefined);
	api.say('/task Another one');
	const task = await api.message('New task');
	api.press(task, 'Start');
	await api.until(() => task.text.includes('Trace ') || undefined);
};

/**
 * Runs one gateway until its death or the end of the story. A dead gateway does no later work.
 * Returns true if it died.
 */
const live = async (
	office: Office,
	api: BotApi,
	death: Death | undefined,
	ended: AbortSignal,
): Promise<boolean> => {
	const life = new AbortController();
	const signal = AbortSignal.any([life.signal, ended]);
	const expectAlive = (): void => {
		if (life.signal.aborted) throw new Error('dead');
	};
	let times = 0;
	const reach = (point: ChatPoint): void => {
		expectAlive();
		if (death?.point !== point || ++times < death.time) return;
		life.abort();
		expectAlive();
	};
	const mortal = mortalOffice(office, expectAlive);
	if (death?.loses) api.faults.push({method: 'sendMessage', lost: 'after'});
	const {context, bucket} = mortal;
	const settings = {...quietSettings, apiRoot: api.url};
	const telegram = await openTelegram({context, bucket, settings, token: '1:x', signal, report: () => {}});
	const whileAlive = async <Value>(work: () => Promise<Value>): Promise<Value> => {
		expectAlive();
		const value = await work();
		expectAlive();
		return value;
	};
	const {channel} = telegram;
	const desk = await openChatController(
		deskPorts(mortal, {
			settings,
			failpoint: reach,
			onError: () => void setImmediate(() => !signal.aborted && desk.poll().catch(() => {})),
			channel: {
				...channel,
				send: (...given) => whileAlive(() => channel.send(...given)),
				edit: (...given) => whileAlive(() => channel.edit(...given)),
				find: (...given) => whileAlive(() => channel.find(...given)),
			},
		}),
	);
	const running = telegram.run(desk);
	await desk.poll().catch(() => {});
	await running;
	await desk.settled();
	return life.signal.aborted;
};

const mortalOffice = (office: Office, expectAlive: () => void): Office => {
	const guarded = <Ports extends object>(ports: Ports, names: readonly (keyof Ports)[]): Ports => ({
		...ports,
		...Object.fromEntries(
			names.map(name => [
				name,
				async (...given: unknown[]) => {
					expectAlive();
					return (ports[name] as (...given: unknown[]) => unknown)(...given);
				},
			]),
		),
	});
	const bus = guarded(office.context.bus, ['append', 'appendAll']);
	const bucket: Bucket = guarded(office.bucket, ['get', 'create', 'update', 'delete', 'entries']);
	return {...office, bucket, context: {...office.context, bus} as ActionContext};
};
