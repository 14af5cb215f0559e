import {execFile, execFileSync, spawnSync} from 'node:child_process';
import {readFile, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {isBusy, openDatabase} from '../../source/drivers/sqlite-bus/database.ts';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';

const machineOf = ({home}: ColonyOnDisk): string => join(home, '.config/hive/scratch');
const logOf = (colony: ColonyOnDisk): string => join(machineOf(colony), 'events.sqlite');
const create = ['task', 'create', '--title', 'x', '--bee', 'builder'];

const titles = async (colony: ColonyOnDisk): Promise<number> =>
	(await colony.ask<{traces: object[]}>(['status'])).traces.length;

/** Expects the old data to be there, with `count` traces, and a new run to reach review. */
const goesOn = async (colony: ColonyOnDisk, count: number): Promise<void> => {
	expect(await titles(colony)).toBe(count);
	await colony.ask([...create, '--autorun']);
	const {exitCode, stdout, stderr} = await colony.hive(['run', '--until-idle']);
	expect(exitCode, `${stdout}${stderr}`).toBe(8);
	expect(await titles(colony)).toBe(count + 1);
};

/** Programs of the machine. Tests of a missing program are skipped. */
const programs = {mounts: 'unshare', traces: 'strace'};
const canMount = spawnSync(programs.mounts, ['-rm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
const canTrace =
	spawnSync(programs.traces, ['-qq', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']).status === 0;
if (!canMount)
	process.stderr.write(
		'SKIPPED: no mounts in a user namespace here; full and read-only disks are not tried.\n',
	);
if (!canTrace) process.stderr.write('SKIPPED: no strace here; failing fsync is not tried.\n');

/** Runs a script with `hive` as the built command in its own mount namespace. */
const inNamespace = async (colony: ColonyOnDisk, script: string): Promise<string> => {
	const hive = `hive() { timeout -s KILL 60 '${process.execPath}' '${builtCommand()}' "$@" 2>&1; echo "exit $?"; }`;
	const {stdout} = await promisify(execFile)(programs.mounts, ['-rm', 'sh', '-c', `${hive}\n${script}`], {
		cwd: colony.root,
		env: {...colony.env, PATH: process.env.PATH},
	});
	return stdout;
};

describe.skipIf(!canMount)('hive with one of its folders on a small or read-only disk', () => {
	test('a full disk under the log causes a clear refusal, keeps existing events, and needs no restart', async () => {
		const colony = await createColony();
		await colony.ask(create);
		const said = await inNamespace(
			colony,
			`m='${machineOf(colony)}'; cp -a "$m" "$m.copy"; mount -t tmpfs -o size=600k none "$m" || exit; cp -a "$m.copy/." "$m"
			dd if=/dev/zero of="$m/filler" bs=4k 2>/dev/null
			head -c 60000 /dev/zero | tr '\\0' x | hive task create --stdin --title big --bee builder
			echo ---; hive status; rm "$m/filler"; echo ---; hive task create --title small --bee builder; hive status --json`,
		);
		const [full = '', look = '', after = ''] = said.split('---\n');
		expect(full).toMatch(/disk is full|no space left/i);
		expect(full).toContain('exit 6');
		expect(look).toContain('x');
		expect(after).toContain('exit 0');
		expect(new Set(after.match(/trace-[0-9a-f]{16}/g)).size).toBe(2);
	});

	test('a full disk under the runs fails the run with its reason, and the next run succeeds', async () => {
		const colony = await createColony({bees: {plain: {script: 'echo done'}}});
		const said = await inNamespace(
			colony,
			`r=.hive/runs; mkdir -p $r; mount -t tmpfs -o size=64k none $r || exit; dd if=/dev/zero of=$r/filler bs=4k 2>/dev/null
			hive task create --title x --bee plain --trace t --task a --autorun
			hive run --until-idle; hive task show --trace t --task a --json; rm $r/filler
			echo ---; hive task retry --trace t --task a; hive run --until-idle; hive task show --trace t --task a --json`,
		);
		const [full = '', after = ''] = said.split('---\n');
		expect(full).toMatch(/no space left/i);
		expect(full).toContain('"status":"failed"');
		expect(full).toContain('exit 9');
		expect(after).toContain('"status":"completed"');
	});

	test('a read-only machine folder is reported as an error, and no command hangs', async () => {
		const colony = await createColony();
		await colony.ask(create);
		const said = await inNamespace(
			colony,
			`m='${machineOf(colony)}'; mount --bind "$m" "$m"; mount -o remount,bind,ro "$m"
			hive status; echo ---; hive ${create.join(' ')}; echo ---; hive run --until-idle`,
		);
		for (const part of said.split('---\n').slice(1)) {
			expect(part).toMatch(/read-?only|unable to open|cannot be/i);
			expect(part).toMatch(/exit [16]/);
		}
		await goesOn(colony, 1);
	});
});

describe.skipIf(!canTrace)('a disk whose sync fails', () => {
	test.each(['EIO', 'ENOSPC'])(
		'%s: the command does not report success, and the log is intact',
		async error => {
			const colony = await createColony();
			await colony.ask(create);
			const traced = spawnSync(
				programs.traces,
				[
					'-f',
					'--seccomp-bpf',
					'-qq',
					'-o',
					'/dev/null',
					'-e',
					`inject=fsync,fdatasync:error=${error}`,
					process.execPath,
					builtCommand(),
					...create,
				],
				{cwd: colony.root, env: {...colony.env, PATH: process.env.PATH}, encoding: 'utf8'},
			);
			expect(traced.stderr).toContain('events.sqlite');
			expect(traced.stderr).toContain('The last write may have succeeded');
			expect(traced.stdout).toBe('');
			expect(traced.status).toBe(6);
			const kept = await titles(colony);
			expect(kept).toBeGreaterThanOrEqual(1);
			await goesOn(colony, kept);
		},
	);
});

describe('a damaged log', () => {
	test.each([
		['its head overwritten', async (path: string) => writeFile(path, 'not a database'.repeat(4096))],
		['cut in half', async (path: string) => truncate(path, 6000)],
		[
			'other bytes in the middle',
			async (path: string) => {
				const bytes = await readFile(path);
				bytes.fill(0x5a, 4096);
				await writeFile(path, bytes);
			},
		],
	])('%s: every command names the file, none writes, and the restored file works', async (_, damage) => {
		const colony = await createColony();
		await colony.ask(create);
		checkpoint(logOf(colony));
		const whole = await readFile(logOf(colony));
		await damage(logOf(colony));
		const damaged = await readFile(logOf(colony));
		for (const args of [['status'], create, ['run', '--until-idle']]) {
			const {exitCode, stderr} = await colony.hive(args);
			expect([args[0], exitCode, stderr.includes('events.sqlite')]).toEqual([args[0], 6, true]);
		}
		expect((await readFile(logOf(colony))).equals(damaged)).toBe(true);
		expect((await colony.hive(['doctor'])).stdout).toContain('events.sqlite');
		await writeFile(logOf(colony), whole);
		await goesOn(colony, 1);
	});

	test.each([
		['torn', '{"version":1,"sequ'],
		['empty', ''],
		['no object', '[1,2]'],
		['with strangers for tasks', '{"version":2,"sequence":3,"tasks":[null,7],"runs":[{}]}'],
	])('checkpoints that are %s are rebuilt from the log', async (_, text) => {
		const colony = await createColony();
		await colony.ask([...create, '--autorun']);
		await colony.hive(['run', '--until-idle']);
		const before = await colony.ask(['status']);
		const database = openDatabase(logOf(colony), 1000);
		const {changes} = database
			.prepare(`update buckets set value = ? where value like '{"%' or value like '%"tasks"%'`)
			.run(text);
		database.close();
		expect(changes).toBeGreaterThan(0);
		expect(await colony.ask(['status'])).toEqual(before);
		await goesOn(colony, 1);
	});
});

/** Moves the content of the write-ahead log into the database file, so that damage affects everything. */
const checkpoint = (file: string): void => {
	const database = openDatabase(file, 1000);
	database.exec('pragma wal_checkpoint(truncate)');
	database.close();
};

/** Stops a process between two writes. Within a write it would hold the lock of the store. */
const stopBetweenWrites = (colony: ColonyOnDisk, pid: number): void => {
	const database = openDatabase(logOf(colony), 200);
	for (;;) {
		execFileSync('kill', ['-STOP', String(pid)]);
		try {
			database.exec('begin immediate; rollback');
			database.close();
			return;
		} catch (error) {
			if (!isBusy(error)) throw error;
			execFileSync('kill', ['-CONT', String(pid)]);
		}
	}
};

test('a store with a suspended writer is reported with a way to find the writer, and nothing changes', async () => {
	const colony = await createColony();
	const writer = openDatabase(logOf(colony), 0);
	writer.exec('begin immediate');
	const {exitCode, stderr} = await colony.hive(create);
	writer.exec('rollback');
	writer.close();
	expect(exitCode).toBe(6);
	expect(stderr).toContain('does not finish; nothing was changed');
	expect(stderr).toContain('kill -CONT');
	await goesOn(colony, 0);
});

test('a suspended reactor blocks no other command, and duplicates no work when it resumes', async () => {
	const colony = await createColony();
	const reactor = colony.follow(['run']);
	await reactor.says('').catch(() => {});
	await colony.ask(create);
	stopBetweenWrites(colony, reactor.pid);
	const {traceId} = await colony.ask<{traceId: string}>([...create, '--task', 'second', '--autorun']);
	expect(await titles(colony)).toBe(2);
	const other = colony.follow(['run']);
	await other.says('does not answer. It may be suspended');
	await other.kill('SIGTERM');
	execFileSync('kill', ['-CONT', String(reactor.pid)]);
	await reactor.event({kind: 'task.completed', taskId: 'second'});
	const kinds = (await colony.replay(traceId)).map(({payload}) => payload.kind);
	expect(kinds.filter(kind => kind === 'energy.consume')).toHaveLength(1);
	expect((await reactor.kill('SIGTERM')).exitCode).toBe(143);
});
