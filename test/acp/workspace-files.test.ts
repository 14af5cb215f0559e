import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createWorkspaceFiles} from '../../source/acp/workspace-files.ts';

const scene = async () => {
	const base = await mkdtemp(join(tmpdir(), 'hive-acp-'));
	onTestFinished(() => rm(base, {recursive: true, force: true}));
	const workspace = join(base, 'work');
	await mkdir(join(workspace, 'src'), {recursive: true});
	await mkdir(join(base, 'work-2'));
	await writeFile(join(base, 'secret'), 'hidden');
	await writeFile(join(workspace, 'notes'), 'one\ntwo\nthree\n');
	return {base, workspace, files: createWorkspaceFiles(workspace, join(base, 'summary.md'))};
};

test('an agent reads and writes files of its workspace, in part or whole', async () => {
	const {workspace, files} = await scene();
	expect(await files.read(join(workspace, 'notes'))).toBe('one\ntwo\nthree\n');
	expect(await files.read(join(workspace, 'notes'), {from: 2, count: 1})).toBe('two');
	await files.write(join(workspace, 'src/new.ts'), 'x');
	await files.write(join(workspace, 'notes'), 'short');
	expect(await readFile(join(workspace, 'notes'), 'utf8')).toBe('short');
	expect(await readFile(join(workspace, 'src/new.ts'), 'utf8')).toBe('x');
});

test('no path and no link leads outside', async () => {
	const {base, workspace, files} = await scene();
	await symlink(base, join(workspace, 'up'));
	await symlink(join(base, 'secret'), join(workspace, 'link'));
	await symlink(join(base, 'made'), join(workspace, 'dangling'));
	const outside = [
		'/etc/passwd',
		`${workspace}/../secret`,
		`${workspace}/up/secret`,
		`${workspace}/link`,
		`${base}/work-2/x`,
	];
	for (const path of outside) {
		await expect(files.read(path)).rejects.toThrow('outside the workspace');
		await expect(files.write(path, 'x')).rejects.toThrow('outside the workspace');
	}
	await expect(files.write(`${workspace}/dangling`, 'x')).rejects.toThrow();
	await expect(files.read('notes')).rejects.toThrow('outside the workspace');
	expect(await readFile(join(base, 'secret'), 'utf8')).toBe('hidden');
});

test('the result of the run can be written, and nothing beside it', async () => {
	const {base, files} = await scene();
	await files.write(join(base, 'summary.md'), 'Done');
	expect(await readFile(join(base, 'summary.md'), 'utf8')).toBe('Done');
	await expect(files.read(join(base, 'summary.md'))).rejects.toThrow('outside');
});

test('a pipe or a folder is no file', async () => {
	const {workspace, files} = await scene();
	execFileSync('mkfifo', [join(workspace, 'pipe')]);
	await expect(files.read(join(workspace, 'pipe'))).rejects.toThrow('no file');
	await expect(files.read(join(workspace, 'src'))).rejects.toThrow('no file');
});
