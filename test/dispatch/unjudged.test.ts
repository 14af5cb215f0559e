import {describe, expect, test} from 'vitest';
import {createDispatcher} from '../../source/dispatch/dispatcher.ts';
import {claimOf, createEvent} from '../helpers/events.ts';
import {createRig, publishesIsolated, type Rig, scripted, traceId} from './rig.ts';

/** Returns a bee whose nth run executes the nth script. The run number is in a file of the git folder. */
const builder = (...scripts: readonly string[]) => {
	const cases = scripts.map((script, index) => `${index + 1}) ${script};;`).join(' ');
	const count = 'n=$(git rev-parse --git-path runs); echo x >>"$n"; ';
	return scripted(`${count} case $(wc -l <"$n" | tr -d ' ') in ${cases} esac`, {
		worktree: true,
		publishes: publishesIsolated,
	});
};

const other = (script: string) => scripted(script, {worktree: true, publishes: publishesIsolated});

/** Paths of each proposal of the task, in order. */
const proposals = async (rig: Rig, taskId = 'one'): Promise<string[][]> =>
	(await rig.events('code.proposal.isolated'))
		.filter(({payload}) => payload.taskId === taskId)
		.map(({payload}) =>
			[...`${payload.diff}`.matchAll(/^diff --git a\/(\S+) b\/\S+$/gm)].map(([, path = '']) => path).sort(),
		);

const isOver = (taskId: string) =>
	createEvent(
		'VERIFICATION',
		{kind: 'task.completed', taskId, status: 'completed', summary: 'done'},
		{agentId: 'runtime'},
	);

describe('the changes of a failed run', () => {
	test('are proposed by the next run, though that one changes nothing', async () => {
		const rig = await createRig({bees: {builder: builder('echo a >a.txt; exit 1', 'true')}});
		expect((await rig.run('builder')).run).toMatchObject({status: 'failed', trees: expect.anything()});
		expect(await proposals(rig)).toEqual([]);
		expect((await rig.run('builder')).run.status).toBe('completed');
		expect(await proposals(rig)).toEqual([['a.txt']]);
	});

	test('are proposed with those of later runs, and without changes of other tasks in between', async () => {
		const rig = await createRig({
			bees: {
				builder: builder(
					'echo a >a.txt; sed -i s/1/one/ lines.txt; exit 1',
					'echo b >b.txt; exit 1',
					'echo c >c.txt',
				),
				other: other('echo o >o.txt; sed -i s/9/nine/ lines.txt'),
			},
			files: {'lines.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n'},
		});
		await rig.run('builder');
		await rig.run('other', 'two');
		await rig.say(isOver('two'));
		await rig.run('builder');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([['a.txt', 'b.txt', 'c.txt', 'lines.txt']]);
		const [{payload} = {payload: {diff: ''}}] = (await rig.events('code.proposal.isolated')).slice(-1);
		expect(payload.diff).toContain('+one');
		expect(payload.diff).not.toContain('+nine');
	});

	test('are proposed completely where other tasks changed the same lines', async () => {
		const rig = await createRig({
			bees: {
				builder: builder('echo mine >file.txt; mkdir d; echo d >d/x; exit 1', 'true'),
				other: other('echo theirs >file.txt; rm -r d; echo now-a-file >d'),
			},
			files: {'file.txt': 'old\n'},
		});
		await rig.run('builder');
		await rig.run('other', 'two');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([['file.txt']]);
		const proposed = (await rig.events('code.proposal.isolated')).at(-1);
		expect(proposed?.payload.diff).toContain('-old\n+theirs');
	});

	test.each([
		['directory', 'rm -r "$HIVE_RUN_DIR"'],
		['record of the tree before it', 'rm "$HIVE_RUN_DIR/before"; exit 1'],
	])('are proposed by the next run, though the %s is gone', async (_, remove) => {
		const rig = await createRig({
			bees: {builder: builder(`echo a >a.txt; ${remove}`, 'true'), other: other('echo o >o.txt')},
		});
		await rig.run('other', 'two');
		const agentId = await rig.begin('builder');
		await rig.ended(agentId);
		await rig.dispatcher.collect(...(await rig.runOf(agentId)));
		expect((await rig.runOf(agentId))[1].status).toBe('failed');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([['a.txt']]);
	});

	test('are proposed by the next run, though its bee is gone and an older hive began it', async () => {
		const rig = await createRig({bees: {builder: builder('echo a >a.txt', 'true')}});
		const agentId = await rig.begin('builder');
		await rig.ended(agentId);
		const launched = rig.bus.bucket('launched');
		const note = await launched.get(agentId);
		await launched.update(agentId, '1 here', note?.revision ?? 0);
		const withoutBees = {...rig.ports.colony(), bees: new Map()};
		const {collect} = createDispatcher({...rig.ports, colony: () => withoutBees});
		await collect(...(await rig.runOf(agentId)));
		expect((await rig.runOf(agentId))[1].status).toBe('failed');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([['a.txt']]);
	});

	test('are proposed where another task has moved the file', async () => {
		const rig = await createRig({
			bees: {builder: builder('echo a >made.txt; exit 1', 'true'), other: other('mv made.txt moved.txt')},
		});
		await rig.run('builder');
		await rig.run('other', 'two');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([['moved.txt']]);
	});

	test('are proposed though git has pruned the tree from before the run', async () => {
		const rig = await createRig({bees: {builder: builder('echo a >a.txt; exit 1', 'true')}});
		const {agentId} = await rig.run('builder');
		const second = await rig.begin('builder');
		await rig.ended(second);
		const [trace, run] = await rig.runOf(second);
		const runs = trace.runs.copy();
		const first = runs.get(agentId);
		if (first?.trees !== undefined)
			runs.put(agentId, {...first, trees: {...first.trees, before: 'a'.repeat(40)}});
		await rig.dispatcher.collect({...trace, runs}, run);
		expect(await proposals(rig)).toEqual([['a.txt']]);
	});

	test('are not proposed when a person reverted them', async () => {
		const rig = await createRig({
			bees: {builder: builder('echo a >a.txt; exit 1', 'true'), other: other('rm a.txt')},
		});
		await rig.run('builder');
		await rig.run('other', 'two');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([]);
	});
});

test('the changes of a stopped run are proposed by the next run', async () => {
	const first = 'echo a >a.txt; echo x >"$HIVE_RUN_DIR/written"; exec sleep 600';
	const rig = await createRig({bees: {builder: builder(first, 'echo b >b.txt')}});
	const agentId = await rig.begin('builder');
	await rig.appears(agentId, 'written');
	await rig.dispatcher.stop(...(await rig.runOf(agentId)), 'replaced by a retry');
	expect((await rig.collect(agentId)).run.status).toBe('cancelled');
	await rig.run('builder');
	expect(await proposals(rig)).toEqual([['a.txt', 'b.txt']]);
});

describe('changes that were judged', () => {
	const judgedRig = async () => {
		const rig = await createRig({
			bees: {builder: builder('echo a >a.txt', 'echo b >b.txt; exit 1', 'echo c >c.txt')},
		});
		await rig.run('builder');
		return rig;
	};

	test('by a guard are in no later proposal', async () => {
		const rig = await judgedRig();
		const verdict = {kind: 'verification.failed', taskId: 'one', summary: 'no'};
		await rig.say(createEvent('VERIFICATION', verdict, {agentId: 'human'}));
		await rig.say(createEvent('SIGNAL', {kind: 'task.status', taskId: 'one', status: 'waiting_review'}));
		await rig.say(createEvent('SIGNAL', {kind: 'task.status', taskId: 'one', status: 'ready'}));
		await rig.run('builder');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([['a.txt'], ['b.txt', 'c.txt']]);
	});

	test('only by a person are in the next proposal, which the guard has not seen', async () => {
		const rig = await judgedRig();
		await rig.say(createEvent('SIGNAL', {kind: 'task.status', taskId: 'one', status: 'waiting_review'}));
		await rig.say(createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'one', message: 'more'}));
		await rig.run('builder');
		await rig.run('builder');
		expect(await proposals(rig)).toEqual([['a.txt'], ['a.txt', 'b.txt', 'c.txt']]);
	});

	test('are in the next proposal when only an agent had proposed them', async () => {
		const rig = await createRig({bees: {builder: builder('echo a >a.txt; exit 1', 'echo b >b.txt')}});
		const {agentId} = await rig.run('builder');
		const claimed = {
			kind: 'code.proposal.isolated',
			taskId: 'one',
			tree: 'f'.repeat(40),
			summary: 'all of it',
		};
		await rig.say(createEvent('MUTATION', claimed, {agentId}));
		await rig.say(
			createEvent('VERIFICATION', {kind: 'verification.success', taskId: 'one', summary: 'fine'}),
		);
		await rig.run('builder');
		expect((await proposals(rig)).at(-1)).toEqual(['a.txt', 'b.txt']);
	});
});

test('a run whose trees git no longer has is left out of the proposal, and named', async () => {
	const rig = await createRig({bees: {builder: builder('true', 'echo b >b.txt')}});
	const {agentId} = await rig.run('builder');
	const [trace, run] = await rig.runOf(agentId);
	const lost = {before: 'a'.repeat(40), after: 'b'.repeat(40)};
	const runs = trace.runs.copy();
	runs.put(agentId, {...run, trees: lost});
	await rig.say(createEvent('SIGNAL', {kind: 'task.status', taskId: 'one', status: 'failed', agentId}));
	const next = await rig.begin('builder');
	await rig.ended(next);
	const [now, second] = await rig.runOf(next);
	const rosters = now.runs.copy();
	rosters.put(agentId, {...run, trees: lost});
	await rig.dispatcher.collect({...now, runs: rosters}, second);
	expect(await proposals(rig)).toEqual([['b.txt']]);
	expect((await rig.look(next)).status.warnings).toEqual([
		`The changes of run ${agentId} are no longer kept, so they are not in the proposal.`,
	]);
});

test('a direct run works in the workspace of the proposal, whatever its bee says of worktrees', async () => {
	const rig = await createRig({
		bees: {
			builder: other('echo x >x.txt'),
			guard: scripted('pwd'),
			mason: scripted('pwd', {worktree: true}),
		},
	});
	await rig.run('builder');
	const worktree = `${rig.root}/.hive/worktrees/${traceId}`;
	const direct = async (bee: string, workspace: string, agentId: string) => {
		await rig.say(claimOf(agentId, 'one', {bee, trigger: 5, workspace}));
		await rig.dispatcher.begin(...(await rig.runOf(agentId)));
		await rig.ended(agentId);
		return (await rig.collect(agentId)).run.summary;
	};
	expect(await direct('guard', 'isolated', 'aaaa')).toBe(worktree);
	expect(await direct('mason', 'root', 'bbbb')).toBe(rig.root);
});
