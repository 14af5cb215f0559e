import {describe, expect, it} from 'vitest';
import {
	createReadAll,
	type InForce,
	keepLastGood,
	startWith,
} from '../../../source/colony/configuration/read.ts';
import {readYaml} from '../../../source/colony/parse/read-yaml.ts';
import {readYamlUncached} from '../../../source/colony/parse/read-yaml-uncached.ts';
import type {ReadYaml} from '../../../source/colony/parse/yaml-tree.ts';
import {filesInMemory} from '../files-in-memory.ts';

const location = {root: '/repo', folder: '/home/shop'};
const readAll = createReadAll(location, readYamlUncached);
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

/**
 * Returns what is in force after files that were valid change; undefined stands for a removed file.
 */
const changed = async (
	changes: Readonly<Record<string, string | undefined>>,
	before: Readonly<Record<string, string>> = good,
	more: Readonly<Record<string, string | undefined>> = {},
): Promise<InForce> => {
	const {files, texts} = filesInMemory(before);
	let inForce = startWith(await readAll(files));
	for (const step of [changes, more]) {
		for (const [path, text] of Object.entries(step))
			text === undefined ? texts.delete(path) : texts.set(path, text);
		inForce = await keepLastGood(readAll, inForce, await readAll(files, inForce.versions));
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

describe('the configuration in force after files change', () => {
	it('has every file as it is, if all are valid', async () => {
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
		'keeps the last valid version of %s while it is broken, and takes the other files as they are',
		async (_, path, text, problem) => {
			const {problems} = (await changed({[path]: text})).colony;
			expect(problems).toEqual([]);
			const other = path === prompt ? {[beta]: 'binary: second\n'} : {[prompt]: 'second'};
			const inForce = await changed({[path]: text, ...other});
			expect(inShort(inForce)).toEqual({
				...first,
				...(path === prompt ? {binary: 'second'} : {prompt: 'second'}),
				kept: expect.arrayContaining([problem]),
			});
			for (const {message} of inForce.kept)
				expect(message).toMatch(/^its last good version stays in force: \S/);
		},
	);

	it('has a repaired file again', async () => {
		const mended = {[bee]: 'adapter: script\ncommand: second\n', [beta]: 'binary: second\n'};
		const broken = {[bee]: 'adapter: [', [beta]: ':'};
		expect(inShort(await changed(broken, good, mended))).toEqual({
			...{...first, command: 'second', binary: 'second'},
		});
	});

	it('reports no problem of a file that is back in its former state', async () => {
		const inForce = await changed({[bee]: 'adapter: ['}, good, {[bee]: good[bee]});
		expect(inShort(inForce)).toEqual(first);
		expect(inForce.colony.problems).toEqual([]);
	});

	it('is unchanged without work if no file changed', async () => {
		const {files} = filesInMemory(good);
		const inForce = startWith(await readAll(files));
		const {colony, machine} = await keepLastGood(readAll, inForce, await readAll(files, inForce.versions));
		expect(colony).toBe(inForce.colony);
		expect(machine).toBe(inForce.machine);
	});

	it('reads YAML through the caching reader', async () => {
		const unreadable = (text: string) => `{ ${text}`;
		const remember: ReadYaml = async text => readYaml(text.slice(unreadable('').length));
		const remembering = createReadAll(location, remember);
		const yaml = Object.entries(good).map(([path, text]) => [
			path,
			path === prompt ? text : unreadable(text),
		]);
		const {files, texts: now} = filesInMemory(Object.fromEntries(yaml));
		const inForce = startWith(await remembering(files));
		now.set(bee, unreadable('adapter: script\ncommand: second\n'));
		const found = await remembering(files, inForce.versions);
		expect(inShort(await keepLastGood(remembering, inForce, found))).toEqual({...first, command: 'second'});
	});

	it('keeps a template that only a broken bee names, and takes its changes', async () => {
		const deep = '/repo/.hive/prompts/sub/deep.md';
		const named = {...good, [bee]: `${good[bee]}prompt_template: sub/deep.md\n`, [deep]: 'first'};
		const broken = await changed({[bee]: 'adapter: ['}, named);
		expect(broken.colony.prompts.get('sub/deep.md')).toBe('first');
		const changedThen = await changed({[bee]: 'adapter: ['}, named, {[deep]: 'second'});
		expect(changedThen.colony.prompts.get('sub/deep.md')).toBe('second');
		expect(changedThen.kept.map(({path}) => path)).toEqual(['.hive/bees/builder.yaml:1']);
	});

	it('loses a removed optional file', async () => {
		expect(inShort(await changed({[bee]: undefined, [beta]: undefined}))).toEqual({
			...{...first, command: undefined, binary: undefined},
		});
	});

	it('reports a file that was never valid, and has nothing of it', async () => {
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

it('a start without a valid colony.yaml or config.yaml is refused', async () => {
	const start = async (changes: Readonly<Record<string, string>>) => {
		return startWith(await readAll(filesInMemory({...good, ...changes}).files));
	};
	await expect(start({[colonyYaml]: 'slug: [\n'})).rejects.toMatchObject({refusal: {code: 'invalid_config'}});
	await expect(start({[config]: 'slug: [\n'})).rejects.toMatchObject({refusal: {code: 'invalid_config'}});
	const bare = async () => startWith(await readAll(filesInMemory({[colonyYaml]: 'slug: shop\n'}).files));
	await expect(bare()).rejects.toMatchObject({refusal: {code: 'no_colony'}});
});
