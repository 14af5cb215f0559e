import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import {inkRowCache} from '../../build/ink-row-cache.mjs';
import {readyAtOnce} from '../../build/ready-at-once.mjs';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';
import {bundleApp} from './bundle-app.ts';

let folder: string;
let app: string;
let terminal: VirtualTerminal;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'hive-dashboard-'));
	app = await bundleApp('test/dashboard/fixtures/app.ts', join(folder, 'app.mjs'), [
		readyAtOnce,
		inkRowCache,
	]);
});
afterEach(() => terminal.close());
afterAll(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));

const open = async (kind = '', env: Record<string, string> = {}): Promise<string> => {
	terminal = openTerminal([process.execPath, app, kind], {env});
	return terminal.until(screen => screen.includes('Add OAuth login') || screen.includes('No traces yet'));
};

const given = {alternate: false, cursorHidden: false, bracketedPaste: false, mouse: false};

describe('the dashboard in a terminal', () => {
	it('draws the first tab and leaves the last row free', async () => {
		const screen = await open();
		expect(screen).toContain('[1 Traces]');
		expect(terminal.screen().at(-1)).toBe('');
		expect(terminal.modes()).toMatchObject({alternate: true, cursorHidden: true});
	});

	it('draws over the skeleton without clearing it, and leaves the terminal as it was', async () => {
		await open('painted');
		expect(terminal.raw().match(/\[2J|\[\?1049h/g)).toEqual(['[?1049h', '[2J']);
		terminal.signal('SIGTERM');
		await terminal.ended;
		expect(terminal.modes()).toEqual(given);
	});

	it('gives the terminal back on q', async () => {
		await open('live');
		terminal.type('mq');
		await terminal.until(screen => {
			if (screen.includes('bee at work')) terminal.type('l');
			return screen.includes('ENDED');
		});
		expect((await terminal.ended).exitCode).toBe(0);
		expect(terminal.modes()).toEqual(given);
	});

	it('gives the terminal to the shell on Ctrl+Z and takes it again on fg', async () => {
		terminal = openTerminal(['bash', '--norc', '--noprofile', '-i'], {env: {PS1: 'shell> '}});
		await terminal.until(screen => screen.includes('shell>'));
		terminal.type(`${process.execPath} ${app}\n`);
		await terminal.until(screen => screen.includes('Add OAuth login'));
		terminal.type('\x1a');
		await terminal.until(screen => screen.includes('Stopped'));
		expect(terminal.modes()).toMatchObject({alternate: false, cursorHidden: false});
		terminal.type('fg\n');
		await terminal.until(screen => screen.includes('Add OAuth login') && screen.includes('q quit'));
		expect(terminal.modes()).toMatchObject({alternate: true, cursorHidden: true});
		terminal.type('j');
		await terminal.until(screen => screen.includes('>◆  Fix flaky upload test'));
	});

	it('shows no focus report of the terminal when it returns from an editor', async () => {
		await open('live');
		await terminal.press('c', screen => screen.includes('What is it about:'));
		const told = terminal.wrote('\x1b[?1004h').then(() => terminal.type('\x1b[O'));
		await terminal.press('\x07', screen => screen.includes('edited'));
		await told;
		expect(terminal.screen().join('\n')).not.toContain('^[');
	});

	it.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGQUIT', 131],
		['SIGALRM', 142],
	])('gives the terminal back on %s and exits %i', async (name, exitCode) => {
		await open();
		terminal.signal(name);
		expect((await terminal.ended).exitCode).toBe(exitCode);
		expect(terminal.modes()).toEqual(given);
	});

	it('gives the terminal back before a crash is printed', async () => {
		await open('crash');
		terminal.signal('SIGUSR2');
		expect((await terminal.ended).exitCode).toBe(1);
		expect(terminal.modes()).toEqual(given);
		expect(terminal.screen().join('\n')).toContain('told to crash');
	});

	it.each(['crash', 'broken'])('discards input while it ends by an error: %s', async kind => {
		terminal = openTerminal(['bash', '--norc', '--noprofile', '-i'], {env: {PS1: 'shell> '}});
		await terminal.until(screen => screen.includes('shell>'));
		terminal.type(`${process.execPath} ${app} ${kind}\n`);
		await terminal.until(screen => screen.includes('Add OAuth login'));
		const [pid] = execFileSync('pgrep', ['-f', `${app} ${kind}$`], {encoding: 'utf8'}).split('\n');
		process.kill(Number(pid), 'SIGUSR2');
		for (let count = 0; count < 40; count += 1) {
			terminal.type('12');
			await new Promise(setImmediate);
		}
		const screen = await terminal.until(
			text => /shell> $/.test(text.trimEnd().concat(' ')) && text.includes('Node.js v'),
		);
		expect(screen).not.toContain('1212');
		expect(terminal.modes()).toMatchObject({alternate: false, cursorHidden: false, mouse: false});
	});

	it('writes only the rows that changed, and never clears after the first frame', async () => {
		await open();
		const before = terminal.raw().length;
		terminal.type('j');
		await terminal.until(screen => screen.includes('>◆  Fix flaky upload test'));
		const written = terminal.raw().slice(before);
		expect(written).not.toMatch(/\[[23]?J/);
		expect(written).not.toContain('[1 Traces]');
	});

	it('shows the same after many changes as after a full redraw', async () => {
		await open();
		terminal.type('jjk23461\t\t?x');
		await terminal.until(screen => screen.includes('Help'));
		terminal.type('\x1b');
		await terminal.until(screen => !screen.includes('Help'));
		terminal.type(':');
		await terminal.until(screen => screen.includes('Palette'));
		terminal.type('\x1b');
		await terminal.until(screen => !screen.includes('Palette'));
		terminal.type('m');
		await terminal.until(screen => screen.includes('Mouse on;'));
		const before = terminal.screen();
		terminal.type('\x0c');
		await terminal.until(
			() => terminal.raw().split('\x1b[2J').length === 3 && terminal.screen()[0] === before[0],
		);
		await terminal.until(screen => screen === before.join('\n'));
	});

	it('recomputes its layout when the terminal is resized, down to too small and back', async () => {
		await open();
		terminal.resize(80, 24);
		await terminal.until(screen => screen.includes('[1Tra]') && screen.includes('TITLE'));
		terminal.resize(40, 10);
		await terminal.until(screen => screen.includes('Need 60x15, have 40x10.'));
		terminal.resize(120, 36);
		await terminal.until(screen => screen.includes('[1 Traces]') && screen.includes('q quit'));
	});

	it('lets a hostile log neither move the cursor nor set a title nor reach the clipboard', async () => {
		await open('hostile');
		terminal.type('\tk');
		const screen = await terminal.until(
			text => text.includes('Log builder') && text.includes('removed') && text.includes('evil'),
		);
		// The last sequence may be incomplete.
		const sequences = terminal.raw().split('\x1b').slice(1, -1);
		const allowed =
			/^(?:\[(?:H|2J|\d*[AEG]|K|[\d;]*m|2[23];2t|\?(?:1049|7|25|2004|2026|1000|1004|1006)[hl])|\]2;(?:\(\d\) )?hive acme-api$|\\)(?:[^\p{C}]|\r?\n)*$/u;
		for (const sequence of sequences) expect(sequence).toMatch(allowed);
		expect(terminal.raw().split('\x1b[2J')).toHaveLength(2);
		expect(terminal.raw()).not.toContain('b3duZWQ=');
		expect(screen).toContain('back<U+202E>ward');
	});

	it.each([120, 100, 80])('cuts a title of wide characters before its honey at %i columns', async columns => {
		terminal = openTerminal([process.execPath, app, 'wide'], {columns});
		const screen = await terminal.until(now => now.includes('Tasks 1 of 1 · '));
		expect(screen.split('\n').find(row => row.includes('Tasks 1 of 1 · '))).toMatch(
			/… {1,2}(t )?· honey \[[█░]+\] 7\/12 ─/,
		);
	});

	it('copies with its own OSC 52 sequence', async () => {
		await open();
		terminal.type('y');
		await terminal.until(screen => screen.includes('copied.'));
		const id = Buffer.from('trace-019a8b7c3f9a1c02').toString('base64');
		expect(terminal.raw()).toContain(`\x1b]52;c;${id}\x07`);
	});

	it('takes a paste as text, never as keys', async () => {
		await open();
		terminal.type('\x1b[200~qKy\x1b[201~/');
		await terminal.until(screen => screen.includes('Enter keep'));
		terminal.type('\x1b[200~Bump\x1b[201~');
		await terminal.until(screen => screen.includes('Traces 1 of 1 · /Bump'));
	});

	it('draws every frame even if the environment has CI set', async () => {
		await open('', {CI: 'true'});
		terminal.type('4');
		await terminal.until(screen => screen.includes('[4 Events]'));
	});

	it('draws in ASCII and without colour if the environment asks for it', async () => {
		await open('', {LC_ALL: 'C', NO_COLOR: '1'});
		expect(terminal.screen().join('')).toMatch(/^[ -~]*$/);
		expect(terminal.screen().join('\n')).toContain('| !  Fix flaky upload test');
		expect(terminal.raw()).not.toMatch(/\[[349]\d(?:;\d+)*m/);
	});
});
