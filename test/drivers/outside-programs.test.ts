import {execFileSync} from 'node:child_process';
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
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
	it('that cannot be opened is a fault in words', async () => {
		vi.stubEnv('TMPDIR', path.join(folder, 'gone'));
		const {edit} = createOutsidePrograms({PATH: process.env.PATH, EDITOR: 'true'});
		await expect(edit('text')).rejects.toThrow(/^The editor could not be opened: ENOENT: .*gone/);
	});
});

describe('the clipboard of this machine', () => {
	it.each([
		['wl-copy', {WAYLAND_DISPLAY: 'wayland-0'}, ''],
		['xclip', {DISPLAY: ':0'}, '-selection clipboard'],
	])('is given what is copied through %s', async (name, display, args) => {
		const clipboard = path.join(folder, 'clipboard');
		execFileSync('mkfifo', [clipboard]);
		const tool = path.join(folder, name);
		writeFileSync(tool, `#!/bin/sh\n{ echo "$*"; cat; } > "${clipboard}"\n`);
		chmodSync(tool, 0o755);
		createOutsidePrograms({PATH: `${folder}:${process.env.PATH}`, ...display}).copy('漢字 whole\nlines');
		expect(await readFile(clipboard, 'utf8')).toBe(`${args}\n漢字 whole\nlines`);
	});

	it('is left alone where no tool is installed, and without a desktop', () => {
		for (const display of [{}, {DISPLAY: ':0'}])
			expect(() => createOutsidePrograms({PATH: folder, ...display}).copy('text')).not.toThrow();
	});
});
