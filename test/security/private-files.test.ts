import {execFile} from 'node:child_process';
import {chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

/** Returns a folder and all paths below it. */
const below = (folder: string): string[] => [
	folder,
	...readdirSync(folder, {recursive: true, encoding: 'utf8'}).map(name => join(folder, name)),
];

/** Returns the modes, by path, of files that other users may read, write or enter. */
const openToOthers = (folder: string) =>
	below(folder).flatMap(path =>
		(modeOf(path) & 0o077) === 0 ? [] : [`${modeOf(path).toString(8)} ${path}`],
	);

const machineFolder = ({home}: ColonyOnDisk): string => join(home, '.config/hive/scratch');

/** Runs hive with a umask of 0, so that new files are open to all users by default. */
const hiveWithoutUmask = ({root, env}: ColonyOnDisk, args: readonly string[]) =>
	promisify(execFile)('sh', ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, builtCommand(), ...args], {
		...{cwd: root, env: {PATH: process.env.PATH, ...env}},
	});

test('hive keeps all its files about runs and the machine private under any umask, and leaves worktrees to git', async () => {
	const colony = await createColony();
	await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
	// The task waits for a review.
	await expect(hiveWithoutUmask(colony, ['run', '--until-idle', '--timeout', '60s'])).rejects.toMatchObject({
		code: 8,
	});
	const runs = join(colony.root, '.hive/runs');
	expect(below(runs)).toEqual(expect.arrayContaining([expect.stringMatching(/tasks\/a\/runs\.ndjson$/)]));
	expect(openToOthers(runs)).toEqual([]);
	expect(openToOthers(machineFolder(colony))).toEqual([]);
	expect(modeOf(join(colony.root, '.hive/worktrees/t/readme.md'))).toBe(0o666);
});

/** Sets the modes that an older hive left. Returns the folders and files that must become private again. */
const loosen = async (colony: ColonyOnDisk): Promise<string[]> => {
	await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
	const runs = join(colony.root, '.hive/runs');
	const task = join(runs, 't/tasks/a');
	writeFileSync(join(task, 'runs.ndjson'), '');
	const paths = [machineFolder(colony), runs, join(runs, 't'), dirname(task), task];
	for (const path of paths) chmodSync(path, 0o755);
	for (const path of below(task).slice(1)) chmodSync(path, 0o644);
	return [...paths, ...below(task).slice(1)];
};

test('folders that an older hive left open to other users become private with the next command', async () => {
	const colony = await createColony();
	const loose = await loosen(colony);
	expect(loose).toHaveLength(7);
	await colony.ask(['status']);
	expect(loose.filter(path => (modeOf(path) & 0o077) !== 0)).toEqual([]);
	expect(loose.map(path => modeOf(path) & 0o600)).toEqual(loose.map(() => 0o600));
});

test('the target of a link in these folders is unchanged, and files of agents keep their mode', async () => {
	const colony = await createColony();
	const [, runs = ''] = await loosen(colony);
	const outside = join(colony.home, 'outside');
	mkdirSync(join(outside, 'tasks/a'), {recursive: true});
	chmodSync(outside, 0o755);
	symlinkSync(outside, join(runs, 'linked'));
	const tool = join(runs, 't/artifacts/tool');
	mkdirSync(dirname(tool));
	writeFileSync(tool, '', {mode: 0o755});
	await colony.ask(['status']);
	expect([outside, join(outside, 'tasks'), tool].map(modeOf)).toEqual([0o755, 0o755, 0o755]);
	expect(modeOf(runs)).toBe(0o700);
});

/** Only root can give folders to another user. */
test.skipIf(process.geteuid?.() !== 0)(
	'a folder of another user keeps its mode, and the command continues',
	async () => {
		const colony = await createColony();
		const [machine = '', runs = ''] = await loosen(colony);
		chownSync(machine, 65_534, 65_534);
		chownSync(runs, 65_534, 65_534);
		await colony.ask(['status']);
		expect([machine, runs, join(runs, 't')].map(modeOf)).toEqual([0o755, 0o755, 0o755]);
	},
);
