import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, onTestFinished, test} from 'vitest';
import {loadColony} from '../../source/colony/load-colony.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {locateColony} from '../../source/host/locate-colony.ts';
import {maxConfigurationBytes} from '../../source/ports/files.ts';

const files = createFiles();

const createCheckout = async () => {
	const root = await realpath(await mkdtemp(join(tmpdir(), 'hive-configuration-')));
	onTestFinished(() => rm(root, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	const put = async (path: string, text: string) => {
		await mkdir(dirname(join(root, path)), {recursive: true});
		await writeFile(join(root, path), text);
	};
	await put('.git/HEAD', 'ref: refs/heads/main\n');
	await put('outside/private.yaml', 'secret_key: private words\n');
	await put('outside/colony.yaml', 'slug: shop\n');
	await put('.hive/colony.yaml', 'slug: shop\n');
	await put('.hive/bees/builder.yaml', 'prompt_template: p.md\n');
	return {root, put};
};

type Place = (path: string) => Promise<unknown>;

const pipe: Place = path => promisify(execFile)('mkfifo', [path]);
const linkTo =
	(target: string): Place =>
	path =>
		symlink(target, path);
const tooLarge: Place = async path => {
	await writeFile(path, 'role: x\n');
	await truncate(path, maxConfigurationBytes + 1);
};

const things: readonly (readonly [name: string, place: Place, message: string])[] = [
	[
		'a link',
		linkTo('../../outside/private.yaml'),
		'is a symbolic link; hive does not go through links there',
	],
	['a link to a device', linkTo('/dev/zero'), 'is a symbolic link; hive does not go through links there'],
	['a pipe', pipe, 'is not a regular file; hive reads only regular files there'],
	['a folder', path => mkdir(path), 'is not a regular file; hive reads only regular files there'],
	['more than 1 MiB', tooLarge, 'is larger than 1 MiB; hive reads no such file there'],
];

describe.each(things)('%s instead of a file below .hive', (_, place, message) => {
	test.each([
		'.hive/bees/other.yaml',
		'.hive/bees/builder.local.yaml',
		'.hive/cues/c.yaml',
		'.hive/prompts/p.md',
	])('is reported and not read: %s', async path => {
		const {root} = await createCheckout();
		await mkdir(dirname(join(root, path)), {recursive: true});
		await place(join(root, path));
		const colony = await loadColony(files, root);
		expect(colony).toMatchObject({ok: true, value: {problems: [{path, message}]}});
		expect(JSON.stringify(colony)).not.toMatch(/secret_key|private words/);
	});

	test('prevents the colony from being opened, and the error names .hive/colony.yaml', async () => {
		const {root} = await createCheckout();
		await rm(join(root, '.hive/colony.yaml'));
		await place(join(root, '.hive/colony.yaml'));
		expect(await loadColony(files, root)).toMatchObject({
			ok: false,
			refusal: {code: 'invalid_config', details: [{path: '.hive/colony.yaml', message}]},
		});
		expect(locateColony({HOME: root}, root)).toBeUndefined();
	});
});

test.each(['.hive/bees', '.hive/cues', '.hive/prompts', '.hive/prompts/_partials'])(
	'a link instead of the folder %s is reported once, and its target is not read',
	async folder => {
		const {root, put} = await createCheckout();
		await put('outside/do.md', 'private words');
		await rm(join(root, folder), {recursive: true, force: true});
		await mkdir(dirname(join(root, folder)), {recursive: true});
		await symlink(join(root, 'outside'), join(root, folder));
		const colony = await loadColony(files, root);
		const message = 'is a symbolic link; hive does not go through links there';
		expect(colony).toMatchObject({ok: true, value: {problems: [{path: folder, message}]}});
		expect(JSON.stringify(colony)).not.toContain('private words');
	},
);

test('a link instead of .hive is reported, and its target is not read', async () => {
	const {root} = await createCheckout();
	await rm(join(root, '.hive'), {recursive: true});
	await symlink(join(root, 'outside'), join(root, '.hive'));
	expect(await loadColony(files, root)).toMatchObject({
		ok: false,
		refusal: {code: 'invalid_config', details: [{path: '.hive'}]},
	});
	expect(locateColony({HOME: root}, root)).toBeUndefined();
});

test('a slug with a path outside its folder names no folder of this machine', async () => {
	const {root, put} = await createCheckout();
	await put('.hive/colony.yaml', 'slug: ../../outside\n');
	expect(locateColony({HOME: root}, root)).toBeUndefined();
});

test('a colony of regular files opens normally', async () => {
	const {root} = await createCheckout();
	expect(locateColony({HOME: root}, root)).toMatchObject({root});
});
