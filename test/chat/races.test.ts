import {expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {Channel} from '../../source/chat/channel.ts';
import {openChatController} from '../../source/chat/chat-controller.ts';
import {type Message, plainText} from '../../source/chat/message.ts';
import {actionTable} from '../../source/host/actions/table.ts';
import {claimOf, finishOf, item, planOf, statusOf, traceId} from '../helpers/events.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {createOffice, deskPorts, type Office} from './office.ts';

/** "npm run prove-chat" plays ten thousand. */
const races = Number(process.env.HIVE_CHAT_RACES ?? 25);

it('a review that terminal, page and chat answer concurrently has one answer, and the card names the winner', async () => {
	const won = new Map<string, number>();
	for (let seed = 1; seed <= races; seed++) {
		const winner = await race(seed);
		won.set(winner, (won.get(winner) ?? 0) + 1);
	}
	expect([...won.keys()].sort()).toEqual(['chat', 'console', 'human']);
}, 3_600_000);

const places: Readonly<Record<string, string>> = {
	human: 'answered at the terminal at',
	console: 'answered on the page at',
	chat: 'Answered in the chat at',
};

/** Plays one race and returns the winner. */
const race = async (seed: number): Promise<string> => {
	const random = createRandom(seed);
	const office = await createOffice();
	await office.say(
		planOf({...item('one'), review: 'required'}),
		...[
			statusOf('one', 'ready'),
			claimOf('run1', 'one'),
			finishOf('run1'),
			statusOf('one', 'waiting_review'),
		],
	);
	const {channel, shown, press} = createShelf();
	const slow = slowly(office, random);
	const desk = await openChatController(deskPorts(slow, {channel}));
	const settle = async (): Promise<void> => {
		await desk.poll();
		await desk.settled();
	};
	await settle();
	await desk.receive(press('Approve'));
	await desk.settled();
	const sure = press('Yes: Approve');
	// The chat stores a press and looks again before it acts, so the other faces sometimes wait longer.
	const patience = random.pick([20, 100, 400]);
	const answer = async (by: 'human' | 'console') => {
		await turns(random.below(patience));
		const context = {...slow.context, by};
		const task = {traceId, taskId: 'one'};
		const done = await (random.chance(0.5)
			? actionTable['proposal.approve'].run(context, task)
			: actionTable['proposal.reject'].run(context, {...task, feedback: 'Again.'}));
		return {by, won: done.ok};
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
	const said = events.filter(({payload}) => ['task.completed', 'human.feedback'].includes(payload.kind));
	expect(said, `seed ${seed}`).toHaveLength(1);
	const winner = said[0]?.agentId ?? '';
	for (const {by, won} of answers) expect(won, `seed ${seed}: ${by}`).toBe(by === winner);
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
