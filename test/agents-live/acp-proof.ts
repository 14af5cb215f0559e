import {readFileSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {commandLineOf, describeProcess, endHolding, processesHolding} from '../chaos/machine.ts';
import {createColonyOf, type Ran, type ToolColony} from './colony-of-tool.ts';
import {type Answer, type Reply, say} from './conversation.ts';
import {proveFeature} from './feature-proof.ts';
import type {Headless} from './headless.ts';
import {askedOf} from './proof.ts';
import {startStandInModel} from './stand-in-model.ts';
import type {Place} from './tools.ts';

/** The result of the stories of one agent. Each field is a column of the table. */
export type AcpProof = {
	readonly tool: string;
	/** True if a feature came from request to merge, and its rework resumed the session. */
	readonly merged: boolean;
	readonly resumed: boolean;
	/** True if a person was asked about a command, and it ran after they allowed it. */
	readonly granted: boolean | '-';
	/** True if it did not run after they denied it, and the agent was told their words. */
	readonly denied: boolean | '-';
	/** True if a killed agent failed its task with a reason, and left nothing. */
	readonly crashed: boolean;
	/** True if a prompt of 200,000 characters reached the model. */
	readonly large: boolean;
	/** Most memory that hive's client used, in MB. */
	readonly peakMb: number;
	readonly seconds: number;
	readonly facts?: readonly string[];
	readonly faults: readonly string[];
};

/** The bodies of the tasks. Each is also the part of a story in the model. */
const bodies = {
	grant: 'Publish the greeting.',
	deny: 'Publish the letter.',
	crash: 'Write for a long time.',
	large: 'Read all of this.',
} as const;
const words = 'Not on a Friday';
const lastOfMany = 'This is the end of many words.';

/** The builder of `hive init` is to ask about it. The remote is not there. */
const publishing = (file: string): string => `git push nowhere main; echo pushed >${file}`;

/** Lets a real agent work, ask, be killed and read, in a colony as `hive init --acp` sets it up. */
export const proveAcp = async (
	tool: Headless,
	where: {installed: string; home: string; command: string},
): Promise<AcpProof> => {
	const begun = performance.now();
	const {merged, resumed, faults: featureFaults, facts = []} = await proveFeature(tool, where);
	const home = join(where.home, 'stories');
	const heard: Heard = {large: false, denied: false};
	const model = await startStandInModel(playing(tool, heard));
	const place: Place = {installed: where.installed, home, workspace: join(home, 'work'), model: model.url};
	const faults: string[] = [...featureFaults];
	try {
		const colony = await createColonyOf(tool, place, where.command);
		const stage: Stage = {
			...{...colony, place, heard},
			expectThat: (isTrue, text) => {
				if (!isTrue) faults.push(text);
				return isTrue;
			},
		};
		const story = async <Value>(tell: (stage: Stage) => Promise<Value>, otherwise: Value): Promise<Value> => {
			try {
				return await tell(stage);
			} catch (error) {
				faults.push(String(error));
				return otherwise;
			}
		};
		await colony.change('.hive/bees/builder.yaml', text => asking(tool, text));
		const granted = tool.asks === 'never' ? '-' : await story(proveGrant, false);
		const denied = tool.asks === 'never' ? '-' : await story(proveDenial, false);
		await colony.change('.hive/bees/builder.yaml', text => text.replace('contain: off', 'contain: auto'));
		const {crashed, peakMb} = await story(proveCrash, {crashed: false, peakMb: 0});
		const large = await story(proveLarge, false);
		for (const pid of processesHolding(home)) faults.push(`it left ${describeProcess(pid)}`);
		faults.push(...askedOf(model).faults);
		const seconds = Math.round((performance.now() - begun) / 1000);
		return {
			...{tool: tool.name, merged, resumed, granted, denied, crashed, large, peakMb, seconds},
			...{facts, faults},
		};
	} finally {
		endHolding(where.home);
		model.close();
	}
};

/** What the model was asked. */
type Heard = {large: boolean; denied: boolean};

type Stage = ToolColony & {
	readonly place: Place;
	readonly heard: Heard;
	/** Returns the condition, and records a fault if it is false. */
	readonly expectThat: (isTrue: boolean, text: string) => boolean;
};

/** The builder asks about `git push`, also if `hive init` knows that its tool may not ask. */
const asking = ({asks}: Headless, text: string): string => {
	const ruled = text.includes('  ask:')
		? text
		: text.replace(/^ {2}allow: .*$/m, '$&\n  ask: [shell(git push *)]');
	return asks === 'uncontained' ? ruled.replace('contain: auto', 'contain: off') : ruled;
};

const runAll = ({hive}: Stage): Promise<Ran> => hive('run', '--until-idle', '--timeout', '2m');

const createTask = async ({ask, place}: Stage, name: keyof typeof bodies, body: string): Promise<void> => {
	const plan = join(place.home, `${name}.json`);
	await writeFile(plan, JSON.stringify({tasks: [{taskId: name, title: name, body}]}));
	await ask('task', 'create', '--trace', name, '--plan', plan);
};

/** Runs the task until it asks, and answers. Returns the branch's file, if the command wrote it. */
const answerTask = async (
	stage: Stage,
	name: 'deny' | 'grant',
	answer: readonly string[],
): Promise<{readonly isAsked: boolean; readonly hasFile: boolean}> => {
	const {ask, expectThat, place} = stage;
	await createTask(stage, name, bodies[name]);
	const first = await runAll(stage);
	const {questions} = await ask<{questions: readonly Question[]}>('question', 'list');
	const asked = questions.find(({act}) => act?.command?.includes('git push'));
	const isAsked = expectThat(
		asked !== undefined,
		`${name}: it asks ${JSON.stringify(questions)}; the run exited with ${first.exitCode}: ${first.stdout.slice(-300)}; ${await logsOf(stage, name)}`,
	);
	if (asked !== undefined) await ask('answer', asked.questionId, ...answer);
	const second = await runAll(stage);
	expectThat(second.exitCode === 8, `${name}: the run exited with ${second.exitCode}: ${second.stdout}`);
	const text = await readFile(join(place.workspace, '.hive/worktrees', name, `${name}.txt`), 'utf8').catch(
		() => '',
	);
	return {isAsked, hasFile: text.includes('pushed')};
};

const proveGrant = async (stage: Stage): Promise<boolean> => {
	const {isAsked, hasFile} = await answerTask(stage, 'grant', ['--option', '1']);
	return (
		stage.expectThat(hasFile, `grant: the command did not run: ${await logsOf(stage, 'grant')}`) && isAsked
	);
};

const proveDenial = async (stage: Stage): Promise<boolean> => {
	const {isAsked, hasFile} = await answerTask(stage, 'deny', ['--body', words]);
	const log = await logsOf(stage, 'deny');
	const isKept = stage.expectThat(!hasFile, `deny: the command ran: ${log}`);
	return (
		stage.expectThat(stage.heard.denied, `deny: the agent was not told "${words}": ${log}`) &&
		isKept &&
		isAsked
	);
};

const proveLarge = async (stage: Stage): Promise<boolean> => {
	const many = `\n${'Many words. '.repeat(17_000)}\n${lastOfMany}\n`;
	await stage.change('.hive/prompts/builder.md', text => `${text}${many}`);
	await createTask(stage, 'large', bodies.large);
	await runAll(stage);
	const log = await logsOf(stage, 'large');
	return stage.expectThat(
		stage.heard.large && log.includes('I have read all of it.'),
		`large: the model was ${stage.heard.large ? '' : 'not '}told: ${log}`,
	);
};

/** Kills the agent while its model speaks. */
const proveCrash = async (stage: Stage): Promise<{crashed: boolean; peakMb: number}> => {
	await createTask(stage, 'crash', bodies.crash);
	let isOver = false;
	const running = runAll(stage).finally(() => {
		isOver = true;
	});
	let peakMb = 0;
	while (!isOver && peakMb === 0) {
		await pause(200);
		const log = await logsOf(stage, 'crash');
		const client = log.includes('It begins') ? clientIn(stage.place.home) : undefined;
		if (client === undefined) continue;
		peakMb = peakOf(client);
		for (const agent of descendantsOf(client)) endProcess(agent);
	}
	const {exitCode} = await running;
	const {task} = await stage.ask<{task: {status: string; summary: string}}>(
		...(['task', 'show', '--trace', 'crash', '--task', 'crash'] as const),
	);
	const left = processesHolding(stage.place.home).map(describeProcess);
	const crashed = stage.expectThat(
		exitCode !== 0 && task.status === 'failed' && /gone before it was done/.test(task.summary),
		`crash: the run exited with ${exitCode}, the task is ${task.status}: ${task.summary}; ${await logsOf(stage, 'crash')}`,
	);
	return {
		crashed: stage.expectThat(left.length === 0, `crash: it left ${left.join(', ')}`) && crashed,
		peakMb,
	};
};

type Question = {readonly questionId: string; readonly act?: {readonly command?: string}};

const logsOf = async ({ask, hive}: Stage, name: string): Promise<string> => {
	const {runs} = await ask<{runs: readonly {agentId: string; bee: string}[]}>(
		...(['task', 'show', '--trace', name, '--task', name] as const),
	);
	const last = runs.filter(({bee}) => bee === 'builder').at(-1)?.agentId;
	return last === undefined ? 'no run' : (await hive('logs', last)).stdout.slice(-900);
};

/** The process of hive's client, whose first child is the agent. */
const clientIn = (home: string): number | undefined =>
	processesHolding(home).find(pid => {
		const line = commandLineOf(`${pid}`);
		return /node$/.test(line[0] ?? '') && line[2] === 'acp' && childrenOf(pid).length > 0;
	});

const childrenOf = (pid: number): readonly number[] => {
	try {
		return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
	} catch {
		return [];
	}
};

/** The deepest first. Some agents start themselves again. */
const descendantsOf = (pid: number): readonly number[] =>
	childrenOf(pid).flatMap(child => [...descendantsOf(child), child]);

const endProcess = (pid: number): void => {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It ended with another one.
	}
};

/** Most memory of a process so far, in MB. */
const peakOf = (pid: number): number => {
	const [, kb = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
	return Math.round(Number(kb) / 1024);
};

/** The model's side of the builder; a guard passes. */
const playing = (tool: Headless, heard: Heard): Reply => {
	let next: readonly Answer[] = [];
	return ({last, isResult, tools, whole}) => {
		if (tools.length === 0) return say('Bees');
		if (whole.includes(lastOfMany)) heard.large = true;
		if (whole.includes(words)) heard.denied = true;
		const role = isResult ? undefined : /You are (?:the|a) (builder|guard)/.exec(last)?.[1];
		if (role === 'builder') next = building(tool, last);
		const [answer = say('There is nothing left to do.'), ...rest] = next;
		next = rest;
		return answer;
	};
};

const building = (tool: Headless, prompt: string): readonly Answer[] => {
	const publish = tool.askingRun ?? tool.run;
	if (prompt.includes(bodies.grant))
		return [say('I publish.', publish(publishing('grant.txt'))), say('It is published.')];
	if (prompt.includes(bodies.deny))
		return [say('I publish.', publish(publishing('deny.txt'))), say('It is not published.')];
	if (prompt.includes(bodies.crash)) return [{parts: ['It begins and goes on.\n\n', 'This is never said.']}];
	return [say('I read.', tool.run('echo read >read.txt')), say('I have read all of it.')];
};
