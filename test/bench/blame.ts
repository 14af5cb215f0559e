import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ActionContext} from '../../source/actions/context.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import type {Payload} from '../../source/domain/event.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {explainLines} from '../../source/host/blame/blame.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const lineCount = 1000;
const commitCount = 800;
/** Each so many commits is the merge of a trace with one run; the others are by people. */
const traceEvery = 20;
const rounds = 7;

/** Row 76 of docs/performance.md: `hive blame` without its start, over `git blame` for the same lines. */
export const benchBlame = async (): Promise<Row[]> => {
	const root = await mkdtemp(join(tmpdir(), 'hive-blame-'));
	try {
		return [await measure(root)];
	} finally {
		await rm(root, {recursive: true});
	}
};

const git = createGit();

const measure = async (root: string): Promise<Row> => {
	const context = await createHistory(root);
	const bare = () => git.run(['blame', '--porcelain', 'file.txt'], {cwd: root});
	const explained = async () => expectAccepted(await explainLines(context, {path: 'file.txt'}));
	const ofTraces = new Set((await explained()).map(({traceId}) => traceId)).size;
	if (ofTraces < commitCount / traceEvery / 2) throw new Error(`Only ${ofTraces} traces are known.`);
	await bare();
	const times: {hive: number; git: number}[] = [];
	for (let round = 0; round < rounds; round++)
		times.push({hive: await timed(explained), git: await timed(bare)});
	const [hive, alone] = [median(times.map(one => one.hive)), median(times.map(one => one.git))];
	return {
		...{row: 76, name: `${lineCount} lines explained / git blame`, ratio: hive / alone},
		...{target: '<= 1.5', met: hive / alone <= 1.5},
		detail: `${hive.toFixed(0)} against ${alone.toFixed(0)} ms, ${ofTraces} traces, ${rounds} rounds`,
	};
};

const timed = async (run: () => Promise<unknown>): Promise<number> => {
	const begin = performance.now();
	await run();
	return performance.now() - begin;
};

/** A file whose lines come from many commits, of which some are merges of traces. */
const createHistory = async (root: string): Promise<ActionContext> => {
	const lines = Array.from({length: lineCount}, (_, at) => `line ${at} of the first commit`);
	const text = () => lines.map(line => `${line}\n`).join('');
	await git.run(['init', '--quiet', '--initial-branch=main'], {cwd: root});
	const stream: string[] = [];
	for (let commit = 1; commit <= commitCount; commit++) {
		for (let change = 0; change < 5; change++)
			lines[(commit * 7919 + change * 997) % lineCount] = `line ${change} of commit ${commit}`;
		const message = commit % traceEvery === 0 ? `Merge\n\nHive-Trace: t-${commit}\n` : `Change ${commit}\n`;
		stream.push(
			`commit refs/heads/main\nmark :${commit}\ncommitter Ada <ada@example.com> ${1_700_000_000 + commit} +0000\n`,
			`data ${Buffer.byteLength(message)}\n${message}\n`,
			commit === 1 ? '' : `from :${commit - 1}\n`,
			`M 100644 inline file.txt\ndata ${Buffer.byteLength(text())}\n${text()}\n`,
		);
	}
	await git.run(['fast-import', '--quiet'], {cwd: root, input: stream.join('')});
	await git.run(['reset', '--hard', '--quiet', 'main'], {cwd: root});
	await git.run(['gc', '--quiet'], {cwd: root});
	const listed = await git.run(['log', '--reverse', '--format=%H %T', 'main'], {cwd: root});
	const commits = listed.trim().split('\n').slice(-commitCount);
	const bus = createMemoryBus({clock: createSystemClock()});
	for (let commit = traceEvery; commit <= commitCount; commit += traceEvery) {
		const [id = '', after = ''] = commits[commit - 1]?.split(' ') ?? [];
		const [, before = ''] = commits[commit - 2]?.split(' ') ?? [];
		const traceId = `t-${commit}`;
		const tasks = [{taskId: 'gate', title: 'Gate', review: 'final', dependsOn: []}];
		const run = {agentId: `run-${commit}`, bee: 'builder'};
		const claim = {...run, trigger: 1, place: 'here', workspace: 'isolated', amount: 1};
		const end = {...run, status: 'completed', exitCode: 0, summary: '', trees: {before, after}};
		const landed = {taskId: 'gate', status: 'completed', summary: '', commit: id};
		const payloads: readonly Payload[] = [
			{kind: 'task.plan', tasks},
			{kind: 'energy.consume', reason: 'task.dispatch', ...claim},
			{kind: 'run.finished', ...end},
			{kind: 'task.status', taskId: 'gate', status: 'waiting_review', summary: ''},
			{kind: 'merge.started', taskId: 'gate', tree: after, by: 'human'},
			{kind: 'task.completed', ...landed},
		];
		for (const [index, payload] of payloads.entries())
			await bus.append(
				{traceId, agentId: index > 3 ? 'human' : 'runtime', type: 'SIGNAL', payload, energyBudget: 10},
				{id: `${traceId}/${index}`},
			);
	}
	const files = {read: async () => undefined};
	return {git, bus, colony: {root}, files, checkout: 'here'} as unknown as ActionContext;
};
