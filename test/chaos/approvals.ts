import {once} from 'node:events';
import {createRandom} from '../simulator/random.ts';
import {openChat} from './gateways.ts';
import {openConsole} from './open-console.ts';
import type {ScratchColony} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

type Answer = {readonly by: 'human' | 'console'; readonly won: boolean; readonly said: string};

/**
 * Lets a command, the page's API and a chat button race for each approval, with a process each. Exactly one
 * succeeds, and the card in the chat names it. The times run from the end of the losers to the change of the
 * card.
 */
export const playApprovals = async (command: string, seed: number, count: number): Promise<Shown> => {
	const random = createRandom(seed);
	const names = Array.from({length: count}, (_, index) => `trace-${index}`);
	const {colony, api} = await openChat(command, names);
	const shown = await showScene(colony, seed, async () => {
		const gateway = colony.start(['gate', 'chat']);
		gateway.stdout?.resume();
		gateway.stderr?.resume();
		const console = await openConsole(colony, '--no-reactor');
		const figures = {approvals: 0, terminal: 0, page: 0, chat: 0};
		const breaches: string[] = [];
		const times: number[] = [];
		for (const name of names) {
			const card = await api.message(`Review of ${name}\n`);
			api.press(card, 'Approve');
			await api.until(() => card.buttons.flat().find(({text}) => text.startsWith('Yes')));
			const asked = structuredClone(card);
			const racers: (() => Promise<Answer | undefined>)[] = [
				() => approveByCommand(colony, name),
				() => approveOnPage(console, name),
				async () => void api.press(asked, 'Yes: Approve'),
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
			times.push(performance.now() - ended);
			const done = (await colony.replay(name)).filter(({payload}) => payload.kind === 'task.completed');
			const winner = done[0]?.agentId ?? '';
			figures.approvals += 1;
			figures.terminal += Number(winner === 'human');
			figures.page += Number(winner === 'console');
			figures.chat += Number(winner === 'chat');
			if (done.length !== 1) breaches.push(`${name} was approved ${done.length} times`);
			for (const {by, won, said} of answers)
				if (won !== (by === winner)) breaches.push(`${by} was told "${said}" where ${winner} won ${name}`);
			if (!card.text.includes(places[winner] ?? 'nobody'))
				breaches.push(`the card says "${card.text.slice(-80)}" where ${winner} won ${name}`);
			if (card.buttons.length > 0) breaches.push(`the card of ${name} keeps its buttons`);
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

const places: Readonly<Record<string, string>> = {
	human: 'nswered at the terminal at ',
	console: 'nswered on the page at ',
	chat: 'nswered in the chat at ',
};

const approveByCommand = async (colony: ScratchColony, name: string): Promise<Answer> => {
	const {exitCode, stdout, stderr} = await colony.hive([
		'proposal',
		'approve',
		'--trace',
		name,
		'--task',
		'work',
	]);
	return {by: 'human', won: exitCode === 0, said: `${stdout}${stderr}`};
};

const approveOnPage = async (
	{approve}: Awaited<ReturnType<typeof openConsole>>,
	name: string,
): Promise<Answer> => {
	const answer = await approve(name, 'work');
	return {by: 'console', won: answer.ok, said: await answer.text()};
};
