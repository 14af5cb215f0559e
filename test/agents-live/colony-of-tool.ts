import {execFile} from 'node:child_process';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {Headless, Setting} from './headless.ts';
import {environmentOf, type Place, prepareHome} from './tools.ts';

const patience = 240_000;

/** Returns an environment with the programs of the tool on PATH, as people have them. */
export const environmentWith = async (
	tool: Headless,
	place: Place,
	setting: Setting,
): Promise<Record<string, string>> => {
	const bin = join(place.home, 'bin');
	const temporary = join(place.home, 'tmp');
	for (const folder of [bin, temporary]) await mkdir(folder, {recursive: true});
	const programs = tool.acpPrograms?.(place) ?? {[tool.name]: tool.program(place)};
	for (const [name, argv] of Object.entries(programs)) {
		const words = argv.map(word => `'${word}'`);
		await writeFile(join(bin, name), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, {mode: 0o755});
	}
	const env = environmentOf({env: () => tool.env(place, setting)}, place);
	return {...env, TMPDIR: temporary, PATH: `${bin}:${env.PATH}`};
};

export const prepareRepository = async (root: string, env: Env): Promise<void> => {
	await mkdir(root, {recursive: true});
	await writeFile(join(root, 'readme.md'), 'Something.\n');
	await run('git', ['init', '--quiet', '--initial-branch=main'], root, env);
	await run('git', ['config', 'user.name', 'Bee'], root, env);
	await run('git', ['config', 'user.email', 'bee@example.com'], root, env);
	await commit(root, env);
};

export const commit = async (root: string, env: Env): Promise<void> => {
	await run('git', ['add', '--all'], root, env);
	await run('git', ['commit', '--quiet', '--message', 'Begin'], root, env);
};

/** The built command in a colony. */
export type ToolColony = {
	readonly env: Env;
	readonly hive: (...args: readonly string[]) => Promise<Ran>;
	/** Returns the JSON output, and throws if the exit code is not 0. */
	/** Changes a file of the repository, and commits it. */
	readonly change: (path: string, change: (text: string) => string) => Promise<void>;
	readonly ask: <Value>(...args: readonly string[]) => Promise<Value>;
};

/**
 * Creates a repository in the workspace of the place, with a colony as `hive init` makes it for the tool.
 * @param more further arguments of `hive init`
 */
export const createColonyOf = async (
	tool: Headless,
	place: Place,
	command: string,
	...more: readonly string[]
): Promise<ToolColony> => {
	await prepareHome(tool, place);
	const env = await environmentWith(tool, place, 'plain');
	await prepareRepository(place.workspace, env);
	const hive: ToolColony['hive'] = (...args) =>
		run(process.execPath, [command, ...args], place.workspace, env);
	const ask = async <Value>(...args: readonly string[]): Promise<Value> => {
		const {exitCode, stdout, stderr} = await hive(...args, '--json');
		if (exitCode !== 0) throw new Error(`hive ${args.join(' ')}: ${exitCode}: ${stderr || stdout}`);
		return JSON.parse(stdout);
	};
	await ask('init', ...(tool.acpPrograms === undefined ? [] : ['--acp']), '--agent', tool.name, ...more);
	await commit(place.workspace, env);
	const change: ToolColony['change'] = async (path, change) => {
		const file = join(place.workspace, path);
		await writeFile(file, change(await readFile(file, 'utf8')));
		await commit(place.workspace, env);
	};
	return {env, hive, ask, change};
};

type Env = Readonly<Record<string, string>>;
export type Ran = {readonly exitCode: number; readonly stdout: string; readonly stderr: string};

export const run = async (program: string, args: readonly string[], cwd: string, env: Env): Promise<Ran> => {
	try {
		const {stdout, stderr} = await promisify(execFile)(program, args, {cwd, env, timeout: patience});
		return {exitCode: 0, stdout, stderr};
	} catch (error) {
		const {
			code,
			stdout = '',
			stderr = String(error),
		} = error as {code?: number; stdout?: string; stderr?: string};
		return {exitCode: typeof code === 'number' ? code : -1, stdout, stderr};
	}
};
