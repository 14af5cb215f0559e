import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {hashFiles, openRepository} from '../helpers/repository.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const update = ['proposal', 'update', '--trace', traceId];
const worktree = `.hive/worktrees/${traceId}`;

/** A script that changes the line; when asked to resolve a conflict, it merges and keeps both sides. */
const conflicting = {
	files: {'text.txt': 'as it was\n'},
	bees: {
		builder: {
			worktree: true,
			publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
			prompt_template: 'builder.md',
			script: [
				'base=$(sed -n "s/.*git merge \\([0-9a-f]*\\).*/\\1/p" "$HIVE_PROMPT_FILE")',
				'if [ -z "$base" ]; then echo theirs >text.txt; exit; fi',
				'cp "$HIVE_PROMPT_FILE" "$HIVE_COLONY_ROOT/.hive/cache-prompt"',
				'git merge "$base" >/dev/null && exit 7',
				'printf "ours and theirs\\n" >text.txt',
				'git -c user.name=Bee -c user.email=bee@example.org commit -qam resolved',
			].join('\n'),
		},
	},
};
const prompt = {'.hive/prompts/builder.md': '{{.Task}}\n'};

const createConflict = async () => {
	const colony = await createWaiting(undefined, {...conflicting, files: {...conflicting.files, ...prompt}});
	await colony.write('text.txt', 'ours\n');
	await colony.commit('the user changes the line');
	return colony;
};

test('update merges the base into the worktree and commits uncommitted work, and approving merges both', async () => {
	const colony = await createWaiting();
	await colony.write('user.txt', 'from the user\n');
	const base = await colony.commit('the user goes on');
	await colony.write('unsaved.txt', 'unsaved\n');
	const before = await hashFiles(colony.root);
	expect(await colony.ask(update)).toMatchObject({
		base: 'main',
		updated: true,
		conflicts: [],
		reworkTaskId: '',
	});
	const own = openRepository(`${colony.root}/${worktree}`);
	expect(await own.read('user.txt')).toBe('from the user\n');
	expect(await own.read('work.txt')).toBe('made by work\n');
	expect(await own.git(['status', '--porcelain'])).toBe('');
	expect(await own.git(['rev-parse', 'HEAD^2'])).toBe(base);
	expect(await colony.git(['rev-parse', 'main'])).toBe(base);
	const kept = Object.entries(await hashFiles(colony.root)).filter(
		([path]) => !path.startsWith('.hive/runs/'),
	);
	expect(before).toMatchObject(Object.fromEntries(kept));
	expect(await colony.ask(update)).toMatchObject({updated: false, conflicts: []});
	await colony.ask(colony.approve());
	expect(await colony.read('work.txt')).toBe('made by work\n');
});

test('a conflict of an update moves no file in the worktree and creates one rework task that names the paths', async () => {
	const colony = await createConflict();
	const refused = await colony.hive(colony.approve());
	expect(refused).toMatchObject({
		exitCode: 4,
		stderr: expect.stringContaining(`hive proposal update --trace ${traceId}`),
	});
	const own = openRepository(`${colony.root}/${worktree}`);
	const before = await hashFiles(own.root);
	const first = await colony.ask<{reworkTaskId: string}>(update);
	expect(first).toMatchObject({updated: false, conflicts: ['text.txt']});
	expect(await hashFiles(own.root)).toEqual(before);
	expect(await own.git(['status', '--porcelain'])).toBe('');
	expect(await colony.ask(update)).toMatchObject({reworkTaskId: first.reworkTaskId});
	const rework = (await colony.tasks()).find(({taskId}) => taskId === first.reworkTaskId);
	expect(rework).toMatchObject({status: 'ready', title: 'Resolve conflicts with main'});
	expect(rework?.body).toContain('- text.txt');
	expect(await colony.statuses()).toMatchObject({_review: 'planned'});
	await colony.run(8);
	expect(await colony.statuses()).toMatchObject({
		[first.reworkTaskId]: 'completed',
		_review: 'waiting_review',
	});
	await colony.ask(colony.approve());
	expect(await colony.read('text.txt')).toBe('ours and theirs\n');
});

test('update does not merge the base while a run is open', async () => {
	const script = '[ "$HIVE_TASK_ID" != slow ] || wait_for go; echo "$HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"';
	const colony = await createWaiting(undefined, {
		bees: {
			builder: {worktree: true, publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}], script},
		},
	});
	const plan = {tasks: [{taskId: 'slow', title: 'Slow'}]};
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: JSON.stringify(plan)});
	const reactor = colony.follow();
	await colony.notes(2);
	expect(await colony.ask(update, {exit: 4})).toMatchObject({error: {code: 'run_open'}});
	await colony.open('go');
	await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
	expect(await colony.ask(update)).toMatchObject({updated: false});
});

/** Creates a trace at its gate whose base has two new files. */
const createBehind = async () => {
	const colony = await createWaiting();
	await colony.write('user.txt', 'from the user\n');
	await colony.write('more.txt', 'more\n');
	await colony.commit('the user goes on');
	return colony;
};

type Scene = Awaited<ReturnType<typeof createBehind>>;

/**
 * Starts an update whose git waits at the gate `update`. Returns a function that lets it continue.
 */
const updateHeld = async (colony: Scene) => {
	const folder = join(colony.home, 'held');
	const gate = join(colony.home, 'gates/update');
	await mkdir(folder);
	const hold = `mkfifo '${gate}'; echo held >>'${colony.home}/notes'; read -r word <'${gate}'`;
	const script = `#!/bin/sh\ncase "$*" in *merge-tree*) ${hold} ;; esac\nPATH=\${PATH#*:} exec git "$@"\n`;
	await writeFile(join(folder, 'git'), script, {mode: 0o755});
	const before = (await colony.notes()).length;
	const updated = colony.ask(update, {env: {PATH: `${folder}:${process.env.PATH}`}});
	await colony.notes(before + 1);
	return async () => {
		await colony.open('update');
		return updated;
	};
};

test('no run begins while an update merges the base, and the waiting task names the update', async () => {
	const colony = await createBehind();
	const add = (trace: string, taskId: string) =>
		colony.ask(['task', 'create', '--trace', trace, '--task', taskId, '--body', 'x']);
	await add(traceId, 'later');
	const goOn = await updateHeld(colony);
	await add('trace-2', 'other');
	const reactor = colony.follow();
	await reactor.event({kind: 'task.completed', taskId: 'other'});
	expect(await colony.notes()).not.toContainEqual(expect.stringContaining('start builder later'));
	const {stdout} = await colony.hive(['why', 'later']);
	expect(stdout).toContain('the merge of the base into the worktree that human started');
	const refused = await colony.ask(['kill', '--trace', traceId], {exit: 4});
	expect(refused).toMatchObject({
		error: {code: 'merge_open', hint: expect.stringContaining('proposal update')},
	});
	expect(await goOn()).toMatchObject({updated: true});
	const {sequence} = await reactor.event({kind: 'code.proposal.isolated', taskId: 'later'});
	const [proposal] = (await colony.replay(traceId)).filter(event => event.sequence === sequence);
	expect(proposal?.payload).toMatchObject({files: 1, diff: expect.stringContaining('later.txt')});
	expect(await colony.events('update.finished')).toMatchObject([
		{payload: {summary: expect.stringMatching(/^merged main as /)}},
	]);
});

test.each(['claimed', 'committed', 'fileMoved', 'merged', 'said'])(
	'the next reactor finishes an update that was killed when it was %s, and reports it once',
	async point => {
		const colony = await createBehind();
		const died = await colony.hive(update, {env: {HIVE_CRASH_AT: `update.${point}`}});
		expect(died).toMatchObject({exitCode: null});
		await colony.run(8);
		const own = openRepository(`${colony.root}/${worktree}`);
		expect(await own.read('user.txt')).toBe('from the user\n');
		expect(await own.read('more.txt')).toBe('more\n');
		expect(await own.git(['status', '--porcelain'])).toBe('');
		const head = await own.git(['rev-parse', 'HEAD']);
		expect(await colony.events('update.finished')).toMatchObject([{payload: {commit: head}}]);
		expect(await colony.events('context.note')).toHaveLength(1);
		expect(await colony.ask(update)).toMatchObject({updated: false});
		await colony.ask(colony.approve());
		expect(await colony.read('work.txt')).toBe('made by work\n');
	},
);

test('the next update finishes one that was killed after planning the rework of a conflict, with the same task', async () => {
	const colony = await createConflict();
	await colony.hive(update, {env: {HIVE_CRASH_AT: 'update.said'}});
	const [rework, ...others] = (await colony.tasks()).filter(({title}) => title?.startsWith('Resolve'));
	expect(await colony.ask(update)).toMatchObject({reworkTaskId: rework?.taskId, conflicts: ['text.txt']});
	expect(others).toEqual([]);
	expect(await colony.events('task.plan')).toHaveLength(3);
});

test('an approve finishes a killed update before it merges', async () => {
	const colony = await createBehind();
	await colony.hive(update, {env: {HIVE_CRASH_AT: 'update.claimed'}});
	await colony.ask(colony.approve());
	expect((await colony.replay(traceId)).map(({payload}) => payload.kind).filter(isOfMerge)).toEqual([
		'update.started',
		'update.finished',
		'merge.started',
	]);
});

const isOfMerge = (kind: string) => kind.startsWith('update.') || kind.startsWith('merge.');

test('of two concurrent updates the second begins after the first ends, and finds nothing new', async () => {
	const colony = await createBehind();
	const both = await Promise.all([colony.ask(update), colony.ask(update)]);
	expect(both.map(({updated}) => updated).sort()).toEqual([false, true]);
	expect((await colony.replay(traceId)).map(({payload}) => payload.kind).filter(isOfMerge)).toEqual([
		'update.started',
		'update.finished',
		'update.started',
		'update.finished',
	]);
});
