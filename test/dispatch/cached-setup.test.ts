import {readdir} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {setupCacheFolder} from '../../source/workspaces/setup-cache/setup-cache.ts';
import {createRig, type Rig, scripted} from './rig.ts';

const createScene = (script: string, files: Readonly<Record<string, string>> = {}) =>
	createRig({
		bees: {maker: scripted('echo made', {worktree: true})},
		settings: {
			workspaces: {
				setup: [['sh', '-c', script]],
				cache: [{key: ['lock'], paths: ['app/made']}],
				copy: ['.env'],
			},
		},
		files: {lock: 'one\n', 'app/code': 'x\n', '.gitignore': '/app/made\n.env\n', ...files},
	});

const entriesOf = (rig: Rig) => readdir(setupCacheFolder(rig.ports.machineDir)).catch(() => []);

test('what setup makes beside copied files is kept', async () => {
	const rig = await createScene('mkdir app/made; cp .env app/made');
	await rig.repository.write('.env', 'A=1\n');
	const {agentId} = await rig.run('maker');
	expect(await rig.text(agentId, 'setup.log')).toBe('setup: ran; app/made kept for later worktrees\n');
	expect(await entriesOf(rig)).toHaveLength(1);
});

test.each([
	['makes files elsewhere', 'mkdir app/made; echo x >other.js', {}, 'setup also makes other.js'],
	['changes a tracked file', 'mkdir app/made; echo x >lock', {}, 'setup changes lock, which git tracks'],
	['commits', 'mkdir app/made; git commit --quiet --allow-empty -m x', {}, 'setup moves the branch'],
	['makes a link out of the worktree', 'mkdir app/made; ln -s /etc app/made/x', {}, 'app/made/x is a link'],
	['does not make the path', 'true', {}, 'setup did not make app/made'],
	['meets tracked files there', 'true', {'app/made/a': 'x', '.gitignore': ''}, 'git tracks app/made/a'],
])('setup that %s keeps nothing, and the report says why', async (_, script, files, why) => {
	const rig = await createScene(script, files);
	const {run} = await rig.run('maker');
	expect(run.status).toBe('completed');
	expect(rig.reports).toEqual([expect.stringContaining(why)]);
	expect(await entriesOf(rig)).toEqual([]);
});

test('a worktree of a base that is itself a branch of a trace keeps nothing', async () => {
	const rig = await createScene('mkdir app/made');
	await rig.repository.git(['checkout', '--quiet', '-b', 'hive/other']);
	const {agentId} = await rig.run('maker');
	expect(await rig.text(agentId, 'setup.log')).toBe('setup: ran; only what it makes on the base is kept\n');
	expect(await entriesOf(rig)).toEqual([]);
});
