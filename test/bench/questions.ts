import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {openChat} from '../chaos/gateways.ts';
import {processesHolding} from '../chaos/machine.ts';
import {openConsole} from '../chaos/open-console.ts';
import {linesOf, type ScratchColony} from '../chaos/scratch-colony.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';
import {monotonic} from './bare-spawns.ts';
import {median, quantile} from './median.ts';
import {privateMegabytes, residentMegabytes} from './process-figures.ts';
import type {Row} from './row.ts';

const rounds = 20;
const command = resolve('dist/hive.cjs');
const agent = resolve('test/bench/asking-agent.mjs');

/**
 * Rows 68 to 71 of docs/performance.md: from an agent's question to an open dashboard and to a chat, from the
 * answer on the page to the agent, and the memory of the server that asks.
 */
export const benchQuestions = async (): Promise<Row[]> => {
	const script = `exec node ${agent} "$HOME/notes" ${rounds}`;
	const {colony, api} = await openChat(command, [], {bees: {asker: {worktree: false, script}}});
	const children = [['run'], ['gate', 'chat']].map(args => {
		const child = colony.start(args);
		child.stdout?.resume();
		child.stderr?.resume();
		return child;
	});
	const console = await openConsole(colony, '--no-reactor');
	const terminal = openTerminal([process.execPath, command], {cwd: colony.root, env: colony.env});
	const times = {dashboard: [] as number[], chat: [] as number[], agent: [] as number[]};
	let memory = {resident: 0, own: 0};
	try {
		await terminal.until(screen => screen.includes('Traces'));
		// The tab of what waits for a person.
		terminal.type('3');
		await colony.ask(['task', 'create', '--bee', 'asker', '-b', 'Ask for colours', '--autorun']);
		for (let round = 0; round < rounds; round++) {
			const text = `Colour ${round}?`;
			const [onDashboard, inChat] = await Promise.all([
				terminal.until(screen => screen.includes(text)).then(monotonic),
				api.message(text).then(monotonic),
			]);
			const {questions} = await colony.ask<{questions: readonly {questionId: string}[]}>([
				'question',
				'list',
			]);
			memory = memoryOf(colony);
			const answeredAt = monotonic();
			await console.answer(questions[0]?.questionId ?? '', {body: 'Red'});
			const asked = await noted(colony, round, 'asked');
			times.dashboard.push(onDashboard - asked);
			times.chat.push(inChat - asked);
			times.agent.push((await noted(colony, round, 'answered')) - answeredAt);
		}
	} finally {
		terminal.close();
		for (const child of [...children, console.child]) {
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
		api.close();
		await colony.end();
		await colony.remove();
	}
	return [
		latency(68, 'an agent asks to the entry on an open dashboard, p95 (ms)', 200, times.dashboard),
		latency(69, 'an agent asks to the card in a chat (stand-in), p95 (ms)', 1000, times.chat),
		latency(70, 'an answer on the page to the agent, p95 (ms)', 200, times.agent),
		{
			...{row: 71, name: 'hive mcp while it waits (MB)', ratio: memory.resident, target: '<= 60 MB'},
			...{met: memory.resident <= 60, detail: `of them ${memory.own.toFixed(1)} MB its own`},
		},
	];
};

const latency = (row: number, name: string, most: number, times: readonly number[]): Row => {
	const p95 = quantile([...times], 0.95);
	const detail = `p50 ${median([...times]).toFixed(0)} ms, ${times.length} rounds`;
	return {row, name, ratio: p95, target: `<= ${most} ms`, met: p95 <= most, detail};
};

/** Resolves with the time of a note, once the agent has written it. */
const noted = async (colony: ScratchColony, round: number, what: string): Promise<number> => {
	for (;;) {
		const notes = colony.noted('notes').map(line => JSON.parse(line));
		const found = notes.find(note => note.round === round && note.what === what);
		if (found !== undefined) return found.at;
		await pause(5);
	}
};

const memoryOf = ({folder}: ScratchColony) => {
	const pid = processesHolding(folder).find(one =>
		linesOf(readFileSync(join('/proc', `${one}`, 'cmdline'), 'latin1').replaceAll('\0', '\n')).includes(
			'mcp',
		),
	);
	if (pid === undefined) throw new Error('The server of the run is not found.');
	return {resident: residentMegabytes(pid), own: privateMegabytes(pid)};
};
