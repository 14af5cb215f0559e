import {expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {Channel} from '../../source/chat/channel.ts';
import {openChatController} from '../../source/chat/chat-controller.ts';
import {type Message, plainText} from '../../source/chat/message.ts';
import type {Outcome, Refusal} from '../../source/domain/errors.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {actionTable} from '../../source/host/actions/table.ts';
import {claimOf, createEvent, finishOf, item, planOf, statusOf, traceId} from '../helpers/events.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {createOffice, deskPorts, type Office} from './office.ts';

/** "npm run prove-chat" plays ten thousand. */
const races = Number(process.env.HIVE_CHAT_RACES ?? 25);

const asking = (more: object = {}): NewEvent =>
	createEvent(
		'SIGNAL',
		{kind: 'human.question', questionId: 'q-1', text: 'Which?', options: ['JSON', 'YAML'], ...more},
		{agentId: 'run1'},
	);

it('a review that terminal, page and chat answer concurrently has one answer, and the card names the winner', async () => {
	await race(reviewed);
}, 3_600_000);

it.each([
	['waits', [asking({waits: true})]],
	['has ended', [asking(), finishOf('run1'), statusOf('one', 'waiting_review')]],
] as const)(
	'a question whose run %s has one answer as well, and the losers are told which',
	async (_, events) => {
		await race(questionIn(events));
	},
	3_600_000,
);

const places: Readonly<Record<string, string>> = {
	human: 'answered at the terminal at',
	console: 'answered on the page at',
	chat: 'Answered in the chat at',
};

/** What the faces race for. */
type Prize = {
	readonly events: readonly NewEvent[];
	/** The button in the chat. */
	readonly button: string;
	/** The kinds of events that answer it. */
	readonly kinds: readonly string[];
	readonly answer: (context: ActionContext, random: Random) => Promise<Outcome<unknown>>;
	/** True if a loser was told that this one won. */
	readonly isNamed: (refusal: Refusal, winner: string) => boolean;
};

const claimed = [statusOf('one', 'ready'), claimOf('run1', 'one')];

const task = {traceId, taskId: 'one'};
const reviewed: Prize = {
	events: [
		planOf({...item('one'), review: 'required'}),
		...[...claimed, finishOf('run1'), statusOf('one', 'waiting_review')],
	],
	...{button: 'Approve', kinds: ['task.completed', 'human.feedback']},
	answer: (context, random) =>
		random.chance(0.5)
			? actionTable['proposal.approve'].run(context, task)
			: actionTable['proposal.reject'].run(context, {...task, feedback: 'Again.'}),
	isNamed: () => true,
};

const questionIn = (events: readonly NewEvent[]): Prize => ({
	events: [planOf(item('one')), ...claimed, ...events],
	...{button: 'JSON', kinds: ['human.answer']},
	answer: (context, random) =>
		actionTable['question.answer'].run(context, {questionId: 'q-1', option: random.between(1, 2)}),
	isNamed: ({code, message}, winner) =>
		code === 'wrong_status' && message.startsWith(`q-1 was answered by ${winner} at `),
});

/** Races with every seed. Each face has to win some. */
const race = async (prize: Prize): Promise<void> => {
	const won = new Set<string>();
	for (let seed = 1; seed <= races; seed++) won.add(await raceOnce(seed, prize));
	expect([...won].sort()).toEqual(['chat', 'console', 'human']);
};

/** Plays one race and returns the winner. */
const raceOnce = async (seed: number, prize: Prize): Promise<string> => {
	const random = createRandom(seed);
	const office = await createOffice();
	await office.say(...prize.events);
	const {channel, shown, press} = createShelf();
	const slow = slowly(office, random);
	const desk = await openChatController(deskPorts(slow, {channel}));
	const settle = async (): Promise<void> => {
		await desk.poll();
		await desk.settled();
	};
	await settle();
	await desk.receive(press(prize.button));
	await desk.settled();
	const sure = press(`Yes: ${prize.button}`);
	// The chat stores a press and looks again before it acts, so the other faces sometimes wait longer.
	const patience = random.pick([20, 100, 400]);
	const answer = async (by: 'human' | 'console') => {
		await turns(random.below(patience));
		return {by, done: await prize.answer({...slow.context, by}, random)};
	};
	const inChat = async () => {
		await turns(random.below(40));
		await desk.receive(sure);
	};
	const [, ...answers] = await Promise.all([inChat(), answer('human'), answer('console')]);
	// Repeated and late presses do nothing.
	await desk.receive(sure);
	await settle();
	await settle();
	const events = (await office.events()).filter(({agentId}) => places[agentId ?? ''] !== undefined);
	const said = events.filter(({payload}) => prize.kinds.includes(payload.kind));
	expect(said, `seed ${seed}`).toHaveLength(1);
	const winner = said[0]?.agentId ?? '';
	for (const {by, done} of answers) {
		expect(done.ok, `seed ${seed}: ${by}`).toBe(by === winner);
		if (!done.ok) expect(prize.isNamed(done.refusal, winner), `seed ${seed}: ${by}`).toBe(true);
	}
	expect(shown(), `seed ${seed}`).toContain(places[winner]);
	return winner;
};

const turns = async (count: number): Promise<void> => {
	for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

/** Returns the same log with seeded delays before its answers. */
const slowly = (office: Office, random: Random): Office => {
	const late = <Ports extends object>(ports: Ports, names: readonly (keyof Ports)[]): Ports => ({
		...ports,
		...Object.fromEntries(
			names.map(name => [
				name,
				async (...given: unknown[]) => {
					await turns(random.below(20));
					const value = await (ports[name] as (...given: unknown[]) => unknown)(...given);
					await turns(random.below(20));
					return value;
				},
			]),
		),
	});
	const bus = late(office.context.bus, ['append', 'appendAll', 'last']);
	const bucket = late(office.bucket, ['get', 'create', 'update']);
	return {...office, bucket, context: {...office.context, bus} as ActionContext};
};

/** Creates a channel that keeps one message. */
const createShelf = () => {
	let message: Message = {parts: [], buttons: [], silent: true};
	const channel: Channel = {
		name: 'shelf',
		chats: () => ['me'],
		mark: async () => '0',
		send: async (_, sent) => {
			message = sent;
			return '1';
		},
		edit: async (_, __, edited) => {
			message = edited;
		},
		find: async () => undefined,
		file: async () => {},
	};
	return {
		channel,
		shown: () => plainText(message.parts),
		press: (label: string) => {
			const button = message.buttons.flat().find(each => each.label === label);
			if (button === undefined) throw new Error(`${label} is not on ${plainText(message.parts)}`);
			return {did: 'press' as const, chat: 'me', user: 'me', data: button.data};
		},
	};
};
