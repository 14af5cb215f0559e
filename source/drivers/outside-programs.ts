import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {OutsidePrograms} from '../ports/outside-programs.ts';

/** The person's own pager and editor. Their settings are command lines, so the shell reads those; our texts go by file or pipe. */
export const createOutsidePrograms = (
	env: Readonly<Record<string, string | undefined>>,
): OutsidePrograms => ({
	page: async text => {
		const pager = spawn('/bin/sh', ['-c', env.PAGER || 'less -R'], {
			env: {...env},
			stdio: ['pipe', 'inherit', 'inherit'],
		});
		pager.stdin.on('error', () => {});
		pager.stdin.end(text);
		await Promise.race([once(pager, 'exit'), once(pager, 'error')]);
	},
	edit: async text => {
		const folder = await mkdtemp(path.join(tmpdir(), 'hive-edit-'));
		const file = path.join(folder, 'text.md');
		try {
			await writeFile(file, text, {mode: 0o600});
			const editor = spawn('/bin/sh', ['-c', `${env.VISUAL || env.EDITOR || 'vi'} "$1"`, 'sh', file], {
				env: {...env},
				stdio: 'inherit',
			});
			const [code] = await Promise.race([once(editor, 'exit'), once(editor, 'error')]);
			return code === 0 ? await readFile(file, 'utf8') : undefined;
		} finally {
			await rm(folder, {recursive: true, force: true});
		}
	},
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

/** The clipboard of the desktop that this terminal belongs to; it is not there over a plain remote connection. */
const clipboardTool = ({
	WAYLAND_DISPLAY,
	DISPLAY,
}: Readonly<Record<string, string | undefined>>): string[] => {
	if (WAYLAND_DISPLAY) return ['wl-copy'];
	if (DISPLAY) return ['xclip', '-selection', 'clipboard'];
	return process.platform === 'darwin' ? ['pbcopy'] : [];
};
