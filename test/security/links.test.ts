import {execFile} from 'node:child_process';
import {chown, mkdtemp, readdir, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {createFiles} from '../../source/drivers/files.ts';
import {createRig, scripted} from '../dispatch/rig.ts';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';

const files = createFiles();

/** Creates a folder of the user that hive must neither write to nor read from. */
const createOutside = async () => {
	const outside = await realpath(await mkdtemp(join(tmpdir(), 'hive-outside-')));
	onTestFinished(() => rm(outside, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	await writeFile(join(outside, 'private'), 'private words');
	return outside;
};

test.each(['.hive', '.hive/runs', '.hive/runs/trace-1', '.hive/runs/trace-1/run'])(
	'hive writes nothing below %s if it is a link, at any depth',
	async link => {
		const outside = await createOutside();
		const root = await createOutside();
		await files.makeFolder(join(root, link, '..'));
		await symlink(outside, join(root, link));
		const deep = join(root, '.hive/runs/trace-1/run/deep/file');
		for (const write of [
			files.write(deep, 'x'),
			files.append(deep, 'x'),
			files.create(deep, 'x'),
			files.makeFolder(deep),
			files.remove(deep),
		])
			await expect(write).rejects.toThrow(`${join(root, link)} is a symbolic link`);
		files.watch(join(deep, '..'), AbortSignal.timeout(1), () => {});
		expect(await readdir(outside)).toEqual(['private']);
	},
);

test('a link that an agent leaves among the files of its run is not followed for reading', async () => {
	const outside = await createOutside();
	const root = await createOutside();
	const folder = join(root, '.hive/runs/trace-1/run');
	await files.makeFolder(folder);
	await symlink(join(outside, 'private'), join(folder, 'summary.md'));
	await symlink(outside, join(folder, 'deep'));
	for (const path of [join(folder, 'summary.md'), join(folder, 'deep/private')]) {
		await expect(files.read(path)).rejects.toThrow('is a symbolic link');
		await expect(files.readBytes(path, 0, 10)).rejects.toThrow('is a symbolic link');
		await expect(files.size(path)).rejects.toThrow('is a symbolic link');
	}
	await expect(files.hashes(join(folder, 'deep'), () => true)).rejects.toThrow('is a symbolic link');
});

/** Only root can give files to another user. */
test.skipIf(process.geteuid?.() !== 0)(
	'hive writes nothing below a folder of .hive, or to a file, that belongs to another user',
	async () => {
		const root = await createOutside();
		const theirs = join(root, '.hive/runs/theirs');
		await files.write(join(theirs, 'file'), 'theirs');
		await files.write(join(root, '.hive/log'), 'theirs');
		for (const path of [theirs, join(root, '.hive/log')]) await chown(path, 4242, 4242);
		const deep = join(theirs, 'deep/file');
		for (const write of [
			files.write(deep, 'x'),
			files.append(deep, 'x'),
			files.create(deep, 'x'),
			files.makeFolder(deep),
			files.remove(deep),
		])
			await expect(write).rejects.toThrow(`${theirs} belongs to another user (4242)`);
		await expect(files.append(join(root, '.hive/log'), 'x')).rejects.toThrow('belongs to another user');
		await files.write(join(root, '.hive/log'), 'ours');
		expect(await files.read(join(theirs, 'file'))).toBe('theirs');
		await chown(root, 4242, 4242);
		await files.write(deep, 'their checkout');
	},
);

test('a named pipe instead of a file blocks no command', async () => {
	const root = await createOutside();
	await promisify(execFile)('mkfifo', [join(root, 'pipe')]);
	expect(await files.read(join(root, 'pipe'))).toBe('');
	await expect(files.append(join(root, 'pipe'), 'x')).rejects.toThrow(`Could not write ${root}/pipe`);
	await expect(files.readBytes(join(root, 'pipe'), 0, 10)).rejects.toThrow(`Could not read ${root}/pipe`);
});

test.each(['summary.md', 'stdout.log', 'events.ndjson', 'status.json', 'result.json'])(
	'a run that replaces its %s by a link ends, and the target is neither read nor written',
	async name => {
		const outside = await createOutside();
		const script = `rm -f "$HIVE_RUN_DIR/${name}"; ln -s '${outside}/private' "$HIVE_RUN_DIR/${name}"`;
		const rig = await createRig({bees: {linker: scripted(script)}});
		const agentId = await rig.begin('linker');
		await rig.ended(agentId);
		await rig.dispatcher.collect(...(await rig.runOf(agentId)));
		const [, run] = await rig.runOf(agentId);
		expect(run.finishedAt).toBeDefined();
		expect(await files.read(join(outside, 'private'))).toBe('private words');
		expect(JSON.stringify(await rig.events())).not.toContain('private words');
	},
);

test('links that a run puts where its supervisor writes next are not followed', async () => {
	const outside = await createOutside();
	const names = ['exit.tmp', 'after.tmp', 'after.errors', 'after.index', 'tree-error'];
	const plant = names.map(name => `ln -s '${outside}/private' "$HIVE_RUN_DIR/${name}"`).join('; ');
	const script = `${plant}; echo x >x.txt; echo x >'git~1'`;
	const proposes = {worktree: true, publishes: publishesIsolated};
	const rig = await createRig({bees: {linker: {...scripted(script), ...proposes}}});
	const agentId = await rig.begin('linker');
	await rig.ended(agentId);
	await rig.dispatcher.collect(...(await rig.runOf(agentId)));
	expect((await rig.runOf(agentId))[1]).toMatchObject({status: 'completed'});
	expect(await rig.text(agentId, 'tree-error')).toContain('git~1');
	expect(await files.read(join(outside, 'private'))).toBe('private words');
	expect(await readdir(outside)).toEqual(['private']);
});

test('a run that replaces its directory by a link ends as vanished, and nothing is written to the target', async () => {
	const outside = await createOutside();
	const script = `mv "$HIVE_RUN_DIR" "$HIVE_RUN_DIR.aside"; ln -s '${outside}' "$HIVE_RUN_DIR"`;
	const colony = await createColony({bees: {linker: {script}}});
	const {traceId} = await colony.ask<{traceId: string}>([
		'task',
		'create',
		'--title',
		'x',
		'--bee',
		'linker',
		'--autorun',
	]);
	const {exitCode} = await colony.hive(['run', '--until-idle']);
	expect(exitCode).toBe(9);
	expect((await colony.replay(traceId)).at(-1)?.payload.kind).toBe('run.finished');
	expect(await readdir(outside)).toEqual(['private']);
});

test('worktrees are not created through a link', async () => {
	const outside = await createOutside();
	const colony = await createColony();
	await colony.remove('.hive/worktrees');
	await symlink(outside, join(colony.root, '.hive/worktrees'));
	await colony.ask(['task', 'create', '--title', 'x', '--bee', 'builder', '--autorun']);
	const {exitCode} = await colony.hive(['run', '--until-idle']);
	expect(exitCode).toBe(9);
	expect(await readdir(outside)).toEqual(['private']);
});

test('a home folder that cannot be created is reported with its path', async () => {
	const colony = await createColony();
	const {exitCode, stderr} = await colony.hive(['init'], {env: {HOME: '/proc/nowhere'}});
	expect(stderr).toContain('Could not create /proc/nowhere');
	expect(exitCode).toBe(1);
});
