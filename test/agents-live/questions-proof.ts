import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describeProcess, endHolding, processesHolding} from '../chaos/machine.ts';
import {createColonyOf, type ToolColony} from './colony-of-tool.ts';
import {type Answer, type Reply, say} from './conversation.ts';
import type {Headless} from './headless.ts';
import {askedOf} from './proof.ts';
import {startStandInModel} from './stand-in-model.ts';
import type {Place} from './tools.ts';
import {
	playWaiting,
	proveWaiting,
	type Told,
	type WaitingProof,
	waitedForNothing,
} from './waiting-stories.ts';

/** The result of the stories of one tool. Each field is a column of the table. */
export type QuestionsProof = WaitingProof & {
	readonly tool: string;
	/** True if the task waits after its run asked a question. */
	readonly asked: boolean;
	/** True if the next prompt has the question and its answer, and the task is completed. */
	readonly answered: boolean;
	/** True if that run resumes the session of the tool. */
	readonly resumed: boolean;
	/** True if a task waits for a person after its run changed nothing. */
	readonly unchanged: boolean;
	/** True if a task that depends on the final gate ran after the merge, not before. */
	readonly deployed: boolean;
	readonly seconds: number;
	readonly faults: readonly string[];
};

/** The bodies of the tasks. Each is also the part of a story in the model. */
const bodies = {
	choose: 'Choose a format and write it down.',
	idle: 'Decide what is better.',
	build: 'Write the greeting.',
	deploy: 'Deploy the greeting.',
} as const;

const question = 'Which format do you want?';
const options = ['JSON', 'YAML'] as const;
const wordsAfterQuestion = 'I asked for the format and wait.';
const wordsWithoutChange = 'I need a decision: A or B? I did not change anything';

/** Lets a real tool ask, change nothing, and deploy behind a gate, in a colony as `hive init` sets it up. */
export const proveQuestions = async (
	tool: Headless,
	{installed, home, command}: {installed: string; home: string; command: string},
): Promise<QuestionsProof> => {
	const asked: Asked = {};
	const told: Told = {};
	const waiting = playWaiting(tool, told);
	const rest = playing(tool, asked);
	const model = await startStandInModel(request => waiting(request) ?? rest(request));
	const place: Place = {installed, home, workspace: join(home, 'work'), model: model.url};
	const begun = performance.now();
	const faults: string[] = [];
	const expectThat = (isTrue: boolean, words: string): boolean => {
		if (!isTrue) faults.push(words);
		return isTrue;
	};
	/** A failed story does not stop the other stories. */
	const failed =
		<Value>(otherwise: Value) =>
		(error: unknown): Value => {
			faults.push(String(error));
			return otherwise;
		};
	try {
		const stage: Stage = {...(await createColonyOf(tool, place, command)), place, asked, expectThat};
		const proof = {
			...(await proveAnswer(stage).catch(failed({asked: false, answered: false, resumed: false}))),
			unchanged: await proveNoChange(stage).catch(failed(false)),
			deployed: await proveDeployment(stage).catch(failed(false)),
			...(await proveWaiting(tool, {stage, place, command, told}).catch(failed(waitedForNothing))),
		};
		for (const pid of processesHolding(home)) faults.push(`it left ${describeProcess(pid)}`);
		faults.push(...askedOf(model).faults);
		const seconds = Math.round((performance.now() - begun) / 1000);
		return {tool: tool.name, ...proof, seconds, faults};
	} finally {
		endHolding(home);
		model.close();
	}
};

/** The request with the answer, as JSON: the whole of it, and the prompt alone. */
type Asked = {answer?: {readonly prompt: string; readonly whole: string}};

type Stage = ToolColony & {
	readonly place: Place;
	readonly asked: Asked;
	/** Returns the condition, and records a fault if it is false. */
	readonly expectThat: (isTrue: boolean, words: string) => boolean;
};

const proveAnswer = async (stage: Stage): Promise<Pick<QuestionsProof, 'asked' | 'answered' | 'resumed'>> => {
	const {ask, asked, expectThat, place} = stage;
	const on = of('format', 'choose');
	await ask('task', 'create', ...on, '--body', bodies.choose);
	await expectRun(stage, 8, 'with an open question');
	const waiting = await expectTask(stage, on, {status: 'waiting_review', waitsFor: 'question'});
	const {inbox} = await ask<{inbox: readonly Entry[]}>('status');
	const isShown = expectThat(
		inbox.some(({kind, sentence, options: offered}) => {
			return kind === 'question' && sentence.includes(question) && `${offered}` === `${options}`;
		}),
		`the inbox has no question with its options: ${JSON.stringify(inbox)}`,
	);
	await ask('task', 'retry', ...on, '--feedback', options[1]);
	await expectRun(stage, 8, 'with an open gate');
	const completed = await expectTask(stage, on, {status: 'completed', waitsFor: ''});
	const {prompt = '', whole = ''} = asked.answer ?? {};
	const isTold = expectThat(
		prompt.includes(`You asked: ${question}\nThe answer: ${options[1]}`),
		`the next prompt has no question with its answer: ${prompt}`,
	);
	const isSame = expectThat(
		whole.includes(wordsAfterQuestion),
		'what the tool said before was not sent again',
	);
	const [first = '', next = ''] = completed.runs
		.filter(({bee}) => bee === 'builder')
		.map(({agentId}) => agentId);
	const meta = await readFile(join(place.workspace, '.hive/runs/format', next, 'meta.json'), 'utf8');
	const resumed = expectThat(
		JSON.parse(meta).resumes?.agentId === first,
		`the run with the answer began a new session: ${meta}`,
	);
	await expectMerged(stage, 'format', 'format.txt', 'YAML\n');
	return {
		asked: waiting.isAsExpected && isShown,
		answered: completed.isAsExpected && isTold,
		resumed: resumed && isSame,
	};
};

const proveNoChange = async (stage: Stage): Promise<boolean> => {
	const {ask, expectThat} = stage;
	const on = of('idle', 'idle');
	await ask('task', 'create', ...on, '--body', bodies.idle);
	await expectRun(stage, 8, 'after a run that changed nothing');
	const waiting = await expectTask(stage, on, {status: 'waiting_review', waitsFor: 'no_change'});
	const isShown = expectThat(
		waiting.summary === `Changed nothing: ${wordsWithoutChange}`,
		`the task that changed nothing says "${waiting.summary}"`,
	);
	await ask('proposal', 'approve', ...on);
	const completed = await expectTask(stage, on, {status: 'completed', waitsFor: ''});
	const isOver = await expectOver(stage, 'idle');
	return waiting.isAsExpected && isShown && completed.isAsExpected && isOver;
};

const proveDeployment = async (stage: Stage): Promise<boolean> => {
	const {ask, place} = stage;
	const [trace, plan] = ['deploy', join(place.home, 'plan.json')];
	const tasks = [
		{taskId: 'build', title: 'Build', body: bodies.build},
		{taskId: 'gate', title: 'Merge', review: 'final', dependsOn: ['build']},
		{taskId: 'deploy', title: 'Deploy', body: bodies.deploy, dependsOn: ['gate']},
	];
	await writeFile(plan, JSON.stringify({tasks}));
	await ask('task', 'create', '--trace', trace, '--plan', plan);
	await expectRun(stage, 8, 'with an open gate');
	const on = of(trace, 'deploy');
	const before = await expectTask(stage, on, {status: 'planned', waitsFor: ''});
	const isWaiting = stage.expectThat(before.runs.length === 0, 'the deployment ran before the merge');
	await ask('proposal', 'approve', ...of(trace, 'gate'));
	await expectRun(stage, 8, 'with the gate of the deployment');
	const after = await expectTask(stage, on, {status: 'completed', waitsFor: ''});
	// The file contains what the task found on the base branch.
	const isMerged = await expectMerged(stage, trace, 'deployed.txt', 'Hello\n', '_review-2');
	return before.isAsExpected && isWaiting && after.isAsExpected && isMerged;
};

const of = (trace: string, task: string): readonly string[] => ['--trace', trace, '--task', task];

const expectRun = async ({hive, expectThat}: Stage, wanted: number, when: string): Promise<void> => {
	const {exitCode, stdout, stderr} = await hive('run', '--until-idle', '--timeout', '3m');
	expectThat(
		exitCode === wanted,
		`run --until-idle ${when} exited with ${exitCode}: ${(stderr + stdout).slice(-600)}`,
	);
};

type Task = {readonly status: string; readonly waitsFor: string; readonly summary: string};
type Entry = {readonly kind: string; readonly sentence: string; readonly options?: readonly string[]};
type Runs = {readonly runs: readonly {readonly agentId: string; readonly bee: string}[]};

const expectTask = async (
	{ask, expectThat}: Stage,
	on: readonly string[],
	wanted: Omit<Task, 'summary'>,
): Promise<Task & Runs & {readonly isAsExpected: boolean}> => {
	const {task, runs} = await ask<Runs & {task: Task}>('task', 'show', ...on);
	const {status, waitsFor, summary} = task;
	const isAsExpected = expectThat(
		status === wanted.status && waitsFor === wanted.waitsFor,
		`${on.join(' ')} is ${status} "${waitsFor}" and not ${wanted.status} "${wanted.waitsFor}": ${summary}`,
	);
	return {...task, runs, isAsExpected};
};

const expectMerged = async (
	stage: Stage,
	trace: string,
	file: string,
	wanted: string,
	gate = '_review',
): Promise<boolean> => {
	await stage.ask('proposal', 'approve', ...of(trace, gate));
	const found = await readFile(join(stage.place.workspace, file), 'utf8').catch(String);
	const isMerged = stage.expectThat(found === wanted, `${file} is not merged as it was made: ${found}`);
	return (await expectOver(stage, trace)) && isMerged;
};

const expectOver = async (stage: Stage, trace: string): Promise<boolean> => {
	await expectRun(stage, 0, `at the end of ${trace}`);
	const waited = await stage.hive('wait', '--trace', trace, '--for', 'completed', '--timeout', '1m');
	return stage.expectThat(
		waited.exitCode === 0,
		`wait --for completed exited with ${waited.exitCode}: ${waited.stderr || waited.stdout}`,
	);
};

/** The model's side: commands of a builder, then a final text; a guard passes. */
const playing = (tool: Headless, asked: Asked): Reply => {
	let next: readonly Answer[] = [];
	return ({last, isResult, tools, whole}) => {
		if (tools.length === 0) return say('Bees');
		const role = isResult ? undefined : /You are (?:the|a) (builder|guard)/.exec(last)?.[1];
		if (role === 'builder' && last.includes('You asked')) asked.answer = {prompt: last, whole};
		if (role === 'guard') next = judging(tool, last);
		if (role === 'builder') next = building(tool, last);
		const [answer = say('There is nothing left to do.'), ...rest] = next;
		next = rest;
		return answer;
	};
};

const judging = (tool: Headless, prompt: string): readonly Answer[] => [
	say('I review.', tool.run(exampleIn(prompt, 'verification.success').replace('…', 'Reads well.'))),
	say('It is good.'),
];

const building = (tool: Headless, prompt: string): readonly Answer[] => {
	const work = (command: string, words: string) => [say('I work.', tool.run(command)), say(words)];
	if (prompt.includes(bodies.idle)) return [say(wordsWithoutChange)];
	if (prompt.includes(bodies.build)) return work('echo Hello >greeting.txt', 'The greeting is written.');
	if (prompt.includes(bodies.deploy))
		return work('git show main:greeting.txt >deployed.txt', 'It is deployed.');
	return prompt.includes('You asked')
		? work('echo YAML >format.txt', 'The format is written down.')
		: work(asking(prompt), wordsAfterQuestion);
};

const asking = (prompt: string): string =>
	exampleIn(prompt, 'human.question')
		.replace('…', question)
		.replace('first answer', options[0])
		.replace('second answer', options[1]);

/** Returns the example command of the prompt for such an event, or a failing command. */
const exampleIn = (prompt: string, kind: string): string =>
	[...prompt.matchAll(/```sh\n(.*?)\n```/gs)]
		.map(([, command = '']) => command)
		.find(one => one.includes(kind)) ?? `echo 'The prompt has no example of ${kind}.'; false`;
