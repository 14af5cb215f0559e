import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {createRepository} from '../helpers/repository.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

const presets = join(import.meta.dirname, '../../fixtures/agents/presets/bin');

/** A repository without a colony, on a machine with one agent tool, with `hive` typed in it. */
const begin = async () => {
	const home = await mkdtemp(join(tmpdir(), 'hive-newcomer-'));
	onTestFinished(() => rm(home, {recursive: true, force: true, maxRetries: 5}).catch(() => {}));
	await mkdir(join(home, 'bin'));
	await symlink(join(presets, 'claude'), join(home, 'bin', 'claude'));
	const repository = await createRepository({'readme.md': 'Something.\n'});
	const terminal = openTerminal([process.execPath, builtCommand()], {
		cwd: repository.root,
		env: {HOME: home, XDG_CONFIG_HOME: '', PATH: `${home}/bin:${process.env.PATH}`},
	});
	onTestFinished(async () => {
		terminal.signal('SIGTERM');
		await terminal.ended;
		terminal.close();
	});
	return {repository, terminal};
};

it('the first minute leads from no colony to a merged feature, by keys alone', async () => {
	const {repository, terminal} = await begin();
	await terminal.until(screen => screen.includes('There is no colony') && screen.includes('y / N'));
	terminal.type('y');
	await terminal.until(screen => screen.includes('No traces yet') && /reactor ●/.test(screen));
	await terminal.until(screen => screen.includes('>Examples  Write a small program that prints a greeting'));

	terminal.type('cHello to everybody\rin a file of its own');
	await terminal.until(
		screen => screen.includes('│ Hello to everybody') && screen.includes('│ in a file of its own'),
	);
	await terminal.press('\x04', screen => !screen.includes('What is it about:'));
	await terminal.until(screen => screen.includes('Hello to everybody'));
	await terminal.until(screen => screen.includes('waiting for review'));

	terminal.type('3');
	await terminal.until(screen => screen.includes('+Hello from claude'));
	await terminal.press('a', screen => screen.includes('y Merge') && /Merges \d+ file/.test(screen));
	await terminal.press('y', screen => !screen.includes('y Merge'));
	const greeting = () => readFile(join(repository.root, 'greeting.txt'), 'utf8').catch(() => 'none');
	await expect.poll(greeting).toBe('Hello from claude\n');
	await terminal.until(screen => screen.includes('Nothing waits for you') && !screen.includes('Approving'));
	expect(existsSync(join(repository.root, '.hive/colony.yaml'))).toBe(true);
	terminal.type('q');
	expect(await terminal.ended).toMatchObject({exitCode: 0});
});
