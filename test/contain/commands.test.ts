import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {profileGroups} from '../../source/host/views/containment.ts';
import {createColony} from '../helpers/colony-on-disk.ts';
import {canContain} from './namespaces.ts';

const bees = (contain: string) => ({
	'.hive/bees/maker.yaml': `adapter: script\ncommand: [make]\nworktree: true\n${contain}`,
	'.hive/bees/reader.yaml': 'adapter: script\ncommand: [make]\ncontain: required\n',
});

it('contain show tells what a run of the bee writes to, has of its own, and does not see', async () => {
	const colony = await createColony({files: bees('contain: {network: none, write: [~/out]}\n')});
	for (const folder of ['.ssh', '.npm', 'out']) await mkdir(join(colony.home, folder), {recursive: true});
	const {profile, ...shown} = await profileOf(colony, 'maker');
	expect(shown).toMatchObject({bee: 'maker', mode: 'auto', network: 'none'});
	const lists = Object.fromEntries(
		profileGroups(profile, colony).map(({heading, paths}) => [heading, paths] as const),
	);
	expect(lists['It writes to']).toEqual(expect.arrayContaining(['~/out', '.hive/worktrees/TRACE']));
	expect(lists['It does not see']).toEqual(expect.arrayContaining(['~/.ssh']));
	expect(lists['It has its own, which the runs of its trace share']).toEqual(['~/.npm']);
	const {stdout} = await colony.hive(['contain', 'show', 'maker']);
	expect(stdout).toContain('maker  contain: auto');
	expect(stdout).toContain('It has no network but a loopback of its own.');
	expect(existsSync(join(colony.root, '.hive/runs'))).toBe(false);
});

it('contain show tells of a bee that is not contained what "auto" would do', async () => {
	const colony = await createColony({files: bees('')});
	const {stdout} = await colony.hive(['contain', 'show', 'maker']);
	expect(stdout).toContain('Its runs are not contained. With "contain: auto" it would be as follows.');
});

const profileOf = async (colony: Awaited<ReturnType<typeof createColony>>, bee: string) => {
	const {stdout} = await colony.hive(['contain', 'show', bee, '--json']);
	const {places, network, workspace, ...rest} = JSON.parse(stdout);
	return {...rest, network, profile: {places, network, workspace}};
};

describe.skipIf(!canContain.can)('contain try', () => {
	it('runs the command in a clean worktree, has its exit code, and leaves nothing', async () => {
		const colony = await createColony({files: bees('')});
		await writeFile(join(colony.root, 'unsaved'), 'x');
		const script = 'ls; pwd; touch made; echo x >"$HOME/planted"; exit 7';
		const {exitCode, stdout, stderr} = await colony.hive([
			'contain',
			'try',
			'maker',
			'--',
			'sh',
			'-c',
			script,
		]);
		expect([exitCode, stdout]).toEqual([7, expect.stringContaining('.hive/worktrees/')]);
		expect(stdout).not.toContain('unsaved');
		expect(stderr).toContain('Read-only file system');
		expect(existsSync(join(colony.home, 'planted'))).toBe(false);
		expect(await colony.git(['worktree', 'list'])).not.toContain('_verify');
		expect(await colony.git(['status', '--short'])).toBe('?? unsaved');
	});

	it('prints one document with --json, and the output of the command beside it', async () => {
		const colony = await createColony({files: bees('')});
		const args = ['contain', 'try', 'maker', '--json', '--', 'echo', 'hello'];
		const {exitCode, stdout, stderr} = await colony.hive(args);
		expect([exitCode, JSON.parse(stdout)]).toEqual([0, {v: 1, bee: 'maker', mode: 'off', exitCode: 0}]);
		expect(stderr).toBe('hello\n');
	});

	it('works in the checkout for a bee that works there', async () => {
		const colony = await createColony({files: bees('')});
		const {exitCode} = await colony.hive(['contain', 'try', 'reader', '--', 'touch', 'made']);
		expect([exitCode, existsSync(join(colony.root, 'made'))]).toEqual([0, true]);
	});

	it('is refused inside a run', async () => {
		const colony = await createColony({files: bees('')});
		const env = {HIVE_TRACE_ID: 't', HIVE_AGENT_ID: 'a'};
		const {exitCode, stderr} = await colony.hive(['contain', 'try', 'maker', '--', 'true'], {env});
		expect([exitCode, stderr]).toEqual([4, expect.stringContaining('only a person')]);
	});
});
