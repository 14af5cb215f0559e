import {execFile, spawnSync} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, it} from 'vitest';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {countCalls, tracer} from '../helpers/count-calls.ts';
import {builtCommand} from '../helpers/run-hive.ts';

const strace = 'strace';
const canTrace = spawnSync(strace, ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) process.stderr.write('SKIPPED: no strace here; the processes of a start are not counted.\n');

/** Counts the git processes of hive and its descendants until the colony is idle. */
const gitsOfStart = async ({root, env, home}: ColonyOnDisk): Promise<number> => {
	const noted = join(home, 'processes');
	const [, ...how] = tracer(noted);
	const command = [process.execPath, builtCommand(), 'run', '--until-idle'];
	await promisify(execFile)(strace, [...how, ...command], {cwd: root, env});
	const {programs} = countCalls(await readFile(noted, 'utf8'));
	expect(programs.length).toBeGreaterThan(0);
	return programs.filter(name => name === 'git').length;
};

it.skipIf(!canTrace)('finished traces start no git, with or without worktrees and gates', async () => {
	const bees = {
		builder,
		reader: {worktree: true, publishes: builder.publishes, script: 'cat *.md'},
		scout: {script: 'echo looked'},
	};
	const [colony, empty] = await Promise.all([createColony({bees}), createColony({bees})]);
	for (const bee of ['reader', 'scout', 'builder'])
		for (const nth of [1, 2])
			await colony.ask([
				...['task', 'create', '--trace', `${bee}-${nth}`, '--task', 'a', '-b', 'x'],
				...['--bee', bee, '--autorun'],
			]);
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
	for (const nth of [1, 2])
		await colony.ask(['proposal', 'approve', '--trace', `builder-${nth}`, '--task', '_review']);
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
	expect(await gitsOfStart(colony)).toBe(await gitsOfStart(empty));
});
