import {execFile, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, statSync} from 'node:fs';
import {cp, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import type {CrashPoint} from '../../source/ports/crash-points.ts';
import {hashFiles} from '../helpers/repository.ts';
import {builtCommand, runHive, startHive} from '../helpers/run-hive.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

type Scene = Awaited<ReturnType<typeof createScene>>;

/** Creates a trace at its gate, and unsaved files of the user. */
const createScene = async () => {
	const edit = 'echo theirs >text.txt; echo new >new.txt';
	const scene = await createWaiting(undefined, {
		files: {'text.txt': 'x\n', 'mine.txt': 'x\n'},
		bees: {
			builder: {
				worktree: true,
				publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
				script: edit,
			},
		},
	});
	await scene.write('mine.txt', 'mine\n');
	await scene.write('untracked.txt', 'mine\n');
	return scene;
};

const inTheirWords = ['--merge-message', 'As the person wrote it'];

/** Runs approve as a person and lets it crash at `point`. */
const approveUntil = async (
	scene: Scene,
	point: CrashPoint | `${CrashPoint}:${number}`,
	more = inTheirWords,
) => {
	const died = await runHive(scene.approve(...more), {
		cwd: scene.root,
		env: {...scene.env, HIVE_CRASH_AT: point},
	});
	expect(died).toMatchObject({exitCode: null, stdout: ''});
};

const strace = 'strace';
const canTrace = spawnSync(strace, ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) process.stderr.write('SKIPPED: no strace here; when a merge is on the disk is not tried.\n');

/** Runs approve under strace and returns its fsync and rename calls, in order. */
const approveTraced = async (scene: Scene): Promise<readonly string[]> => {
	const log = join(scene.home, 'calls');
	const args = ['-f', '-y', '-e', 'trace=fsync,?rename,?renameat,?renameat2', '-o', log];
	const env = {...scene.env, PATH: process.env.PATH};
	const command = [process.execPath, builtCommand(), ...scene.approve(...inTheirWords)];
	await promisify(execFile)(strace, [...args, ...command], {cwd: scene.root, env});
	return (await readFile(log, 'utf8')).split('\n');
};

/**
 * Runs approve with a git that hangs when it would record the merge. Returns a function that kills both.
 */
const approveHeld = async (scene: Scene) => {
	const folder = join(scene.home, 'held');
	await mkdir(folder);
	const held = 'case "$*" in *update-ref*refs/hive/merge*) exec sleep 600 ;; esac';
	const script = `#!/bin/sh\n${held}\nPATH=\${PATH#*:} exec git "$@"\n`;
	await writeFile(join(folder, 'git'), script, {mode: 0o755});
	const env = {...scene.env, PATH: `${folder}:${process.env.PATH}`};
	const child = startHive(scene.approve(...inTheirWords), {cwd: scene.root, env, detached: true});
	const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
	onTestFinished(() => void (child.exitCode === null && child.signalCode === null && kill()));
	const ended = new Promise(resolve => child.on('close', resolve));
	return async () => {
		kill();
		await ended;
	};
};

const expectMergedOnce = async (scene: Scene) => {
	const merges = await scene.merges();
	expect(merges).toEqual([expect.stringContaining('As the person wrote it')]);
	const [commit = ''] = merges[0]?.split(' ') ?? [];
	expect(await scene.tasks()).toMatchObject([
		{taskId: 'work'},
		{taskId: '_review', status: 'completed', commit},
	]);
	expect(await scene.git(['rev-parse', 'main'])).toBe(commit);
	expect(await scene.read('text.txt')).toBe('theirs\n');
	expect(await scene.read('new.txt')).toBe('new\n');
	expect(await scene.read('mine.txt')).toBe('mine\n');
	expect(await scene.read('untracked.txt')).toBe('mine\n');
	expect(await scene.git(['for-each-ref', 'refs/hive/merge'])).toBe('');
	expect(await scene.events('task.completed')).toHaveLength(2);
};

test('a kill of approve before it claims the merge leaves the gate waiting', async () => {
	const scene = await createScene();
	await approveUntil(scene, 'merge.planned');
	await scene.run(8);
	expect(await scene.merges()).toEqual([]);
	expect(await scene.statuses()).toMatchObject({_review: 'waiting_review'});
});

test.each([1, 2])(
	'the next reactor finishes an approve that was killed when file %i of 2 had moved',
	async time => {
		const scene = await createScene();
		await approveUntil(scene, `merge.fileMoved:${time}`);
		await scene.run(0);
		await expectMergedOnce(scene);
	},
);

test('an approve names and keeps a file that a person changed after the former approve was killed', async () => {
	const scene = await createScene();
	await approveUntil(scene, 'merge.fileMoved');
	const untouched = (await scene.read('text.txt')) === 'x\n' ? 'text.txt' : 'new.txt';
	await scene.write(untouched, 'my own\n');
	const {exitCode, stderr} = await scene.hive(scene.approve(...inTheirWords));
	expect(exitCode).toBe(4);
	expect(stderr).toContain(untouched);
	expect(stderr).toContain('git restore');
	expect(await scene.read(untouched)).toBe('my own\n');
	expect(await scene.merges()).toEqual([]);
});

test.skipIf(!canTrace)(
	'git objects are synced before the base moves, and the bytes of merged files before they are in place',
	async () => {
		const scene = await createScene();
		const calls = await approveTraced(scene);
		const find = (sought: RegExp, before = calls.length) =>
			calls.findLastIndex((call, at) => at < before && sought.test(call));
		const moved = find(/ rename.*refs\/heads\/main"/);
		expect(find(/ fsync.*\/objects\/.*tmp_obj_/, moved)).toBeGreaterThan(-1);
		expect(find(/ fsync.*\/refs\/heads\/main\.lock>/, moved)).toBeGreaterThan(-1);
		for (const name of ['text.txt', 'new.txt']) {
			const renamed = find(new RegExp(` rename.*"${scene.root}/${name}"`), moved);
			expect(renamed).toBeGreaterThan(-1);
			expect(find(new RegExp(` fsync.*/scratch-[^>]*/${name}>`), renamed)).toBeGreaterThan(-1);
			expect(find(new RegExp(` fsync.*<${scene.root}>`), moved)).toBeGreaterThan(renamed);
		}
		await expectMergedOnce(scene);
	},
);

/** A folder on another disk than the tests, if there is one. */
const otherDisk = ['/dev/shm', '/var/tmp'].find(
	folder => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);
const hasOtherDisk = otherDisk !== undefined;
if (!hasOtherDisk) process.stderr.write('SKIPPED: one disk only; a git folder on another is not tried.\n');

test.skipIf(!canTrace || !hasOtherDisk)(
	'the next merge removes what a killed merge left beside a file, with the git folder on another disk',
	async () => {
		const scene = await createScene();
		const elsewhere = await mkdtemp(join(otherDisk ?? '', 'hive-git-'));
		onTestFinished(() => rm(elsewhere, {recursive: true}));
		await cp(join(scene.root, '.git'), elsewhere, {recursive: true});
		await rm(join(scene.root, '.git'), {recursive: true});
		await scene.write('.git', `gitdir: ${elsewhere}\n`);
		await scene.git(['worktree', 'repair', `.hive/worktrees/${traceId}`]);
		const file = join(scene.root, 'text.txt');
		const name = `.hive-${createHash('sha256').update(file).digest('hex').slice(0, 16)}`;
		const killed = ['-f', '-qq', '-P', join(scene.root, name), '-e', 'inject=fsync:signal=KILL'];
		const env = {...scene.env, PATH: process.env.PATH};
		const command = [process.execPath, builtCommand(), ...scene.approve(...inTheirWords)];
		const died = promisify(execFile)(strace, [...killed, ...command], {cwd: scene.root, env});
		await expect(died).rejects.toMatchObject({signal: 'SIGKILL'});
		expect(await scene.read(name)).toBe('theirs\n');
		expect(await scene.read('text.txt')).toBe('x\n');
		await scene.ask(scene.approve(...inTheirWords));
		await expectMergedOnce(scene);
		expect(await scene.exists(name)).toBe(false);
	},
);

test('an interrupted merge whose work has changed since is abandoned and can be approved again', async () => {
	const scene = await createScene();
	await approveUntil(scene, 'merge.claimed');
	await scene.write(`.hive/worktrees/${traceId}/late.txt`, 'late\n');
	const before = await hashFiles(scene.root);
	const head = await scene.git(['rev-parse', 'main']);
	await scene.run(8);
	expect(await scene.git(['rev-parse', 'main'])).toBe(head);
	expect(await hashFiles(scene.root)).toMatchObject({
		'mine.txt': before['mine.txt'],
		'text.txt': before['text.txt'],
	});
	expect(await scene.events('merge.abandoned')).toHaveLength(1);
	await scene.ask(scene.approve());
	expect(await scene.read('late.txt')).toBe('late\n');
});

test('a reactor leaves a running merge alone, and finishes it after its process is killed', async () => {
	const scene = await createScene();
	const reactor = scene.follow();
	// The reactor reports only later events.
	await reactor.says('runs here');
	const kill = await approveHeld(scene);
	await reactor.event({kind: 'merge.started'});
	const refused = await scene.hive(['kill', '--trace', traceId]);
	expect(refused).toMatchObject({
		exitCode: 4,
		stderr: expect.stringContaining('A merge of trace-1 is under way'),
	});
	expect(await scene.events('merge.abandoned')).toEqual([]);
	expect(await scene.merges()).toEqual([]);
	await kill();
	await reactor.event({kind: 'task.completed', taskId: '_review'});
	await expectMergedOnce(scene);
});

test('the next reactor leaves the branch for a pull request if its approve was killed', async () => {
	const scene = await createScene();
	const main = await scene.git(['rev-parse', 'main']);
	await approveUntil(scene, 'merge.committed', ['--no-merge']);
	await scene.run(0);
	const head = await scene.git(['rev-parse', `hive/${traceId}`]);
	expect(await scene.tasks()).toMatchObject([{}, {taskId: '_review', status: 'completed', commit: head}]);
	expect(await scene.git(['rev-parse', 'main'])).toBe(main);
});
