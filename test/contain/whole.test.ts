import {existsSync} from 'node:fs';
import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {processesHolding} from '../chaos/machine.ts';
import {type ColonyOnDisk, createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {createSessionScene, talkerArgv, talkerProgram, typeAndWait} from '../helpers/talk.ts';
import {canContain} from './namespaces.ts';

const traceId = 't';

/** Shell that tries to leave its name in the home, and notes in a file of its worktree what came of it. */
const trying = (name: string, note: string) =>
	`if (echo x >"$HOME/${name}") 2>/dev/null; then echo out >${note}; else echo kept >${note}; fi`;

const planted = ({home}: ColonyOnDisk, ...names: readonly string[]) =>
	names.filter(name => existsSync(join(home, name)));

const inWorktree = ({root}: ColonyOnDisk, file: string) =>
	readFile(join(root, '.hive/worktrees', traceId, file), 'utf8');

const taskOf = async (colony: ColonyOnDisk) => {
	const {task, evidence} = await colony.ask<{
		task: {status: string; summary: string};
		evidence: {passed: boolean; output: string} | null;
	}>(['task', 'show', '--trace', traceId, '--task', 'a']);
	return {task, evidence};
};

const start = async (colony: ColonyOnDisk): Promise<void> => {
	const input = JSON.stringify({tasks: [{taskId: 'a', title: 'Do it'}]});
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input});
	await colony.hive(['run', '--until-idle']);
};

describe.skipIf(!canContain.can)('a contained bee', () => {
	it('has its setup, its run, its check and its post_exec contained alike', async () => {
		const colony = await createColony({
			settings: {
				workspaces: {setup: [['sh', '-c', trying('by-setup', 'setup')]]},
				verify: {
					commands: [['sh', '-c', '! echo x >"$HOME/by-check" && grep kept setup run && echo checked']],
					required: true,
				},
			},
			bees: {
				builder: {
					...{worktree: true, publishes: publishesIsolated, contain: 'required'},
					script: trying('by-run', 'run'),
					post_exec: ['sh', '-c', trying('by-hook', 'hook')],
				},
			},
		});
		await start(colony);
		expect(planted(colony, 'by-setup', 'by-run', 'by-check', 'by-hook')).toEqual([]);
		expect(await Promise.all(['setup', 'run', 'hook'].map(file => inWorktree(colony, file)))).toEqual(
			['kept', 'kept', 'kept'].map(text => `${text}\n`),
		);
		const {task, evidence} = await taskOf(colony);
		expect([task.status, evidence]).toMatchObject([
			'completed',
			{passed: true, output: expect.stringContaining('checked')},
		]);
		await colony.ask(['proposal', 'approve', '--trace', traceId, '--task', '_review']);
		expect(await readFile(join(colony.root, 'run'), 'utf8')).toBe('kept\n');
	});

	it('leaves nothing in the caches of its trace that reaches the kept setup of later traces', async () => {
		const setup = 'mkdir made; cat "$HOME/.cache/x" >made/x 2>/dev/null || echo clean >made/x';
		const contained = {contain: 'required'};
		const colony = await createColony({
			settings: {workspaces: {setup: [['sh', '-c', setup]], cache: [{key: ['lock'], paths: ['made']}]}},
			files: {lock: '', '.gitignore': 'made\n'},
			bees: {
				scout: {...contained, worktree: false, script: 'echo evil >"$HOME/.cache/x"; cat "$HOME/.cache/x"'},
				builder: {...contained, worktree: true, publishes: publishesIsolated, script: 'cat made/x >seen'},
			},
		});
		await mkdir(join(colony.home, '.cache'), {recursive: true});
		const tasks = [
			{taskId: 'look', title: 'Look', bee: 'scout'},
			{taskId: 'a', title: 'Do it', dependsOn: ['look']},
		];
		await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: JSON.stringify({tasks})});
		await colony.hive(['run', '--until-idle']);
		const look = await colony.ask(['task', 'show', '--trace', traceId, '--task', 'look']);
		expect(look).toMatchObject({task: {status: 'completed', summary: 'evil'}});
		expect(await inWorktree(colony, 'seen')).toBe('clean\n');
	});

	it('fails its check inside as outside, and says so with the command', async () => {
		const colony = await createColony({
			settings: {verify: {commands: [['sh', '-c', 'echo it is bad; exit 3']], required: true}},
			bees: {
				builder: {
					...{worktree: true, publishes: publishesIsolated, contain: 'required'},
					script: 'echo x >made',
				},
			},
		});
		await start(colony);
		const {task, evidence} = await taskOf(colony);
		expect([task.status, evidence]).toMatchObject([
			'waiting_review',
			{passed: false, output: expect.stringContaining('it is bad')},
		]);
		expect(task.summary).toContain('sh -c echo it is bad; exit 3 (exit 3)');
	});

	it('emits events, asks a question, and has the answer in its next run', async () => {
		const ask = JSON.stringify({type: 'SIGNAL', payload: {kind: 'human.question', text: 'Which?'}});
		const note = JSON.stringify({type: 'INSIGHT', payload: {kind: 'context.note', summary: 'From inside'}});
		const colony = await createColony({
			bees: {
				builder: {
					...{worktree: true, contain: 'required', prompt_template: 'builder.md'},
					publishes: [...publishesIsolated, {type: 'INSIGHT', kind: 'context.note'}],
					script: `if grep -q "The blue one" "$HIVE_PROMPT_FILE"; then echo blue >made; else echo '${note}' | "$HIVE" event emit --stdin; echo '${ask}' | "$HIVE" event emit --stdin; fi`,
				},
			},
			files: {'.hive/prompts/builder.md': '{{.Task}}\n{{.Feedback}}\n'},
		});
		await start(colony);
		const {questions} = await colony.ask<{questions: {questionId: string; text: string}[]}>([
			'question',
			'list',
		]);
		expect(questions).toMatchObject([{text: 'Which?'}]);
		expect(JSON.stringify(await colony.replay(traceId))).toContain('From inside');
		await colony.ask(['answer', questions[0]?.questionId ?? '', '--body', 'The blue one']);
		await colony.hive(['run', '--until-idle']);
		expect((await taskOf(colony)).task.status).toBe('completed');
		expect(await inWorktree(colony, 'made')).toBe('blue\n');
	});

	it('is stopped with its whole tree', async () => {
		const colony = await createColony({
			bees: {
				builder: {
					...{worktree: true, contain: 'required'},
					script: 'trap "" TERM; (trap "" TERM; sleep 1000) & echo up >started; wait',
				},
			},
		});
		const input = JSON.stringify({tasks: [{taskId: 'a', title: 'Do it'}]});
		await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input});
		const reactor = colony.follow(['run']);
		const {payload} = await reactor.event({kind: 'energy.consume'});
		const agentId = String(payload.agentId);
		const worktree = join(colony.root, '.hive/worktrees', traceId);
		await expect.poll(() => existsSync(join(worktree, 'started'))).toBe(true);
		expect(processesHolding(worktree).length).toBeGreaterThan(1);
		await colony.ask(['kill', '--trace', traceId, '--reason', 'enough']);
		expect((await reactor.event({kind: 'run.finished', agentId})).payload).toMatchObject({
			status: 'cancelled',
		});
		expect(processesHolding(worktree)).toEqual([]);
		await reactor.kill('SIGTERM');
	});

	it('is contained in a session, whose terminal works as usual', async () => {
		const colony = await createSessionScene({
			bees: {
				talker: {
					...talkerProgram,
					contain: 'required',
					interactive_command: [
						'sh',
						'-c',
						`${trying('by-session', '"$OUT"')}; exec "$@"`,
						'sh',
						...talkerArgv,
					],
				},
			},
		});
		const {terminal} = await colony.chat();
		expect(await typeAndWait(terminal, 'say hello', 'heard hello')).toContain('heard hello');
		expect(planted(colony, 'by-session')).toEqual([]);
		terminal.resize(90, 20);
		await terminal.until(screen => screen.includes('now 20 90'));
	});
});
