import {once} from 'node:events';
import {errorTable, exitCodes} from '../../source/domain/error-table.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {askingScene, options, planQuestions, questionOf, titleOf} from './asking.ts';
import {openChat} from './gateways.ts';
import {openConsole} from './open-console.ts';
import {type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

/** The answer that one racer got. `code` is an exit code or a status of HTTP. */
type Answer = {
	readonly by: 'human' | 'console';
	readonly won: boolean;
	readonly code: number | null;
	readonly said: string;
};

/** What the racers race for, in a trace of its own. */
type Prize = {
	readonly name: string;
	/** The title on its card in the chat, and the button that answers it. */
	readonly title: string;
	readonly button: string;
	/** The event of an answer. */
	readonly kind: string;
	readonly byCommand: readonly string[];
	readonly onPage: () => Promise<Response>;
	/** True if the loser is told that this one won. */
	readonly isNamed: (answer: Answer, winner: string) => boolean;
};

/**
 * Lets a command, the page's API and a chat button race for each approval and each question, with a process
 * each. Exactly one succeeds, and the card in the chat names it. The losers of a question are told who
 * answered it. The times run from the end of the losers to the change of the card.
 */
export const playApprovals = async (command: string, seed: number, count: number): Promise<Shown> => {
	const random = createRandom(seed);
	const names = Array.from({length: count}, (_, index) => `trace-${index}`);
	const asking = Array.from({length: Math.ceil(count / 2)}, (_, index) => `question-${index}`);
	const {colony, api} = await openChat(command, names, askingScene);
	const shown = await showScene(colony, seed, async () => {
		await planQuestions(colony, asking);
		await colony.hive(untilIdle);
		const gateway = colony.start(['gate', 'chat']);
		gateway.stdout?.resume();
		gateway.stderr?.resume();
		const console = await openConsole(colony, '--no-reactor');
		const figures = {approvals: count, questions: asking.length, terminal: 0, page: 0, chat: 0};
		const breaches: string[] = [];
		const times: number[] = [];
		const prizes = names.map(name => approvalOf(console, name));
		for (const name of asking) prizes.push(await answerOf({colony, console, random}, name));
		for (const prize of prizes) {
			const {winner, ...raced} = await raceFor(prize, {colony, api, random});
			times.push(raced.time);
			breaches.push(...raced.breaches);
			figures.terminal += Number(winner === 'human');
			figures.page += Number(winner === 'console');
			figures.chat += Number(winner === 'chat');
		}
		for (const child of [gateway, console.child]) {
			child.kill('SIGKILL');
			await once(child, 'close');
		}
		return {figures, times, breaches};
	});
	api.close();
	return shown;
};

type Console = Awaited<ReturnType<typeof openConsole>>;
type Track = {
	readonly colony: ScratchColony;
	readonly api: Awaited<ReturnType<typeof openChat>>['api'];
	readonly random: Random;
};

const approvalOf = ({approve}: Console, name: string): Prize => ({
	...{name, title: `Review of ${name}`, button: 'Approve', kind: 'task.completed'},
	byCommand: ['proposal', 'approve', '--trace', name, '--task', 'work'],
	onPage: () => approve(name, 'work'),
	isNamed: () => true,
});

const answerOf = async (
	{colony, console, random}: Pick<Track, 'colony' | 'random'> & {readonly console: Console},
	name: string,
): Promise<Prize> => {
	const id = await questionOf(colony, name);
	if (id === undefined) throw new Error(`The question of ${name} is not shown.`);
	return {
		...{name, title: titleOf(name), button: random.pick(options), kind: 'human.answer'},
		byCommand: ['answer', id, '--option', '1'],
		onPage: () => console.answer(id, {option: 2}),
		isNamed: ({code, said}, winner) =>
			[exitCodes.refused, errorTable.wrong_status.http].some(one => one === code) &&
			said.includes(`was answered by ${winner} at `),
	};
};

const raceFor = async (prize: Prize, {colony, api, random}: Track) => {
	const {name, title, button, kind} = prize;
	const card = await api.message(`${title}\n`);
	api.press(card, button);
	await api.until(() => card.buttons.flat().find(({text}) => text.startsWith('Yes')));
	const asked = structuredClone(card);
	const racers: (() => Promise<Answer | undefined>)[] = [
		() => goByCommand(colony, prize),
		() => goOnPage(prize),
		async () => void api.press(asked, `Yes: ${button}`),
	];
	// The command takes time to start, so in some races the others wait for it.
	const head = random.below(4) * 150;
	const all = racers.map(async (race, index) => {
		if (index > 0) await new Promise(resolve => setTimeout(resolve, random.below(head + 1)));
		return race();
	});
	const answers = (await Promise.all(all)).filter(answer => answer !== undefined);
	const ended = performance.now();
	await api.until(() => /nswered (in the chat|on the page|at the terminal)/.test(card.text) || undefined);
	const time = performance.now() - ended;
	const done = (await colony.replay(name)).filter(({payload}) => payload.kind === kind);
	const winner = done[0]?.agentId ?? '';
	const breaches: string[] = [];
	if (done.length !== 1) breaches.push(`${name} was answered ${done.length} times`);
	for (const answer of answers) {
		const {by, won, code, said} = answer;
		if (won !== (by === winner)) breaches.push(`${by} got "${said}" where ${winner} won ${name}`);
		if (!won && !prize.isNamed(answer, winner))
			breaches.push(`${by} lost ${name} to ${winner} and got ${code} "${said}"`);
	}
	if (!card.text.includes(places[winner] ?? 'nowhere'))
		breaches.push(`the card says "${card.text.slice(-80)}" where ${winner} won ${name}`);
	if (card.buttons.length > 0) breaches.push(`the card of ${name} keeps its buttons`);
	return {winner, time, breaches};
};

const places: Readonly<Record<string, string>> = {
	human: 'nswered at the terminal at ',
	console: 'nswered on the page at ',
	chat: 'nswered in the chat at ',
};

const goByCommand = async (colony: ScratchColony, {byCommand}: Prize): Promise<Answer> => {
	const {exitCode: code, stdout, stderr} = await colony.hive(byCommand);
	return {by: 'human', won: code === 0, code, said: `${stdout}${stderr}`};
};

const goOnPage = async ({onPage}: Prize): Promise<Answer> => {
	const answer = await onPage();
	return {by: 'console', won: answer.ok, code: answer.status, said: await answer.text()};
};
