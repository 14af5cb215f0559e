import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as pass} from 'node:timers/promises';
import {errorTable, exitCodes} from '../../source/domain/error-table.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';
import {withTimeout} from '../helpers/with-timeout.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {askingScene, options, planQuestions, questionOf, titleOf, toldOf} from './asking.ts';
import {openChat} from './gateways.ts';
import {interrupt, noOutage} from './outages.ts';
import {type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

type Api = Awaited<ReturnType<typeof openChat>>['api'];

/** The address of the console while it runs, and the token for programs. */
type Page = {url: string | undefined; readonly token: string};

/** A person, with the id under which the log has them. */
type Person = 'human' | 'console' | 'chat';

/** How one question is answered. */
type Answer = {readonly name: string; readonly by: Person; readonly option: number; readonly words: string};

/**
 * Agents ask while reactors, dashboards, consoles, chat gateways and the server are killed again and again. A
 * person answers each question once: by the command, on the page or in the chat. The answer must be in the
 * log once, and reach the agent once.
 */
export const playQuestions = async (command: string, seed: number, count: number): Promise<Shown> => {
	const random = createRandom(seed);
	const {colony, api} = await openChat(command, [], askingScene);
	const shown = await showScene(colony, seed, async () => {
		const answers = Array.from({length: count}, (_, index) => answerFor(random, index));
		await planQuestions(
			colony,
			answers.map(({name}) => name),
		);
		const {token} = await colony.ask<{token: string}>(['console', 'token']);
		const page: Page = {url: undefined, token};
		const over = new AbortController();
		// Where a server is killed too, a process has to find that first.
		const longest = colony.server ? 12_000 : 5000;
		const killing = Promise.all(
			Object.entries(victimsOf(colony, command, page)).map(async ([name, start]) => {
				const kills = await killOften(start, {random, most: count, longest, signal: over.signal});
				return [`${name} kills`, kills] as const;
			}),
		);
		const outages = interruptOften(colony, random, over.signal, count);
		const told = await Promise.all(
			answers.map(answer => give(answer, {colony, page, api, signal: over.signal})),
		);
		over.abort();
		const kills = Object.fromEntries(await killing);
		// The server is there again only after the last outage.
		const outage = await outages;
		const {exitCode, stderr} = await colony.hive(untilIdle);
		const found = await findWrong(colony, api, answers);
		return {
			figures: {questions: count, ...kills, ...outage, ...found.figures},
			breaches: [
				...told.flatMap(problem => problem ?? []),
				...(exitCode === 0 ? [] : [`hive run ended with ${exitCode}: ${stderr.slice(-400)}`]),
				...found.breaches,
			],
		};
	});
	api.close();
	return shown;
};

const answerFor = (random: Random, index: number): Answer => {
	const by = (['human', 'console', 'chat'] as const)[(index >> 1) % 3] ?? 'human';
	// A button of the chat has no words.
	const words = by === 'chat' ? '' : `number ${index}`;
	return {name: `trace-${index}`, by, option: random.below(options.length), words};
};

const consoleArgs = ['console', '--addr', '127.0.0.1:0', '--json', '--no-reactor'];

/** Milliseconds of the longest timer. */
const endlessMs = 2_147_483_647;

/** A started process. `kill` tells whether it still ran. */
type Started = {readonly kill: () => boolean; readonly ended: Promise<unknown>};

/** The processes that are killed, each with how it is started again. */
const victimsOf = (
	colony: ScratchColony,
	command: string,
	page: Page,
): Readonly<Record<string, () => Started>> => ({
	reactor: () => startCommand(colony, ['run']),
	dashboard: () => startDashboard(colony, command),
	console: () => startConsole(colony, page),
	gateway: () => startCommand(colony, ['gate', 'chat']),
});

const startCommand = (colony: ScratchColony, args: readonly string[]): Started => {
	const child = colony.start(args);
	child.stdout?.resume();
	child.stderr?.resume();
	return {kill: () => child.kill('SIGKILL'), ended: once(child, 'exit')};
};

const startDashboard = ({root, env}: ScratchColony, command: string): Started => {
	const terminal = openTerminal([process.execPath, command], {cwd: root, env});
	let isOver = false;
	const ended = terminal.ended.then(() => {
		isOver = true;
	});
	return {
		kill: () => {
			const ran = !isOver;
			terminal.close();
			return ran;
		},
		ended,
	};
};

/** Keeps the address of the console while it runs. */
const startConsole = (colony: ScratchColony, page: Page): Started => {
	const child = colony.start(consoleArgs);
	child.stderr?.resume();
	if (child.stdout)
		createInterface({input: child.stdout}).once('line', line => {
			page.url = JSON.parse(line).url;
		});
	const ended = once(child, 'exit').then(() => {
		page.url = undefined;
	});
	return {kill: () => child.kill('SIGKILL'), ended};
};

type Killing = {
	readonly random: Random;
	/** After this many kills the process lives on, so that the answers are given in the end. */
	readonly most: number;
	/** The longest life in milliseconds. */
	readonly longest: number;
	readonly signal: AbortSignal;
};

/** Starts the process again after each kill, until the signal. Returns the number of kills. */
const killOften = async (start: () => Started, {random, most, longest, signal}: Killing): Promise<number> => {
	let kills = 0;
	while (!signal.aborted) {
		const {kill, ended} = start();
		const life = kills < most ? random.between(500, longest) : endlessMs;
		await pass(life, undefined, {signal}).catch(() => {});
		kills += Number(kill());
		await ended;
	}
	return kills;
};

const interruptOften = async ({server}: ScratchColony, random: Random, signal: AbortSignal, most: number) => {
	const figures = {...noOutage};
	for (let tries = 0; tries < 3 * most && server !== undefined && !signal.aborted; tries++) {
		await pass(random.between(500, 6000));
		const outage = await interrupt(server, random);
		figures['server kills'] += outage['server kills'];
		figures['server pauses'] += outage['server pauses'];
	}
	return server === undefined ? {} : figures;
};

type Desk = {
	readonly colony: ScratchColony;
	readonly page: Page;
	readonly api: Api;
	readonly signal: AbortSignal;
};

/** Answers a question once it is shown. Returns a sentence if that fails. */
const give = async (answer: Answer, {colony, page, api, signal}: Desk): Promise<string | undefined> => {
	const giving = {
		human: () => giveAtTerminal(colony, answer, signal),
		console: () => giveOnPage(page, answer, signal),
		chat: () => giveInChat(api, answer, signal),
	}[answer.by]();
	return withTimeout(giving, () => `the question of ${answer.name} for ${answer.by}`).catch(String);
};

/** Milliseconds between two looks, and the timeout of a request. */
const lookMs = 700;
const callMs = 10_000;
/** Milliseconds until a button is pressed again. */
const pressMs = 15_000;

/** How one try to answer ended. `isUnclear`: it may be in the log. */
type Tried = {readonly isGiven: boolean; readonly isUnclear: boolean; readonly said: string};

/** Waits until the question is shown and answers it, again while the end of a try is not known. */
const giveUntilKnown = async (
	{name, by}: Answer,
	signal: AbortSignal,
	look: () => Promise<string | undefined>,
	attempt: (questionId: string) => Promise<Tried>,
): Promise<string | undefined> => {
	let id: string | undefined;
	let isRepeated = false;
	while (!signal.aborted) {
		id ??= await look();
		if (id !== undefined) {
			const {isGiven, isUnclear, said} = await attempt(id);
			if (isGiven || (isRepeated && said.includes(`was answered by ${by} at`))) return undefined;
			if (!isUnclear) return `the answer of ${by} to ${name} was refused: ${said}`;
			isRepeated = true;
		}
		await pass(lookMs);
	}
	return `the question of ${name} was not shown to ${by}`;
};

const giveAtTerminal = (
	colony: ScratchColony,
	answer: Answer,
	signal: AbortSignal,
): Promise<string | undefined> =>
	giveUntilKnown(
		answer,
		signal,
		() => questionOf(colony, answer.name),
		async id => {
			const option = ['--option', String(answer.option + 1)];
			const {exitCode, stdout, stderr} = await colony.hive(['answer', id, ...option, '--body', answer.words]);
			const isUnclear = exitCode === exitCodes.unreachable;
			return {isGiven: exitCode === exitCodes.done, isUnclear, said: `${stdout}${stderr}`};
		},
	);

type Item = {readonly traceId: string; readonly questionId: string};

const giveOnPage = (page: Page, answer: Answer, signal: AbortSignal): Promise<string | undefined> => {
	const call = (path: string, init: RequestInit = {}): Promise<Response> =>
		fetch(`${page.url}/api/questions${path}`, {
			...init,
			headers: {authorization: `Bearer ${page.token}`, 'content-type': 'application/json'},
			signal: AbortSignal.timeout(callMs),
		});
	const look = async (): Promise<string | undefined> => {
		const {items} = (await (await call('')).json()) as {items?: readonly Item[]};
		return items?.find(({traceId}) => traceId === answer.name)?.questionId;
	};
	const attempt = async (id: string): Promise<Tried> => {
		const body = JSON.stringify({option: answer.option + 1, body: answer.words});
		const response = await call(`/${id}/answer`, {method: 'POST', body});
		const isUnclear = response.status === errorTable.bus_unreachable.http;
		return {isGiven: response.ok, isUnclear, said: await response.text()};
	};
	// The console dies at any moment, also between the answer and its response.
	return giveUntilKnown(
		answer,
		signal,
		() => look().catch(() => undefined),
		id => attempt(id).catch(error => ({isGiven: false, isUnclear: true, said: String(error)})),
	);
};

/** The first line of its card. A message about the completed task has another. */
const onCard = (name: string): string => `? Question ${titleOf(name)}\n`;

/** Presses again while nothing happens: a press is refused while the log cannot be reached. */
const giveInChat = async (api: Api, {name, option}: Answer, signal: AbortSignal): Promise<undefined> => {
	const label = options[option] ?? '';
	const card = await api.message(onCard(name));
	while (!signal.aborted && !card.text.includes('nswered in the chat')) {
		const shown = card.buttons.flat().map(({text}) => text);
		const next = [`Yes: ${label}`, label].find(text => shown.includes(text));
		if (next !== undefined) api.press(card, next);
		const edits = card.edits;
		await Promise.race([api.until(() => card.edits > edits || undefined), pass(pressMs)]);
	}
};

const findWrong = async (colony: ScratchColony, api: Api, answers: readonly Answer[]) => {
	const gateway = colony.start(['gate', 'chat']);
	gateway.stdout?.resume();
	gateway.stderr?.resume();
	const figures = {lost: 0, twice: 0, undelivered: 0, repeated: 0, doubled: 0, 'asked again': 0};
	const breaches: string[] = [];
	for (const {name, by, option, words} of answers) {
		const events = await colony.replay(name);
		const asked = events.filter(({payload}) => payload.kind === 'human.question').length;
		const given = events.filter(({payload}) => payload.kind === 'human.answer');
		const expected = [options[option], words].filter(Boolean).join(': ');
		const told = toldOf(colony, name);
		const cards = api.messages.filter(card => card.text.includes(onCard(name)));
		figures.lost += Number(given.length === 0);
		figures.twice += Number(given.length > 1);
		figures.undelivered += Number(!told.includes(expected));
		figures.repeated += Number(told.length > 1);
		figures.doubled += Number(cards.length > 1);
		figures['asked again'] += Number(asked > 1);
		if (asked !== 1) breaches.push(`${name} has ${asked} questions`);
		if (given.length !== 1) breaches.push(`${name} has ${given.length} answers`);
		if (given[0]?.agentId !== by) breaches.push(`${name} was answered by ${given[0]?.agentId}, not ${by}`);
		if (told.length !== 1 || told[0] !== expected)
			breaches.push(`${name} was told "${told.join('", "')}", not "${expected}"`);
		if (cards.length > 1) breaches.push(`${name} is on ${cards.length} cards`);
		for (const card of cards) {
			const closed = api.until(() => card.buttons.length === 0 || undefined);
			await closed.catch(() => breaches.push(`the card of ${name} stays open`));
		}
	}
	gateway.kill('SIGKILL');
	await once(gateway, 'exit');
	return {figures, breaches};
};
