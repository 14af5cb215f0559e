import {describe, expect, it} from 'vitest';
import {createReadAll, type ReadAll} from '../../../source/colony/configuration/read.ts';
import {
	createTrust,
	digestOf,
	readTrusted,
	writeAccepted,
} from '../../../source/colony/configuration/trust.ts';
import {trustFile} from '../../../source/colony/configuration/trust-file.ts';
import {readYamlUncached} from '../../../source/colony/parse/read-yaml-uncached.ts';
import {expectAccepted} from '../../../source/domain/errors.ts';
import type {Clock} from '../../../source/ports/clock.ts';
import {filesInMemory} from '../files-in-memory.ts';
import {writer} from './writer.ts';

const location = {root: '/repo', folder: '/home/shop'};
const colonyYaml = '/repo/.hive/colony.yaml';
const prompt = '/repo/.hive/prompts/do.md';
const other = '/repo/.hive/prompts/other.md';

const good: Readonly<Record<string, string>> = {
	[colonyYaml]: 'slug: shop\n',
	[prompt]: 'first',
	'/home/shop/config.yaml': 'colony_root: /repo\nslug: shop\n',
};

const clock: Clock = {now: Date.now, elapsed: () => 0, after: () => () => {}};

const open = () => {
	const {files, texts} = filesInMemory(good);
	const lock = {take: () => true, release: () => {}};
	const source = {files, location, readAll: createReadAll(location, readYamlUncached)};
	const trust = createTrust({files, clock, lock}, source, () => new Map());
	const seen = async () => digestOf((await readTrusted(source)).changes);
	return {
		...{...trust, source, texts, seen},
		beginWriting: (id: string) => trust.beginWriting(writer(id)),
		accept: async () => trust.accept(await seen()),
		acceptSeen: trust.accept,
		/** Writes as hive's own commands do. */
		write: (path: string, text: string) =>
			writeAccepted({files, clock, lock}, location.folder, [path], () => files.write(path, text)),
		/** Returns the prompts in force and the files that await a person. */
		now: async () => {
			const {reading, awaiting} = await readTrusted(source);
			return {
				prompts: Object.fromEntries(expectAccepted(reading.colony).prompts),
				awaiting: awaiting.map(({path, message}) => `${path}: ${message}`),
			};
		},
		isKept: () => texts.has(trustFile(location.folder)),
	};
};

const held = (by: string, name = 'do.md') =>
	`.hive/prompts/${name}: changed while ${by} was open: not yet in force`;

describe('changed configuration files', () => {
	it('of a person count at once without a writer, and no record is stored', async () => {
		const {now, texts, beginWriting, endWriting, isKept} = open();
		await beginWriting('run a');
		await endWriting('run a');
		texts.set(prompt, 'second');
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, awaiting: []});
		expect(isKept()).toBe(false);
	});

	it('that a run changed, added or removed keep their trusted version during and after the run', async () => {
		const {now, texts, beginWriting, endWriting} = open();
		texts.set(other, 'first');
		await beginWriting('run a');
		await beginWriting('run a');
		texts.set(prompt, 'second').set('/repo/.hive/prompts/new.md', 'new').delete(other);
		const expected = {
			prompts: {'do.md': 'first', 'other.md': 'first'},
			awaiting: [held('run a'), held('run a', 'new.md'), held('run a', 'other.md')],
		};
		expect(await now()).toEqual(expected);
		await endWriting('run a');
		expect(await now()).toEqual(expected);
	});

	it('that await a person still do after the next run, under the name of the run that changed them', async () => {
		const {now, texts, beginWriting, endWriting} = open();
		await beginWriting('run a');
		texts.set(prompt, 'second');
		await endWriting('run a');
		await beginWriting('run b');
		texts.set(other, 'made by b');
		await endWriting('run b');
		expect(await now()).toEqual({
			prompts: {'do.md': 'first'},
			awaiting: [held('run a'), held('run b', 'other.md')],
		});
	});

	it('keep their trusted version for an open run when another run ends', async () => {
		const {now, texts, beginWriting, endWriting, settled} = open();
		await beginWriting('run a');
		await beginWriting('run b');
		await endWriting('run a');
		await settled();
		texts.set(prompt, 'second');
		expect(await now()).toEqual({prompts: {'do.md': 'first'}, awaiting: [held('run b')]});
	});

	it('that await a person still do after another change, since no person has seen all of it', async () => {
		const {now, texts, beginWriting, endWriting, isKept} = open();
		await beginWriting('the merge of t');
		texts.set(prompt, 'second');
		await endWriting('the merge of t');
		texts.set(other, 'mine').set(prompt, 'third');
		expect(await now()).toEqual({
			prompts: {'do.md': 'first', 'other.md': 'mine'},
			awaiting: [held('the merge of t')],
		});
		texts.set(prompt, 'first');
		expect(await now()).toEqual({prompts: {'do.md': 'first', 'other.md': 'mine'}, awaiting: []});
		await beginWriting('run a');
		await endWriting('run a');
		expect(isKept()).toBe(false);
	});

	it('are accepted only as shown, so a later change does not count', async () => {
		const {now, texts, beginWriting, acceptSeen, seen} = open();
		await beginWriting('run a');
		texts.set(prompt, 'second');
		const shown = await seen();
		texts.set(other, 'made since');
		expect(await acceptSeen(shown)).toBe(false);
		texts.delete(other);
		texts.set(prompt, 'third');
		expect(await acceptSeen(shown)).toBe(false);
		expect(await now()).toEqual({prompts: {'do.md': 'first'}, awaiting: [held('run a')]});
		texts.set(prompt, 'second');
		expect(await acceptSeen(shown)).toBe(true);
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, awaiting: []});
	});

	it('that hive writes for a person count during a run, unless they already await a person', async () => {
		const {now, texts, beginWriting, write} = open();
		await beginWriting('run a');
		texts.set(other, 'by the run');
		await write(prompt, 'mine');
		await write(other, 'by both');
		expect(await now()).toEqual({prompts: {'do.md': 'mine'}, awaiting: [held('run a', 'other.md')]});
	});

	it('all count after an acceptance, and later changes of an open run await a person again', async () => {
		const {now, texts, beginWriting, endWriting, accept, isKept} = open();
		await beginWriting('run a');
		texts.set(prompt, 'second');
		await accept();
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, awaiting: []});
		texts.set(prompt, 'third');
		await endWriting('run a');
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, awaiting: [held('run a')]});
		await accept();
		expect(await now()).toEqual({prompts: {'do.md': 'third'}, awaiting: []});
		expect(isKept()).toBe(false);
	});

	it('leave everything in force if a run broke or removed colony.yaml', async () => {
		for (const text of ['slug: [', undefined]) {
			const {now, texts, beginWriting, endWriting} = open();
			await beginWriting('run a');
			text === undefined ? texts.delete(colonyYaml) : texts.set(colonyYaml, text);
			texts.set(other, 'new');
			await endWriting('run a');
			expect(await now()).toEqual({
				prompts: {'do.md': 'first'},
				awaiting: [
					'.hive/colony.yaml: changed while run a was open: not yet in force',
					held('run a', 'other.md'),
				],
			});
		}
	});

	it('are read again if a run begins during the read', async () => {
		const {source, texts, beginWriting} = open();
		let reads = 0;
		const readAll: ReadAll = async (files, good) => {
			reads++;
			if (reads === 1) {
				await beginWriting('run a');
				texts.set(prompt, 'second');
			}
			return source.readAll(files, good);
		};
		const {reading} = await readTrusted({...source, readAll});
		expect(expectAccepted(reading.colony).prompts.get('do.md')).toBe('first');
	});
});

it('a damaged record of accepted files is refused as invalid', async () => {
	const {now, texts} = open();
	texts.set(trustFile(location.folder), '{');
	await expect(now()).rejects.toMatchObject({refusal: {code: 'invalid_config'}});
});
