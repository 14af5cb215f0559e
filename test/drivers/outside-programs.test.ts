import {execFileSync} from 'node:child_process';
import {chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {beforeEach, describe, expect, it, onTestFinished, vi} from 'vitest';
import {createOutsidePrograms} from '../../source/drivers/outside-programs.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'hive-clipboard-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
});

describe('an editor or a pager', () => {
	const {PATH} = process.env;

	it('receives the text, and the edited text is returned', async () => {
		const editor = path.join(folder, 'editor');
		writeFileSync(editor, '#!/bin/sh\necho "$WORD" >>"$1"\n', {mode: 0o755});
		const {edit} = createOutsidePrograms({PATH, EDITOR: editor, WORD: 'mended'});
		expect(await edit('text\n')).toBe('text\nmended\n');
	});

	it('edits an existing file in place, and creates none', async () => {
		const file = path.join(folder, "it's.yaml");
		writeFileSync(file, 'one\n');
		const {editFile} = createOutsidePrograms({PATH, EDITOR: 'echo two >>'});
		await editFile(file);
		expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
		const gone = path.join(folder, 'gone.yaml');
		await expect(editFile(gone)).rejects.toThrow(/^The editor could not be opened: ENOENT: .*gone/);
		await expect(readFile(gone)).rejects.toThrow('ENOENT');
	});

	it.each(['false', 'kill $$ #'])('changes nothing when the editor fails: %s', async editor => {
		expect(await createOutsidePrograms({PATH, VISUAL: editor}).edit('text')).toBeUndefined();
	});

	it('receives the whole text, and may exit before it has read all of it', async () => {
		const shown = path.join(folder, 'shown');
		const text = 'line\n'.repeat(100_000);
		await createOutsidePrograms({PATH, PAGER: `cat >${shown}`}).page(text);
		expect(await readFile(shown, 'utf8')).toBe(text);
		await createOutsidePrograms({PATH, PAGER: 'true'}).page(text);
	});

	it('that cannot be started is an error with a message', async () => {
		vi.stubEnv('TMPDIR', path.join(folder, 'gone'));
		const {edit} = createOutsidePrograms({PATH: process.env.PATH, EDITOR: 'true'});
		await expect(edit('text')).rejects.toThrow(/^The editor could not be opened: ENOENT: .*gone/);
	});
});

describe('a shell', () => {
	it('starts in the folder, and an error names a folder that is gone', async () => {
		const program = path.join(folder, 'shell');
		const written = path.join(folder, 'written');
		writeFileSync(program, `#!/bin/sh\npwd >'${written}'\nexit 3\n`, {mode: 0o755});
		const {shell} = createOutsidePrograms({PATH: process.env.PATH, SHELL: program});
		await shell(tmpdir());
		expect((await readFile(written, 'utf8')).trim()).toBe(realpathSync(tmpdir()));
		await expect(shell(path.join(folder, 'gone'))).rejects.toThrow(/^The shell could not be opened: ENOENT/);
	});
});

describe('a program that is launched', () => {
	it.each([
		['a NUL', 'one\0two', 'one\uFFFDtwo'],
		['sequences for a terminal', 'one\x1b[31m two\x1b]0;title\x07', 'one two'],
		['more than the system takes', 'long '.repeat(100_000), 'long '.repeat(100_000).slice(0, 16 * 1024)],
		['line feeds', 'one\ntwo', 'one\ntwo'],
	])('is started even if a variable has %s', async (_, text, given) => {
		const found = path.join(folder, 'found');
		execFileSync('mkfifo', [found]);
		const {launch} = createOutsidePrograms({PATH: process.env.PATH});
		await launch(['sh', '-c', `printf %s "$HIVE_NOTIFY_TITLE" >'${found}'`], {HIVE_NOTIFY_TITLE: text});
		expect(await readFile(found, 'utf8')).toBe(given);
	});
});

describe('the clipboard of this machine', () => {
	it.each([
		['wl-copy', {WAYLAND_DISPLAY: 'wayland-0'}, ''],
		['xclip', {DISPLAY: ':0'}, '-selection clipboard'],
	])('receives copied text through %s', async (name, display, args) => {
		const clipboard = path.join(folder, 'clipboard');
		execFileSync('mkfifo', [clipboard]);
		const tool = path.join(folder, name);
		writeFileSync(tool, `#!/bin/sh\n{ echo "$*"; cat; } > "${clipboard}"\n`);
		chmodSync(tool, 0o755);
		createOutsidePrograms({PATH: `${folder}:${process.env.PATH}`, ...display}).copy('漢字 whole\nlines');
		expect(await readFile(clipboard, 'utf8')).toBe(`${args}\n漢字 whole\nlines`);
	});

	it('is not used without a tool or without a desktop', () => {
		for (const display of [{}, {DISPLAY: ':0'}])
			expect(() => createOutsidePrograms({PATH: folder, ...display}).copy('text')).not.toThrow();
	});
});
