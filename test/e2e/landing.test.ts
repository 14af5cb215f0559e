import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
	type ColonyOnDisk,
	createColony,
	publishesIsolated,
	type ScriptedBee,
} from '../helpers/colony-on-disk.ts';

/**
 * A program with one function, whose name is in `name`, and its callers in `uses/`. The check fails if a
 * caller has another name.
 */
const files = {
	name: 'greet\n',
	'uses/first': 'greet\n',
	'check.sh': 'for f in uses/*; do cmp -s name "$f" || { echo "$f calls an unknown name"; exit 3; }; done\n',
};

/** The task's name decides what it changes. */
const builder: ScriptedBee = {
	worktree: true,
	publishes: publishesIsolated,
	script: `
case $HIVE_TASK_ID in
rename) for f in name uses/*; do echo welcome >"$f"; done ;;
call | again) echo greet >uses/second ;;
*) echo "$HIVE_TASK_ID" >"$HIVE_TASK_ID.txt" ;;
esac
echo "Did $HIVE_TASK_ID"`,
};

const verify = {commands: [['sh', 'check.sh']], required: true};

/** A check that waits for the file `go` in the home, once the base has the file `wait`. */
const gated = {
	commands: [['sh', '-c', 'test ! -e wait || while [ ! -e "$HOME/go" ]; do sleep 0.1; done']],
	required: true,
};

const createQueue = async (settings: object = {}): Promise<ColonyOnDisk> =>
	createColony({bees: {builder}, settings: {verify, ...settings}, files});

/** Adds a trace with one task, which gives the trace its name. */
const addTrace = (colony: ColonyOnDisk, taskId: string) =>
	colony.ask([
		'task',
		'create',
		'--trace',
		taskId,
		'--task',
		taskId,
		'--autorun',
		'--title',
		taskId,
		'--body',
		'x',
	]);

const work = async (colony: ColonyOnDisk): Promise<void> => {
	await colony.hive(['run', '--until-idle']);
};

const approve = (traceId: string, ...more: readonly string[]) => [
	...['proposal', 'approve', '--trace', traceId, '--task', '_review'],
	...more,
];

const kindsOf = async (colony: ColonyOnDisk, traceId: string): Promise<readonly unknown[]> => {
	const events = await colony.replay(traceId);
	return events.map(({payload}) => payload.kind).filter(kind => /landing|merge/.test(kind));
};

/** Exit code of the check in the checkout. */
const check = ({root}: ColonyOnDisk): number | null => spawnSync('sh', ['check.sh'], {cwd: root}).status;

describe('where verify is required', () => {
	test.each(['squash', 'rebase'])(
		'work lands by %s in order, known to blame, verify and later work',
		async strategy => {
			const colony = await createQueue({land: {strategy}});
			for (const traceId of ['one', 'two']) await addTrace(colony, traceId);
			await work(colony);
			for (const traceId of ['one', 'two']) await colony.hive(approve(traceId, '--wait'));
			const [verified, blamed] = await Promise.all([
				colony.ask(['bus', 'verify']),
				colony.ask(['blame', 'two.txt']),
			]);
			const {landings} = verified;
			expect(landings).toMatchObject([{state: 'same'}, {state: 'same'}]);
			expect(blamed.lines).toMatchObject([{traceId: 'two', bee: 'builder', unknown: []}]);
			const log = spawnSync('git', ['log', '-3', '--format=%P', 'main'], {
				cwd: colony.root,
				encoding: 'utf8',
			});
			expect(log.stdout.split('\n').slice(0, 2)).toEqual([1, 2].map(() => expect.stringMatching(/^\S+$/)));
			await addTrace(colony, 'three');
			await work(colony);
			const {stdout} = await colony.hive(approve('three', '--strategy', 'merge', '--json'));
			const {commit} = JSON.parse(stdout);
			const shown = spawnSync('git', ['show', '-s', '--format=%P', commit], {
				cwd: colony.root,
				encoding: 'utf8',
			});
			expect(shown.stdout.trim().split(' ')).toHaveLength(2);
		},
	);

	test('an approval lands at once if its tree has passed already', async () => {
		const colony = await createQueue();
		await addTrace(colony, 'one');
		await work(colony);
		const {stdout, exitCode} = await colony.hive(approve('one'));
		expect(stdout).toContain('Merged into main: ');
		expect(exitCode).toBe(0);
		expect(await kindsOf(colony, 'one')).toEqual(['landing.requested', 'landing.checked', 'merge.started']);
	});

	test('two changes that pass alone and fail together do not both land', async () => {
		const colony = await createQueue();
		await addTrace(colony, 'rename');
		await addTrace(colony, 'call');
		await work(colony);
		expect((await colony.hive(approve('rename'))).exitCode).toBe(0);
		const {stderr, exitCode} = await colony.hive(approve('call'));
		expect(stderr).toContain('The checks failed on the merge with main: sh check.sh (exit 3)');
		expect(exitCode).toBe(8);
		expect(check(colony)).toBe(0);
		expect(existsSync(join(colony.root, 'uses/second'))).toBe(false);
		expect(await kindsOf(colony, 'call')).toEqual(['landing.requested', 'landing.checked', 'landing.left']);
		expect(readdirSync(join(colony.root, '.hive/worktrees'))).toEqual(['call']);
	});

	test('changes that pass together land one after the other', async () => {
		const colony = await createQueue();
		for (const name of ['one', 'two', 'three']) await addTrace(colony, name);
		await work(colony);
		for (const name of ['one', 'two', 'three']) expect((await colony.hive(approve(name))).exitCode).toBe(0);
		expect(['one', 'two', 'three'].every(name => existsSync(join(colony.root, `${name}.txt`)))).toBe(true);
	});
});

/** Runs a reactor beside the test until it ends, and resolves once the traces wait for review. */
const react = async (colony: ColonyOnDisk, names: readonly string[]) => {
	const reactor = colony.follow();
	for (const name of names)
		await colony.hive(['wait', '--trace', name, '--for', 'review', '--timeout', '60s']);
	return reactor;
};

const completed = async (colony: ColonyOnDisk, name: string): Promise<number | null> =>
	(await colony.hive(['wait', '--trace', name, '--for', 'completed', '--timeout', '60s'])).exitCode;

const landings = async (colony: ColonyOnDisk) =>
	(
		await colony.ask<{landing: {traceId: string; position: number; state: string; tree: string}[]}>([
			'landing',
			'list',
		])
	).landing;

/** A colony whose trace `one` is approved, and whose check waits for the file `go` in the home. */
const duringCheck = async () => {
	const colony = await createQueue({verify: gated});
	await addTrace(colony, 'one');
	const reactor = await react(colony, ['one']);
	await moveBase(colony, 'wait');
	await colony.hive(approve('one'));
	await until(async () => (await landings(colony))[0]?.state === 'checking');
	return {colony, reactor};
};

describe('with a reactor', () => {
	test('approvals are checked side by side and land in order', async () => {
		const slow = {commands: [['sh', '-c', 'sleep 1; sh check.sh']], required: true, parallel: 3};
		const colony = await createQueue({verify: slow});
		const names = ['one', 'two', 'three'];
		for (const name of names) await addTrace(colony, name);
		await react(colony, names);
		await moveBase(colony, 'outside.txt');
		for (const name of names) await colony.hive(approve(name));
		expect((await landings(colony)).map(({traceId, position}) => [traceId, position])).toEqual([
			['one', 1],
			['two', 2],
			['three', 3],
		]);
		for (const name of names) expect(await completed(colony, name)).toBe(0);
		expect((await colony.git(['log', '--format=%s', '--merges', '--reverse'])).trim()).toBe(names.join('\n'));
		expect(check(colony)).toBe(0);
	});

	test('a landing that fails goes back to the person, and those behind it land', async () => {
		const colony = await createQueue();
		const names = ['rename', 'call', 'one'];
		for (const name of names) await addTrace(colony, name);
		await react(colony, names);
		for (const name of names) await colony.hive(approve(name));
		for (const name of ['rename', 'one']) expect(await completed(colony, name)).toBe(0);
		await colony.hive(['wait', '--trace', 'call', '--for', 'review', '--timeout', '60s']);
		expect(await landings(colony)).toEqual([]);
		const {stderr, exitCode} = await colony.hive(approve('call', '--wait'));
		expect(stderr).toContain('sh check.sh (exit 3)');
		expect(exitCode).toBe(8);
		expect(check(colony)).toBe(0);
	});

	test('the person sees the output of a failed check, also if it was the check of another trace', async () => {
		const colony = await createQueue();
		const names = ['rename', 'call', 'again'];
		for (const name of names) await addTrace(colony, name);
		await react(colony, names);
		for (const name of names) await colony.hive(approve(name));
		await until(async () => (await landings(colony)).length === 0);
		for (const name of ['call', 'again'])
			expect(
				(await colony.hive(['proposal', 'show', '--trace', name, '--task', '_review'])).stdout,
			).toContain('uses/second calls an unknown name');
	});

	test('"why" and the list of reviews say what the landing waits for, and why it did not land', async () => {
		const {colony} = await duringCheck();
		const why = async () =>
			(await colony.hive(['why', '_review', '--trace', 'one'])).stdout.replaceAll(/\s+/g, ' ');
		const list = async () => (await colony.hive(['proposal', 'list'])).stdout;
		expect(await why()).toMatch(/its landing: the checks of its merge with main run \(\w+\), since /);
		expect(await list()).toContain('1 approved merge is in the landing queue: "hive landing list".');
		await colony.hive(['landing', 'cancel', '--trace', 'one']);
		expect(await why()).toContain('to decide again, since it did not land: ');
		expect(await list()).toContain('one');
		expect(await list()).not.toContain('landing queue');
		await writeFile(join(colony.home, 'go'), '');
	});

	test('a base that moves during the check is checked again, without asking', async () => {
		const {colony} = await duringCheck();
		const [first] = await landings(colony);
		await moveBase(colony, 'later');
		await until(async () => (await landings(colony))[0]?.tree !== first?.tree);
		await writeFile(join(colony.home, 'go'), '');
		expect(await completed(colony, 'one')).toBe(0);
		const landed = (await colony.replay('one')).findLast(({payload}) => payload.kind === 'merge.started');
		expect((await colony.git(['rev-parse', 'main^{tree}'])).trim()).toBe(landed?.payload.tree);
	});

	test('a reactor that dies during a check leaves nothing unchecked, and the next one lands it', async () => {
		const {colony, reactor} = await duringCheck();
		await reactor.kill('SIGKILL');
		await writeFile(join(colony.home, 'go'), '');
		await work(colony);
		expect(await completed(colony, 'one')).toBe(0);
		expect(readdirSync(join(colony.root, '.hive/worktrees'))).toEqual([]);
	});

	test('a person who stops waiting leaves the landing in the queue', async () => {
		const colony = await createQueue({verify: gated});
		await addTrace(colony, 'one');
		await work(colony);
		await moveBase(colony, 'wait');
		const waiting = colony.follow(approve('one'));
		await until(async () => (await landings(colony))[0]?.state === 'checking');
		expect(await waiting.kill('SIGINT')).toMatchObject({exitCode: 130});
		expect(await landings(colony)).toMatchObject([{traceId: 'one', position: 1}]);
		await writeFile(join(colony.home, 'go'), '');
		await work(colony);
		expect(await completed(colony, 'one')).toBe(0);
	});

	test('a landing that the checkout is in the way of goes back to the person', async () => {
		const colony = await createQueue();
		await addTrace(colony, 'one');
		await work(colony);
		await writeFile(join(colony.root, 'one.txt'), 'not saved\n');
		expect((await colony.hive(approve('one'))).exitCode).toBe(4);
		expect(await landings(colony)).toEqual([]);
		expect(await kindsOf(colony, 'one')).toContain('landing.left');
	});

	test('a person takes a landing back, and lets its checks run again', async () => {
		const {colony} = await duringCheck();
		expect(await colony.ask(['landing', 'cancel', '--trace', 'one'])).toEqual({
			...{v: 1, traceId: 'one', taskId: '_review'},
		});
		expect(await landings(colony)).toEqual([]);
		expect((await colony.hive(['landing', 'cancel', '--trace', 'one'])).exitCode).toBe(4);
		await writeFile(join(colony.home, 'go'), '');
		const retry = ['landing', 'retry', '--trace', 'one', '--task', '_review', '--wait'];
		expect(await colony.ask(retry)).toEqual({
			...{v: 1, traceId: 'one', taskId: '_review', landing: null, base: 'main'},
			commit: (await colony.git(['rev-parse', 'main'])).trim(),
		});
	});

	test('a person merges without checks, which the log keeps', async () => {
		const colony = await createQueue({verify: {commands: [['sh', '-c', 'test ! -e fails']], required: true}});
		await addTrace(colony, 'one');
		await work(colony);
		await moveBase(colony, 'fails');
		const refused = await colony.hive(approve('one'));
		expect([refused.exitCode, refused.stderr]).toEqual([8, expect.stringContaining('The checks failed')]);
		const reason = ['--reason', 'The check itself is broken.'];
		expect((await colony.hive(approve('one', ...reason))).exitCode).toBe(2);
		expect((await colony.hive(approve('one', '--without-checks', ...reason))).exitCode).toBe(0);
		const merge = (await colony.replay('one')).findLast(({payload}) => payload.kind === 'merge.started');
		expect(merge?.payload).toMatchObject({by: 'human', withoutChecks: {reason: reason[1]}});
	});
});

const moveBase = async (colony: ColonyOnDisk, name: string): Promise<void> => {
	await writeFile(join(colony.root, name), 'a change of the base\n');
	await colony.commit(name);
};

/** Asks again until the answer is true; the test's timeout ends it. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
	while (!(await isSo()));
};
