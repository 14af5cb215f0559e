import {describe, expect, it, vi} from 'vitest';
import {type InForce, keepLastGood, readTexts, startWith} from '../../source/colony/keep-last-good.ts';
import * as yaml from '../../source/colony/read-yaml.ts';
import type {ReadYaml} from '../../source/colony/yaml-tree.ts';
import {filesInMemory} from './files-in-memory.ts';

vi.mock('../../source/colony/read-yaml.ts', {spy: true});

const places = {root: '/repo', folder: '/home/shop'};
const colonyYaml = '/repo/.hive/colony.yaml';
const bee = '/repo/.hive/bees/builder.yaml';
const prompt = '/repo/.hive/prompts/do.md';
const config = '/home/shop/config.yaml';
const beta = '/home/shop/adapters/beta.yaml';

const good: Readonly<Record<string, string>> = {
	[colonyYaml]: 'slug: shop\n',
	[bee]: 'adapter: script\ncommand: first\n',
	[prompt]: 'first',
	[config]: 'colony_root: /repo\nslug: shop\n',
	[beta]: 'binary: first\n',
};

/** What counts when these files were good once and are then changed; nothing stands for a file that is gone. */
const changed = async (
	changes: Readonly<Record<string, string | undefined>>,
	before: Readonly<Record<string, string>> = good,
	more: Readonly<Record<string, string | undefined>> = {},
): Promise<InForce> => {
	const {files, texts} = filesInMemory(before);
	let inForce = await startWith(places, await readTexts(files, places));
	for (const step of [changes, more]) {
		for (const [path, text] of Object.entries(step))
			text === undefined ? texts.delete(path) : texts.set(path, text);
		inForce = await keepLastGood(places, inForce, await readTexts(files, places, inForce));
	}
	return inForce;
};

const inShort = ({colony, machine, kept}: InForce) => ({
	slug: colony.slug,
	command: colony.bees.get('builder')?.command?.join(' '),
	prompt: colony.prompts.get('do.md'),
	binary: machine.adapters.beta?.binary,
	kept: kept.map(({path}) => path),
});

const first = {slug: 'shop', command: 'first', prompt: 'first', binary: 'first', kept: []};

describe('of files that change', () => {
	it('all count as they are, when all are good', async () => {
		const second = {
			[colonyYaml]: 'slug: other\n',
			[bee]: 'adapter: script\ncommand: second\n',
			[prompt]: 'second',
			[beta]: 'binary: second\n',
		};
		expect(inShort(await changed(second))).toEqual({
			...{slug: 'other', command: 'second', prompt: 'second', binary: 'second', kept: []},
		});
	});

	it.each([
		['a bee', bee, 'adapter: [', '.hive/bees/builder.yaml:1'],
		['a template', prompt, '{{if .Task}}', '.hive/prompts/do.md:1'],
		['colony.yaml', colonyYaml, 'unknown: 1\n', '.hive/colony.yaml:1'],
		['a colony.yaml that is gone', colonyYaml, undefined, '.hive/colony.yaml'],
		['an adapter file of this machine', beta, 'binray: x\n', `${beta}:1`],
		['the config.yaml of this machine', config, 'slug: [', `${config}:1`],
		['a config.yaml that is gone', config, undefined, config],
	])(
		'the last good version of %s stays when it is broken, and the others count as they are',
		async (_, path, text, place) => {
			const {problems} = (await changed({[path]: text})).colony;
			expect(problems).toEqual([]);
			const other = path === prompt ? {[beta]: 'binary: second\n'} : {[prompt]: 'second'};
			const inForce = await changed({[path]: text, ...other});
			expect(inShort(inForce)).toEqual({
				...first,
				...(path === prompt ? {binary: 'second'} : {prompt: 'second'}),
				kept: expect.arrayContaining([place]),
			});
			for (const {message} of inForce.kept)
				expect(message).toMatch(/^its last good version stays in force: \S/);
		},
	);

	it('one that is mended counts again', async () => {
		const mended = {[bee]: 'adapter: script\ncommand: second\n', [beta]: 'binary: second\n'};
		const broken = {[bee]: 'adapter: [', [beta]: ':'};
		expect(inShort(await changed(broken, good, mended))).toEqual({
			...{...first, command: 'second', binary: 'second'},
		});
	});

	it('one that is as it was again is not told any more', async () => {
		const inForce = await changed({[bee]: 'adapter: ['}, good, {[bee]: good[bee]});
		expect(inShort(inForce)).toEqual(first);
		expect(inForce.colony.problems).toEqual([]);
	});

	it('none costs anything when all are as they were', async () => {
		const {files} = filesInMemory(good);
		const inForce = await startWith(places, await readTexts(files, places));
		const {colony, machine} = await keepLastGood(places, inForce, await readTexts(files, places, inForce));
		expect(colony).toBe(inForce.colony);
		expect(machine).toBe(inForce.machine);
	});

	it('the YAML is read by whoever remembers it', async () => {
		const texts = [...Object.values(good), 'adapter: script\ncommand: second\n'].filter(
			text => text !== 'first',
		);
		const trees = new Map(texts.map(text => [text.trim(), yaml.readYaml(text)]));
		const readYaml: ReadYaml = async text => trees.get(text.trim()) ?? yaml.readYaml(text);
		const remembering = {...places, readYaml};
		vi.mocked(yaml.readYaml).mockClear();
		const {files, texts: now} = filesInMemory(good);
		const inForce = await startWith(remembering, await readTexts(files, remembering));
		now.set(bee, 'adapter: script\ncommand: second\n');
		const found = await readTexts(files, remembering, inForce);
		expect(inShort(await keepLastGood(remembering, inForce, found))).toEqual({...first, command: 'second'});
		expect(yaml.readYaml).not.toHaveBeenCalled();
	});

	it('one that is removed is gone, where it may be', async () => {
		expect(inShort(await changed({[bee]: undefined, [beta]: undefined}))).toEqual({
			...{...first, command: undefined, binary: undefined},
		});
	});

	it('one that never was good is only told of', async () => {
		const inForce = await changed(
			{[bee]: 'adapter: {', [beta]: 'nor: this\n'},
			{
				...{...good, [bee]: 'adapter: [', [beta]: 'not: this\n'},
			},
		);
		expect(inShort(inForce)).toEqual({...first, command: undefined, binary: undefined});
		expect(inForce.colony.problems.map(({path}) => path)).toEqual(['.hive/bees/builder.yaml:1', `${beta}:1`]);
	});
});

it('a start without a usable colony.yaml or config.yaml is refused', async () => {
	const start = async (changes: Readonly<Record<string, string>>) => {
		const texts = await readTexts(filesInMemory({...good, ...changes}).files, places);
		return startWith(places, texts);
	};
	await expect(start({[colonyYaml]: 'slug: [\n'})).rejects.toMatchObject({refusal: {code: 'invalid_config'}});
	await expect(start({[config]: 'slug: [\n'})).rejects.toMatchObject({refusal: {code: 'invalid_config'}});
	const bare = await readTexts(filesInMemory({[colonyYaml]: 'slug: shop\n'}).files, places);
	await expect(startWith(places, bare)).rejects.toMatchObject({refusal: {code: 'no_colony'}});
});
