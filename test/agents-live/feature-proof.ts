import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describeProcess, endHolding, processesHolding} from '../chaos/machine.ts';
import {createColonyOf, run} from './colony-of-tool.ts';
import {type Answer, emitting, type Reply, say} from './conversation.ts';
import type {Headless} from './headless.ts';
import {askedOf} from './proof.ts';
import {startStandInModel} from './stand-in-model.ts';
import type {Place} from './tools.ts';

/** The result of a feature through one tool. Each field is a column of the table. */
export type FeatureProof = {
	readonly tool: string;
	readonly merged: boolean;
	readonly verdict: boolean;
	/** True if the rework after a rejected gate resumed the builder's own session. */
	readonly resumed: boolean;
	/** The lines of the builder's log, and the tokens that its run reports. */
	readonly log: number;
	readonly tokens: number;
	readonly cost: string;
	readonly seconds: number;
	/** The warnings about its runs. */
	readonly facts?: readonly string[];
	readonly faults: readonly string[];
};

const trace = 't';

/**
 * Takes a feature from request to rework and merge through a real tool, as `hive init` sets it up and the
 * built command starts it.
 */
export const proveFeature = async (
	tool: Headless,
	{installed, home, command}: {installed: string; home: string; command: string},
): Promise<FeatureProof> => {
	const model = await startStandInModel(playing(tool));
	const place: Place = {installed, home, workspace: join(home, 'work'), model: model.url};
	const begun = performance.now();
	const faults: string[] = [];
	const expectThat = (isTrue: boolean, words: string): void => {
		if (!isTrue) faults.push(words);
	};
	try {
		const {env, hive, ask} = await createColonyOf(tool, place, command);
		await ask('cue', 'run', 'feature', 'Say hello', '--trace', trace);
		const worked = await hive('run', '--until-idle', '--timeout', '3m');
		expectThat(
			worked.exitCode === 8,
			`run --until-idle exited with ${worked.exitCode}: ${worked.stdout.slice(-600)}`,
		);
		const {tasks} = await ask<{tasks: Task[]}>('task', 'list', '--trace', trace);
		expectThat(
			tasks.some(task => task.taskId === 'greet' && task.status === 'completed'),
			`the tasks are ${tasks.map(task => `${task.taskId} ${task.status} "${task.summary}"`).join(', ')}`,
		);
		const {byRun} = await ask<{byRun: RunUsage[]}>('inspect', 'usage', '--trace', trace);
		expectThat(byRun.length === 3, `${byRun.length} of 3 runs report what they used`);
		const builder = byRun.find(({bee}) => bee === 'builder');
		const lines = (await hive('logs', builder?.agentId ?? '')).stdout.trimEnd().split('\n');
		for (const wanted of ['I greet.', 'The greeting is written.', '= done'])
			expectThat(
				lines.some(line => line.startsWith(wanted)),
				`its log does not say "${wanted}": ${lines.join(' | ')}`,
			);
		expectThat(
			lines.every(line => !line.startsWith('{')),
			'its log has records',
		);
		const log = await hive('replay', trace);
		const verdict = log.stdout.includes('verification.success');
		expectThat(verdict, 'the guard gave no verdict');
		// Without a proposal nothing can be rejected.
		if (!verdict) throw new Error(faults.join('\n'));
		const words = ['--task', '_review', '--feedback', 'Say it louder.'];
		const {reworkTaskId} = await ask<{reworkTaskId: string}>(
			'proposal',
			'reject',
			'--trace',
			trace,
			...words,
		);
		const reworked = await hive('run', '--until-idle', '--timeout', '3m');
		expectThat(
			reworked.exitCode === 8,
			`the rework exited with ${reworked.exitCode}: ${reworked.stdout.slice(-600)}`,
		);
		const {runs} = await ask<{runs: RunUsage[]}>('task', 'show', '--trace', trace, '--task', reworkTaskId);
		const rework = runs.find(({bee}) => bee === 'builder')?.agentId ?? '';
		const meta = await readFile(join(place.workspace, '.hive/runs', trace, rework, 'meta.json'), 'utf8');
		const resumed = JSON.parse(meta).resumes?.agentId === builder?.agentId;
		expectThat(resumed, `the rework began a new session: ${meta}`);
		const approved = await hive('proposal', 'approve', '--trace', trace, '--task', '_review');
		expectThat(approved.exitCode === 0, `the approval exited with ${approved.exitCode}: ${approved.stderr}`);
		const found = await run('git', ['show', 'HEAD:greeting.txt'], place.workspace, env);
		const merged = found.stdout.includes('HELLO');
		expectThat(merged, `greeting.txt is not merged as it was reworked: ${found.stdout}`);
		const {sheet} = await ask<{sheet: {outside: {bee: string; text: string}[]}}>(
			...(['proposal', 'show', '--trace', trace] as const),
		);
		for (const pid of processesHolding(home)) faults.push(`it left ${describeProcess(pid)}`);
		faults.push(...askedOf(model).faults);
		const {inputTokens = 0, outputTokens = 0, costUsd} = builder?.usage ?? {};
		return {
			...{tool: tool.name, merged, verdict, resumed, log: lines.length, tokens: inputTokens + outputTokens},
			...{cost: costUsd === undefined ? '-' : costUsd.toFixed(4), faults},
			facts: sheet.outside.map(({bee, text}) => `${bee}: ${text}`),
			seconds: Math.round((performance.now() - begun) / 1000),
		};
	} finally {
		endHolding(home);
		model.close();
	}
};

type Task = {readonly taskId: string; readonly status: string; readonly summary?: string};
type RunUsage = {
	readonly agentId: string;
	readonly bee: string;
	readonly usage: {readonly inputTokens?: number; readonly outputTokens?: number; readonly costUsd?: number};
};

/** The model's side of scout, builder and guard: one or two calls each, then a final text. */
const playing = (tool: Headless): Reply => {
	let next: Answer[] = [];
	return ({last, isResult, tools}) => {
		if (tools.length === 0) return say('Bees');
		const role = isResult ? undefined : /You are (?:the|a) (scout|builder|guard)/.exec(last)?.[1];
		const part = role === 'builder' && last.includes('louder') ? 'rework' : role;
		if (part !== undefined) next = [...(parts(tool)[part] ?? [])];
		return next.shift() ?? say('There is nothing left to do.');
	};
};

const parts = (tool: Headless): Readonly<Record<string, readonly Answer[]>> => ({
	scout: [
		say('I plan.', tool.run(emitting({type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [greet]}}))),
		say('One task is enough.'),
	],
	builder: [
		say('I greet.', tool.write('greeting.txt', 'Hello\n')),
		say('I look.', tool.run('cat greeting.txt')),
		say('The greeting is written.'),
	],
	rework: [say('I greet louder.', tool.run('echo HELLO >greeting.txt')), say('It is louder.')],
	guard: [say('I review.', tool.run(emitting(verdict))), say('It is good.')],
});

const greet = {taskId: 'greet', title: 'Greet', body: 'Write greeting.txt.', dependsOn: []};
const verdict = {
	type: 'VERIFICATION',
	payload: {kind: 'verification.success', taskId: 'greet', summary: 'Reads well.'},
};
