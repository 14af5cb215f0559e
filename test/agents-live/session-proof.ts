import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {describeProcess, processesHolding} from '../chaos/machine.ts';
import {createScratchColony, linesOf, type ScratchColony} from '../chaos/scratch-colony.ts';
import {type EmulatedTerminal, openEmulatedTerminal} from '../helpers/answering-terminal.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';
import {differingParts, stateOf} from '../screen/state-of.ts';
import {answerTo, ends, firstWords, lastWords, secondWords} from './conversation.ts';
import {play} from './play.ts';
import {askedOf, type Proof} from './proof.ts';
import {type StandInModel, startStandInModel} from './stand-in-model.ts';
import {environmentOf, prepareHome, type Tool} from './tools.ts';

const size = {columns: 100, rows: 30};
const detachKey = '\x1d';
const traceId = 'talk';
const budget = 5;

type Listed = {readonly sessionId: string; readonly state: string; readonly attached: number};

/**
 * Talks with a tool through the built command: detaches while it streams, returns, ends it, and checks the
 * remains.
 */
export const proveSession = async (tool: Tool, installed: string, command: string): Promise<Proof> => {
	const model = await startStandInModel(answerTo);
	const place = {installed, model: model.url};
	const colony = await createScratchColony({
		command,
		settings: {defaults: {energy_budget: budget}},
		files: {'.hive/prompts/talk.md': '{{.Task}}'},
		bees: {
			talker: {
				...{adapter: 'alpha', prompt_template: 'talk.md', interactive_template: 'talk.md', script: ''},
				interactive_command: [...tool.argv({...place, home: '', workspace: ''}), '$PROMPT'],
			},
		},
	});
	const scene = {colony, model, terminals: [] as EmulatedTerminal[], faults: [] as string[]};
	const here = {...place, home: colony.home, workspace: colony.root};
	try {
		await prepareHome(tool, here);
		const facts = await talk(tool, scene, [process.execPath, command], {
			...environmentOf(tool, here),
			...colony.env,
		});
		const asked = askedOf(model);
		return {facts: [...asked.facts, ...facts], faults: [...scene.faults, ...asked.faults]};
	} finally {
		for (const terminal of scene.terminals) terminal.close();
		model.close();
		await colony.end();
		await colony.remove();
	}
};

type Scene = {
	readonly colony: ScratchColony;
	readonly model: StandInModel;
	readonly terminals: EmulatedTerminal[];
	readonly faults: string[];
};

const talk = async (
	tool: Tool,
	{colony, model, terminals, faults}: Scene,
	[node, command]: readonly [string, string],
	env: Readonly<Record<string, string>>,
): Promise<string[]> => {
	const run = (...args: string[]): EmulatedTerminal => {
		const terminal = openEmulatedTerminal([node, command, ...args], {size, env, cwd: colony.root});
		terminals.push(terminal);
		return terminal;
	};
	const must = (isSo: boolean, otherwise: string): void => {
		if (!isSo) faults.push(otherwise);
	};
	const sessions = async (): Promise<readonly Listed[]> =>
		(await colony.ask<{sessions: Listed[]}>(['session', 'list'])).sessions;
	const transcript = () => readTranscript(join(colony.root, '.hive/runs', traceId, sessionId));
	/** The text on the screen is in the transcript although the program keeps drawing. */
	const transcribed = async (words: string): Promise<void> => {
		const isThere = async () => (await transcript()).some(({content}) => content.includes(words));
		await comesTrue(isThere, () => `"${words}" in the transcript`);
	};

	let sessionId = '';
	let witness: EmulatedTerminal | undefined;
	const last = await play(
		tool,
		model,
		run('bee', 'chat', 'talker', firstWords, '--trace', traceId),
		async first => {
			[{sessionId}] = (await sessions()) as [Listed];
			witness = run('session', 'attach', sessionId, '--read-only');
			await witness.until(screen => screen.includes(ends[0]));
			await transcribed(ends[0]);
			first.type(detachKey);
			const {exitCode} = await first.ended;
			must(exitCode === 0, `leaving ended with ${exitCode}`);
			model.goOn();
			await witness.until(screen => screen.includes(ends[1]));
			const second = run('session', 'attach', sessionId);
			await second.until(screen => screen.includes(ends[1]));
			await sameAs(witness, second);
			await transcribed(ends[1]);
			return second;
		},
	);
	const {exitCode} = await last.ended;
	must(exitCode === 0, `the end of the program ended its command with ${exitCode}`);
	await witness?.ended;
	must((await sessions()).length === 0, 'the session is still listed');
	const entries = await transcript();
	const said = entries.map(({content}) => content).join('\n');
	for (const words of [...ends, secondWords, lastWords])
		must(said.includes(words), `the transcript lacks "${words}"`);
	const left = budget - (await honeyLeft(colony));
	must(left === 1, `${left} units of honey were spent`);
	await comesTrue(
		() => processesHolding(colony.folder).length === 0,
		() => `the end of ${processesHolding(colony.folder).map(describeProcess)}`,
	);
	return [
		`left and found again while it streamed, as a terminal that stayed shows it; ${left} honey, no session, no process left`,
		`${entries.length} lines of transcript: ${entries.map(describeEntry).join('; ')}`,
	];
};

/**
 * Two terminals show one program. Finally both show the same, although the last output may reach one of them
 * first.
 */
const sameAs = async (one: EmulatedTerminal, other: EmulatedTerminal): Promise<void> => {
	const parts = () => differingParts(stateOf(one.model, 0), stateOf(other.model, 0));
	await comesTrue(
		() => parts().length === 0,
		() => `the same ${parts().join(', ')}:\n${one.text()}\n---\n${other.text()}`,
	);
};

const comesTrue = async (check: () => boolean | Promise<boolean>, missing: () => string): Promise<void> => {
	const over = AbortSignal.timeout(timeoutMs);
	while (!(await check())) {
		if (over.aborted) throw new Error(`Timed out waiting for: ${missing()}`);
		await pass(50);
	}
};

const honeyLeft = async (colony: ScratchColony): Promise<number> => {
	const {traces} = await colony.ask<{traces: readonly {readonly energyRemaining: number}[]}>(['status']);
	return traces[0]?.energyRemaining ?? Number.NaN;
};

type Entry = {readonly at: string; readonly role: string; readonly content: string};

/** Returns the complete lines. */
const readTranscript = async (folder: string): Promise<readonly Entry[]> => {
	const content = await readFile(join(folder, 'transcript.ndjson'), 'utf8');
	return linesOf(content.slice(0, content.lastIndexOf('\n'))).map(line => JSON.parse(line));
};

const describeEntry = ({role, content}: Entry): string => {
	const rows = linesOf(content);
	return rows.length === 1
		? `${role} "${content.trim()}"`
		: `${role} ${rows.length} rows to "${rows.at(-1)?.trim()}"`;
};
