import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {type CrashPoint, crashPoints} from '../../source/ports/crash-points.ts';
import {openBotApi, owner} from '../helpers/bot-platform.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {createScratchColony, type Scene, type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

type BotApi = Awaited<ReturnType<typeof openBotApi>>;

const bees = {builder: {worktree: false, script: 'echo "Did it"'}};

/** Creates a colony whose person answers in a chat. Each waiting review is in its own trace. */
export const openChat = async (
	command: string,
	reviews: readonly string[],
	more: Partial<Pick<Scene, 'bees' | 'files'>> = {},
) => {
	const settings = {defaults: {default_bee: 'builder', max_parallel_runs: 4}};
	const colony = await createScratchColony({command, settings, ...more, bees: {...bees, ...more.bees}});
	const api = await openBotApi();
	await writeFile(
		join(colony.home, '.config/hive/chaos/chat.yaml'),
		JSON.stringify({
			...{enabled: true, bot_token: '1:secret-token', api_root: api.url},
			...{allow_from: [owner.user], chat_ids: [owner.chat], commands: {task_autorun: false}},
		}),
		{mode: 0o600},
	);
	for (const name of reviews) {
		const tasks = [{taskId: 'work', title: `Review of ${name}`, review: 'required'}];
		await colony.ask(['task', 'create', '--trace', name, '--plan', '-'], JSON.stringify({tasks}));
	}
	if (reviews.length > 0) await colony.hive(untilIdle);
	return {colony, api};
};

export const chatPoints = crashPoints.filter(point => point.startsWith('chat.'));

/**
 * Kills gateways between any two effects, while a person approves reviews and starts tasks. Each answer must
 * be carried out once, and each card must be one message.
 */
export const playGateways = async (
	command: string,
	seed: number,
	kills: number,
	points: readonly CrashPoint[] = chatPoints,
): Promise<Shown> => {
	const random = createRandom(seed);
	const reviews = Array.from({length: Math.min(12, kills)}, (_, index) => `trace-${index}`);
	const {colony, api} = await openChat(command, reviews);
	const shown = await showScene(colony, seed, async () => {
		const over = new AbortController();
		const killing = killOften(colony, {random, kills, points}).finally(() => over.abort());
		const [started] = await Promise.all([
			startTasks(api, over.signal),
			...reviews.map(name => approve(api, name)),
			killing,
		]);
		const last = await killing;
		last.kill('SIGKILL');
		await once(last, 'close');
		const found = await compare(colony, api, {reviews, started});
		return {...found, figures: {kills, ...found.figures}};
	});
	api.close();
	return shown;
};

/** Starts gateways that die, and then one that stays. */
const killOften = async (
	colony: ScratchColony,
	{random, kills, points}: {random: Random; kills: number; points: readonly CrashPoint[]},
) => {
	for (let index = 0; index < kills; index++) {
		const point = points[index % points.length] ?? 'chat.sent';
		const gateway = colony.start(['gate', 'chat'], {crashAt: `${point}:${random.between(1, 3)}`});
		gateway.stdout?.resume();
		gateway.stderr?.resume();
		await once(gateway, 'close');
	}
	const last = colony.start(['gate', 'chat']);
	last.stdout?.resume();
	last.stderr?.resume();
	return last;
};

const approve = async (api: BotApi, name: string): Promise<void> => {
	const card = await api.message(`Review of ${name}\n`);
	api.press(card, 'Approve');
	await api.until(() => card.buttons.flat().find(({text}) => text.startsWith('Yes')));
	api.press(card, 'Yes: Approve');
	await api.until(() => card.text.includes('nswered in the chat') || undefined);
};

/** Starts one task after the other until the signal, and returns their number. */
const startTasks = async (api: BotApi, signal: AbortSignal): Promise<number> => {
	for (let count = 1; ; count++) {
		api.say(`/task Number ${count}.`);
		const card = await api.message(`Number ${count}.`);
		api.press(card, 'Start');
		await api.until(
			() => card.text.includes('nswered in the chat') || card.text.includes('Trace ') || undefined,
		);
		if (signal.aborted) return count;
	}
};

const compare = async (
	colony: ScratchColony,
	api: BotApi,
	{reviews, started}: {reviews: readonly string[]; started: number},
) => {
	const {traces} = await colony.ask<{traces: readonly {traceId: string}[]}>(['status']);
	const breaches: string[] = [];
	const byChat: string[] = [];
	for (const {traceId} of traces)
		for (const {agentId, payload} of await colony.replay(traceId)) {
			if (agentId !== 'chat') continue;
			const tasks = Array.isArray(payload.tasks) ? payload.tasks : [];
			byChat.push(`${payload.kind} ${payload.kind === 'task.plan' ? tasks[0]?.title : traceId}`);
		}
	const done = (what: string) => byChat.filter(each => each === what).length;
	const cards = (words: string) => api.messages.filter(({text}) => text.includes(words)).length;
	const figures = {commands: 0, lost: 0, twice: 0, doubled: 0};
	const check = (what: string, words: string): void => {
		figures.commands += 1;
		figures.lost += Number(done(what) === 0);
		figures.twice += Number(done(what) > 1);
		figures.doubled += Number(cards(words) !== 1);
		if (done(what) !== 1) breaches.push(`${what} was done ${done(what)} times`);
		if (cards(words) !== 1) breaches.push(`"${words.trim()}" is on ${cards(words)} cards`);
	};
	for (const name of reviews) check(`task.completed ${name}`, `\u25c6 Review Review of ${name}\n`);
	for (let count = 1; count <= started; count++)
		check(`task.plan Number ${count}.`, `New task for builder\nNumber ${count}.`);
	return {figures, breaches};
};
