import {describe, expect, test} from 'vitest';
import {createRig, publishesIsolated, type Rig, scripted, traceId} from './rig.ts';

const builder = (script: string, more: object = {}) =>
	scripted(script, {worktree: true, publishes: publishesIsolated, ...more});

const rootBuilder = (script: string) =>
	scripted(script, {publishes: [{type: 'MUTATION', kind: 'code.proposal.root'}]});

const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index}\n`).join('');

test('a proposal holds exactly the new, changed, deleted, renamed and committed files of its run', async () => {
	const rig = await createRig({
		bees: {
			maker: rootBuilder(`
				echo new >new.txt; echo more >>changed.txt; rm gone.txt; git mv old.txt renamed.txt
				echo mine >>dirty-and-changed.txt
				echo committed >committed.txt; git add committed.txt; git commit -qm "By the agent"
				echo Done`),
		},
		files: {
			'changed.txt': 'a\n',
			'gone.txt': 'a\n',
			'old.txt': lines(20),
			'dirty.txt': 'a\n',
			'dirty-and-changed.txt': 'a\n',
		},
	});
	const {repository} = rig;
	const head = await repository.git(['rev-parse', 'HEAD']);
	await repository.write('dirty.txt', 'by the user\n');
	await repository.write('dirty-and-changed.txt', 'by the user\n');
	await repository.write('untracked.txt', 'by the user\n');
	const {agentId, result} = await rig.run('maker');
	const [event] = await rig.events('code.proposal.root');
	expect(event).toMatchObject({
		agentId,
		payload: {taskId: 'one', workspace: 'root', baseSha: head, summary: 'Done', files: 6},
	});
	const diff = `${event?.payload.diff}`;
	const named = [...diff.matchAll(/^diff --git a\/(\S+) b\/(\S+)$/gm)].map(([, from, to]) => `${from} ${to}`);
	expect(named.sort()).toEqual([
		'changed.txt changed.txt',
		'committed.txt committed.txt',
		'dirty-and-changed.txt dirty-and-changed.txt',
		'gone.txt gone.txt',
		'new.txt new.txt',
		'old.txt renamed.txt',
	]);
	expect(diff).toContain(' by the user\n+mine\n');
	expect(diff).not.toContain('+by the user');
	expect(event?.payload).not.toHaveProperty('worktreePath');
	expect(await rig.text(agentId, 'changes.diff')).toBe(diff);
	expect(result.artifacts[0]).toEqual({kind: 'diff', path: 'changes.diff'});
});

test('an isolated proposal names its worktree and its sector', async () => {
	const rig = await createRig({
		bees: {maker: builder('echo x >x.txt', {sector: 'web'})},
		settings: {sectors: {web: {path: 'packages/web'}}},
		files: {'packages/web/readme.md': 'x\n'},
	});
	await rig.run('maker');
	const [event] = await rig.events('code.proposal.isolated');
	expect(event?.payload).toMatchObject({
		worktreePath: `${rig.root}/.hive/worktrees/${traceId}`,
		sector: 'web',
		diff: expect.stringContaining('b/packages/web/x.txt'),
	});
});

test('a large diff is a blob; above 1 MiB it is truncated and marked, and the full change is kept', async () => {
	const rig = await createRig({
		bees: {
			large: builder('yes "a line of text" | head -n 10000 >large.txt'),
			huge: builder('yes "a line of text" | head -n 200000 >huge.txt'),
		},
	});
	await rig.run('large');
	const huge = await rig.run('huge', 'two');
	const [first, second] = await rig.events('code.proposal.isolated');
	expect(first?.payload).toMatchObject({diff: '', ref: expect.stringMatching(/^[0-9a-f]{64}$/)});
	expect(first?.payload).not.toHaveProperty('truncated');
	expect(await rig.bus.blobs.get(`${first?.payload.ref}`)).toContain('+a line of text');
	expect(second?.payload).toMatchObject({truncated: true, files: 1, stat: expect.stringContaining('200000')});
	const cut = (await rig.bus.blobs.get(`${second?.payload.ref}`)) ?? '';
	expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1024 * 1024);
	expect(cut.slice(-2 * '+a line of text\n'.length)).toBe('+a line of text\n'.repeat(2));
	expect(Buffer.byteLength(cut)).toBeGreaterThan(1024 * 1024 - '+a line of text\n'.length);
	const kept = await rig.repository.git(['show', `refs/hive/keep/${traceId}/${huge.agentId}:huge.txt`]);
	expect(kept.split('\n')).toHaveLength(200_000);
});

test('a diff of control characters and a change of thousands of files still fit into the log', async () => {
	const rig = await createRig({
		bees: {
			odd: builder("head -c 60000 /dev/zero | tr '\\0' '\\001' >odd.txt"),
			many: builder(
				'mkdir many; i=0; while [ $i -lt 4000 ]; do : >"many/a-file-with-a-long-name-$i"; i=$((i+1)); done',
			),
		},
	});
	expect((await rig.run('odd')).run.status).toBe('completed');
	expect((await rig.run('many', 'two')).run.status).toBe('completed');
	const [odd, many] = await rig.events('code.proposal.isolated');
	expect(odd?.payload).toMatchObject({diff: '', ref: expect.any(String)});
	expect(many?.payload).toMatchObject({files: 4000});
	expect(JSON.stringify(many).length).toBeLessThan(128 * 1024);
});

test('a bee that declares proposals of another workspace makes none, and gets a warning if it changed files', async () => {
	const bee = (script: string) => scripted(`echo x >x; ${script}`, {publishes: publishesIsolated});
	const rig = await createRig({bees: {maker: bee('true'), breaker: bee('exit 1')}});
	expect((await rig.run('maker')).run.warnings).toEqual([
		'Nothing is proposed: .hive/bees/maker.yaml publishes code.proposal.isolated but has worktree: false.',
	]);
	expect((await rig.run('breaker', 'two')).run).not.toHaveProperty('warnings');
	expect(await rig.events('code.proposal.isolated')).toEqual([]);
});

test('a bee that does not declare the proposal makes none', async () => {
	const rig = await createRig({
		bees: {
			maker: scripted('echo x >x.txt; echo Done', {
				worktree: true,
				publishes: [{type: 'INSIGHT', kind: 'run.summary'}],
			}),
		},
	});
	await rig.run('maker');
	expect((await rig.events()).filter(({type}) => type === 'MUTATION')).toEqual([]);
});

test.each([
	['its .git file is gone', 'rm .git'],
	['it is a repository of its own', 'rm .git; git init -q'],
])('a run after which %s fails, and does not claim files of the user as its work', async (_, rest) => {
	const rig = await createRig({bees: {maker: builder(`echo x >x.txt; ${rest}; echo Done`)}});
	await rig.repository.write('readme.md', 'by the user\n');
	await rig.repository.write('untracked.txt', 'by the user\n');
	const {run, agentId} = await rig.run('maker');
	expect(run).toMatchObject({
		status: 'failed',
		summary: expect.stringContaining('what it changed cannot be read'),
	});
	expect(await rig.events('code.proposal.isolated')).toEqual([]);
	expect(await rig.text(agentId, 'tree-error')).toContain('no longer in the work tree');
	expect(await rig.repository.read(`.hive/worktrees/${traceId}/x.txt`)).toBe('x\n');
});

describe('the commit that stands in for a removed worktree', () => {
	const bees = {first: builder('echo first >first.txt'), second: builder('echo second >second.txt')};
	const standIn = ({repository}: Rig) =>
		repository.git(['ls-tree', '--name-only', `refs/hive/work/${traceId}`, '--', 'first.txt', 'second.txt']);

	test('is the work of the run that ended last, in either order of collection', async () => {
		const rig = await createRig({bees});
		const first = await rig.begin('first', 'one');
		await rig.ended(first);
		const second = await rig.begin('second', 'two');
		await rig.ended(second);
		for (const agentId of [second, first]) await rig.collect(agentId);
		expect(await standIn(rig)).toBe('first.txt\nsecond.txt');
	});

	test('is not the work of an older run that a delayed process collects again', async () => {
		const rig = await createRig({bees});
		const agentId = await rig.begin('first', 'one');
		await rig.ended(agentId);
		const heldUp = await rig.runOf(agentId);
		await rig.collect(agentId);
		await rig.run('second', 'two');
		await rig.dispatcher.collect(...heldUp);
		expect(await standIn(rig)).toBe('first.txt\nsecond.txt');
	});
});
