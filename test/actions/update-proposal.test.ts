import {expect, test} from 'vitest';
import {hashFiles, openRepository} from '../helpers/repository.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const update = ['proposal', 'update', '--trace', traceId];
const worktree = `.hive/worktrees/${traceId}`;

/** The bee changes the line; when asked to resolve a conflict it merges, and takes both sides. */
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

test('the base comes into the worktree, uncommitted work committed, and approving merges both', async () => {
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

test('a conflict moves no file in the worktree and becomes one rework task that names the paths', async () => {
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

test('the base is not merged in while a run is open', async () => {
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
