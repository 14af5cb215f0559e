import {once} from 'node:events';
import {access, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {errorMessage} from '../domain/error-message.ts';
import {HiveError} from '../domain/errors.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import type {OutsidePrograms} from '../ports/outside-programs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The person's own pager and editor. Their settings are command lines, so the shell parses those. Our texts
 * are passed by file or pipe.
 */
export const createOutsidePrograms = (env: Environment): OutsidePrograms => ({
	page: text => explainErrors('pager', page(env, text)),
	edit: (text, name) => explainErrors('editor', edit(env, text, name)),
	editFile: file => explainErrors('editor', editFile(env, file)),
	shell: folder => explainErrors('shell', shell(env, folder)),
	launch: ([program = '', ...args], variables) =>
		explainErrors(`program "${program}"`, launch({...env, ...fitForPrograms(variables)}, program, args)),
	copy: text => {
		const [command, ...args] = clipboardTool(env);
		if (command === undefined) return;
		void give(env, command, args, text);
	},
});

/**
 * Max characters of a variable with text from agents, files or other people. Linux accepts at most 128 KiB.
 */
const maxVariableLength = 16 * 1024;

/**
 * Makes texts safe as variables. No program can start with a NUL in its environment, or with too long a one.
 * Other control characters would control the terminal that shows them.
 */
const fitForPrograms = (variables: Environment = {}): Environment =>
	Object.fromEntries(
		Object.entries(variables).map(([name, text = '']) => [
			name,
			sanitizeText(text).text.slice(0, maxVariableLength),
		]),
	);

/** Execa is loaded at the first use, since the dashboard starts without it. */
const give = async (
	env: Environment,
	command: string,
	args: readonly string[],
	text: string,
): Promise<void> => {
	const {execa} = await import('execa');
	const tool = execa(command, args, {
		...{env, extendEnv: false, input: text, stdout: 'ignore', stderr: 'ignore'},
		...{detached: true, cleanup: false, reject: false},
	});
	tool.unref();
	await tool;
};

/** Resolves when the program has started. */
const launch = async (env: Environment, program: string, args: readonly string[]): Promise<void> => {
	const {execa} = await import('execa');
	const child = execa(program, args, {
		...{env, extendEnv: false, stdio: 'ignore', detached: true, cleanup: false, reject: false},
	});
	child.unref();
	await Promise.race([
		once(child, 'spawn'),
		child.then(ended => {
			if (ended.exitCode === undefined && ended.signal === undefined) throw ended;
		}),
	]);
};

/**
 * Runs a command line of the person on the terminal. Returns its exit code; undefined if a signal ended it.
 */
const show = async (
	env: Environment,
	line: readonly string[],
	stdin: {readonly input: string} | {readonly stdin: 'inherit'},
): Promise<number | undefined> => {
	const {execa} = await import('execa');
	const ended = await execa('/bin/sh', ['-c', ...line], {
		...{env, extendEnv: false, stdout: 'inherit', stderr: 'inherit', cleanup: false, reject: false},
		...stdin,
	});
	if (ended.exitCode === undefined && ended.signal === undefined) throw ended;
	return ended.exitCode;
};

const page = async (env: Environment, text: string): Promise<void> => {
	await show(env, [env.PAGER || 'less -R'], {input: text});
};

const edit = async (env: Environment, text: string, name = 'text.md'): Promise<string | undefined> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-edit-'));
	const file = path.join(folder, name);
	try {
		await writeFile(file, text, {mode: 0o600});
		return (await openEditor(env, file)) === 0 ? await readFile(file, 'utf8') : undefined;
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

/** Opens an existing file: without the check an editor would begin a new one. */
const editFile = async (env: Environment, file: string): Promise<void> => {
	await access(file);
	await openEditor(env, file);
};

const openEditor = (env: Environment, file: string): Promise<number | undefined> =>
	show(env, [`${env.VISUAL || env.EDITOR || 'vi'} "$1"`, 'sh', file], {stdin: 'inherit'});

/** Runs the shell itself, since a shell around it would keep the terminal's process group. */
const shell = async (env: Environment, folder: string): Promise<void> => {
	await access(folder);
	process.stdout.write(`A shell in ${sanitizeText(folder).text}. "exit" leads back to hive.\n`);
	const {execa} = await import('execa');
	const ended = await execa(env.SHELL || '/bin/sh', [], {
		...{env, extendEnv: false, cwd: folder, stdio: 'inherit', cleanup: false, reject: false},
	});
	if (ended.exitCode === undefined && ended.signal === undefined) throw ended;
};

const explainErrors = async <Value>(program: string, work: Promise<Value>): Promise<Value> => {
	try {
		return await work;
	} catch (cause) {
		throw new HiveError('internal', {
			message: `The ${program} could not be opened: ${errorMessage(cause)}.`,
			hint: 'Fix the named problem, then press the key again.',
			cause,
		});
	}
};

/** Returns the clipboard command of this terminal's desktop. A plain remote connection has none. */
const clipboardTool = ({WAYLAND_DISPLAY, DISPLAY}: Environment): string[] => {
	if (WAYLAND_DISPLAY) return ['wl-copy'];
	if (DISPLAY) return ['xclip', '-selection', 'clipboard'];
	return process.platform === 'darwin' ? ['pbcopy'] : [];
};
