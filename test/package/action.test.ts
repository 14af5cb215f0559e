import {execFile, spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parse} from 'yaml';
import {builder} from '../helpers/colony-on-disk.ts';
import {createForgeColony} from '../helpers/forge-colony.ts';
import {builtCommand} from '../helpers/run-hive.ts';

type Step = {
	readonly name?: string;
	readonly uses?: string;
	readonly run?: string;
	readonly shell?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly with?: Readonly<Record<string, string | number | boolean>>;
};

const action = parse(readFileSync('action.yml', 'utf8')) as {
	readonly inputs: Readonly<Record<string, {readonly description: string}>>;
	readonly outputs: Readonly<Record<string, {readonly value: string}>>;
	readonly runs: {readonly using: string; readonly steps: readonly Step[]};
};

const [, shown = ''] =
	/```yaml\n# \.github\/workflows\/hive\.yml\n(.*?)```/s.exec(
		readFileSync('docs/guide/scripts-and-ci.md', 'utf8'),
	) ?? [];
const workflow = parse(shown) as {
	readonly on: object;
	readonly permissions: object;
	readonly concurrency: {readonly group: string};
	readonly jobs: {
		readonly hive: {readonly if: string; readonly 'timeout-minutes': number; readonly steps: readonly Step[]};
	};
};

const steps = [...action.runs.steps, ...workflow.jobs.hive.steps];
const scripts = steps.flatMap(({name = '', run}) => (run === undefined ? [] : [[name, run] as const]));

test.each(scripts)('the script of "%s" is bash, and no text of others is part of it', (_, run) => {
	const {status, stderr} = spawnSync('bash', ['-n'], {input: run, encoding: 'utf8'});
	expect(stderr).toBe('');
	expect(status).toBe(0);
	expect(run).not.toContain('${{');
});

test('each script of the action names its shell, and its inputs reach it by variables', () => {
	expect(action.runs.using).toBe('composite');
	for (const {run, shell} of action.runs.steps) expect(shell).toBe(run === undefined ? undefined : 'bash');
	const variables = action.runs.steps.flatMap(({env = {}}) => Object.values(env));
	const inputs = Object.keys(action.inputs).map(name => `\${{ inputs.${name} }}`);
	expect(variables.toSorted()).toEqual(inputs.toSorted());
	expect(action.outputs['exit-code']?.value).toBe(`\${{ steps.work.outputs.exit-code }}`);
});

test('the workflow of the guide starts by a label, has the least permissions, and runs once for an issue', () => {
	expect(workflow.on).toEqual({issues: {types: ['labeled']}});
	expect(workflow.permissions).toEqual({contents: 'write', 'pull-requests': 'write', issues: 'read'});
	expect(workflow.concurrency.group).toBe(`hive-\${{ github.event.issue.number }}`);
	const {if: condition, steps: own} = workflow.jobs.hive;
	expect(condition).toBe("github.event.label.name == 'hive'");
	expect(own[0]?.with).toEqual({'fetch-depth': 0, 'persist-credentials': false});
	const [started] = own.filter(({uses = ''}) => uses.includes('/hive@'));
	expect(Object.keys(started?.with ?? {}).filter(name => !(name in action.inputs))).toEqual([]);
	// A title, body or name would be text of others.
	const inserted = shown.match(/\$\{\{.*?\}\}/g) ?? [];
	for (const expression of inserted)
		expect(expression).toMatch(/^\$\{\{ (?:github\.event\.issue\.number|github\.token|secrets\.\w+) \}\}$/);
});

/** A folder with the files of a runner. `run` runs the script of a step as a runner does. */
const createRunner = async () => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-runner-')));
	onTestFinished(() => rm(folder, {recursive: true, force: true, maxRetries: 5}));
	const own = join(folder, 'action');
	await mkdir(own);
	const files = {GITHUB_ENV: 'env', GITHUB_OUTPUT: 'output', GITHUB_PATH: 'path', GITHUB_STATE: 'state'};
	const paths = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(folder, file)]));
	for (const path of Object.values(paths)) await writeFile(path, '');
	const base = {
		GITHUB_ACTION_PATH: own,
		RUNNER_TEMP: folder,
		RUNNER_OS: 'Linux',
		RUNNER_ARCH: 'X64',
		...paths,
	};
	return {
		folder,
		own,
		read: (file: string) => readFile(join(folder, file), 'utf8'),
		run: async (
			name: string,
			{cwd = folder, env = {}}: {cwd?: string; env?: Readonly<Record<string, string>>} = {},
		) => {
			const script = scripts.find(([found]) => found === name)?.[1] ?? 'exit 99';
			const added = (await readFile(join(folder, 'path'), 'utf8')).split('\n').filter(Boolean);
			const given = {PATH: process.env.PATH, ...base, ...env};
			const PATH = [...added, given.PATH].join(':');
			const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script];
			return new Promise<{exitCode: number; stdout: string; stderr: string}>(resolve =>
				execFile('bash', args, {cwd, env: {...given, PATH}}, (error, stdout, stderr) =>
					resolve({exitCode: Number(error?.code ?? 0), stdout, stderr}),
				),
			);
		},
	};
};

test('the installation is named by the files of the action, without what it makes of them', async () => {
	const {run, own, read} = await createRunner();
	const keys: string[] = [];
	const name = async () => {
		expect(await run('Name the installation')).toMatchObject({exitCode: 0, stderr: ''});
		keys.push((await read('output')).trim().split('\n').at(-1) ?? '');
	};
	await writeFile(join(own, 'a file.ts'), 'one');
	await name();
	await mkdir(join(own, 'node_modules'));
	await writeFile(join(own, 'node_modules/x'), '');
	await name();
	await writeFile(join(own, 'a file.ts'), 'two');
	await name();
	expect(keys[0]).toMatch(/^key=hive-Linux-X64-node\d+-[0-9a-f]{64}$/);
	expect(keys[1]).toBe(keys[0]);
	expect(keys[2]).not.toBe(keys[0]);
});

test('the issue is one argument, whatever it is', async () => {
	const {run, folder, read} = await createRunner();
	await mkdir(join(folder, 'bin'));
	await writeFile(join(folder, 'bin/hive'), '#!/bin/sh\nfor each; do printf "%s|" "$each"; done\necho\n', {
		mode: 0o755,
	});
	await writeFile(join(folder, 'path'), `${folder}/bin\n`);
	const issue = '7"; touch made; `touch made` $(touch made)';
	const {stdout, exitCode} = await run('Ask', {env: {HIVE_CI_CUE: 'feature', HIVE_CI_ISSUE: issue}});
	expect(stdout).toBe(`init|--accept|\ncue|run|feature|--issue=${issue}|\n`);
	expect(exitCode).toBe(0);
	expect(existsSync(join(folder, 'made'))).toBe(false);
	expect(await read('env')).toBe('');
});

/** A colony at a forge, with a task that waits, and a runner that has the built hive on its PATH. */
const createWork = async (script: string) => {
	const scene = await createForgeColony({open: 'when_ready'}, {bees: {builder: {...builder, script}}});
	const {colony, env} = scene;
	const args = ['--trace', 'one', '--task', 'one', '--title', 'Build one', '--body', 'x', '--autorun'];
	await colony.ask(['task', 'create', ...args]);
	const runner = await createRunner();
	await symlink(dirname(builtCommand()), join(runner.own, 'dist'));
	expect(await runner.run('Put hive on PATH')).toMatchObject({exitCode: 0, stderr: ''});
	const given = {...colony.env, ...env, HIVE_CI_TIMEOUT: '5m'};
	return {...scene, ...runner, work: () => runner.run('Work', {cwd: colony.root, env: given})};
};

test('the work becomes a pull request, and no agent speaks to the runner', async () => {
	const script =
		'echo x >one.txt; echo "::error::from the agent"; echo "files: $GITHUB_ENV$GITHUB_OUTPUT$GITHUB_PATH" >files.txt';
	const {work, server, read, bare} = await createWork(script);
	const {exitCode, stdout, stderr} = await work();
	expect(exitCode, `${stdout}${stderr}`).toBe(0);
	expect(server.model.requests).toMatchObject([{branch: 'hive/one', base: 'main'}]);
	expect(await bare.git(['show', 'hive/one:files.txt'])).toBe('files:');
	expect((await read('output')).trim()).toBe('exit-code=8');
	const [first = '', ...lines] = stdout.trim().split('\n');
	const [, token = ''] = /^::stop-commands::([0-9a-f-]{36})$/.exec(first) ?? [];
	expect(lines.at(-1)).toBe(`::${token}::`);
});

test.each([
	['fails', 'exit 3', 9],
	[
		'asks and opens no request',
		`echo '{"type":"SIGNAL","payload":{"kind":"human.question","text":"Which?"}}' | "$HIVE" event emit`,
		8,
	],
])('the step fails if the work %s', async (_, script, code) => {
	const {work, read, server} = await createWork(script);
	const {exitCode, stdout, stderr} = await work();
	expect(exitCode, `${stdout}${stderr}`).toBe(code);
	expect((await read('output')).trim()).toBe(`exit-code=${code}`);
	expect(server.model.requests).toEqual([]);
});
