import {spawn} from 'node:child_process';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {inject} from 'vitest';
import {buildOnce} from './build-once.ts';
import {sharedCache} from './shared-cache.ts';

type Options = {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	/** The program, with its arguments, that starts the command in its own place. */
	readonly under?: readonly string[];
	/** Standard input. It is empty by default. */
	readonly input?: string;
};

/** Returns the path of the command, which the first caller of this test run builds. */
export const builtCommand = (): string => buildOnce(inject('buildFolder'));

/** Returns the path of a file that the build puts beside the command. */
export const builtProgram = (name: string): string => join(dirname(builtCommand()), name);

/** Starts the built command with an environment of PATH, the shared cache and the given variables only. */
export const startHive = (
	args: readonly string[],
	{cwd, env, under = [], detached = false}: Options & {readonly detached?: boolean} = {},
) => {
	const [program = '', ...rest] = [...under, process.execPath, builtCommand(), ...args];
	return spawn(program, rest, {
		...{cwd, detached},
		env: {PATH: process.env.PATH, ...sharedCache(), ...env},
		stdio: 'pipe',
	});
};

/** Runs the built command to its end. `exitCode` is null if a signal ended it. */
export const runHive = async (args: readonly string[], options: Options = {}) => {
	const child = startHive(args, options);
	child.stdin.end(options.input ?? '');
	const [stdout, stderr, exitCode] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		new Promise<number | null>(resolve => child.on('close', resolve)),
	]);
	return {stdout, stderr, exitCode};
};
