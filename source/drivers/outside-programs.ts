import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {HiveError} from '../domain/errors.ts';
import type {OutsidePrograms} from '../ports/outside-programs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The person's own pager and editor. Their settings are command lines, so the shell reads those; our texts go by file or pipe. */
export const createOutsidePrograms = (env: Environment): OutsidePrograms => ({
	page: text => explained('pager', page(env, text)),
	edit: text => explained('editor', edit(env, text)),
	copy: text => {
		const [command, ...args] = clipboardTool(env);
		if (command === undefined) return;
		const tool = spawn(command, args, {env: {...env}, stdio: ['pipe', 'ignore', 'ignore'], detached: true});
		tool.on('error', () => {});
		tool.stdin.on('error', () => {});
		tool.stdin.end(text);
		tool.unref();
	},
});

const page = async (env: Environment, text: string): Promise<void> => {
	const pager = spawn('/bin/sh', ['-c', env.PAGER || 'less -R'], {
		env: {...env},
		stdio: ['pipe', 'inherit', 'inherit'],
	});
	pager.stdin.on('error', () => {});
	pager.stdin.end(text);
	await once(pager, 'exit');
};

const edit = async (env: Environment, text: string): Promise<string | undefined> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-edit-'));
	const file = path.join(folder, 'text.md');
	try {
		await writeFile(file, text, {mode: 0o600});
		const editor = spawn('/bin/sh', ['-c', `${env.VISUAL || env.EDITOR || 'vi'} "$1"`, 'sh', file], {
			env: {...env},
			stdio: 'inherit',
		});
		const [code] = await once(editor, 'exit');
		return code === 0 ? await readFile(file, 'utf8') : undefined;
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

const explained = async <Value>(program: string, work: Promise<Value>): Promise<Value> => {
	try {
		return await work;
	} catch (cause) {
		throw new HiveError('internal', {
			message: `The ${program} could not be opened: ${cause instanceof Error ? cause.message : cause}.`,
			hint: 'Mend what is named, then press the key again.',
			cause,
		});
	}
};

/** The clipboard of the desktop that this terminal belongs to; it is not there over a plain remote connection. */
const clipboardTool = ({WAYLAND_DISPLAY, DISPLAY}: Environment): string[] => {
	if (WAYLAND_DISPLAY) return ['wl-copy'];
	if (DISPLAY) return ['xclip', '-selection', 'clipboard'];
	return process.platform === 'darwin' ? ['pbcopy'] : [];
};
