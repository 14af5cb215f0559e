import {spawn} from 'node:child_process';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {inject} from 'vitest';
import {buildOnce} from './build-once.ts';
import {sharedCache} from './shared-cache.ts';

type Options = {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	/** Program with its arguments that starts the command, in whose place the command comes. */
	readonly under?: readonly string[];
	/** Standard input; nothing by default. */
	readonly input?: string;
};

/** Path of the command built for this run of the tests, once one of them asks. */
export const builtCommand = (): string => buildOnce(inject('buildFolder'));

/** A file that the build puts beside the command. */
export const builtProgram = (name: string): string => join(dirname(builtCommand()), name);

/**
 * Starts the built command with no more of the environment than PATH, a cache for all tests, and what is
 * given.
 */
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

/** Runs the built command to its end. `exitCode` is null when a signal ended it. */
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
