import {describe, expect, it} from 'vitest';
import {createReadAll, type ReadAll} from '../../../source/colony/configuration/read.ts';
import {
	createTrust,
	digestOf,
	readTrusted,
	writeAccepted,
} from '../../../source/colony/configuration/trust.ts';
import {trustFile} from '../../../source/colony/configuration/trust-file.ts';
import {readAnew} from '../../../source/colony/parse/read-anew.ts';
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
	const source = {files, location, readAll: createReadAll(location, readAnew)};
	const trust = createTrust({files, clock, lock}, source, () => new Map());
	const seen = async () => digestOf((await readTrusted(source)).changes);
	return {
		...{...trust, source, texts, seen},
		beginWriting: (id: string) => trust.beginWriting(writer(id)),
		accept: async () => trust.accept(await seen()),
		acceptSeen: trust.accept,
		/** As hive's own commands do. */
		write: (path: string, text: string) =>
			writeAccepted({files, clock, lock}, location.folder, [path], () => files.write(path, text)),
		/** Prompts that count, and what waits. */
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

describe('of changed files', () => {
	it("a person's count at once while nobody else is at work, and nothing is kept", async () => {
		const {now, texts, beginWriting, endWriting, isKept} = open();
		await beginWriting('run a');
		await endWriting('run a');
		texts.set(prompt, 'second');
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, awaiting: []});
		expect(isKept()).toBe(false);
	});

	it('those that were changed, made or removed meanwhile are as they were trusted, then and after', async () => {
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

	it('what waits goes on waiting through the next run, under the name of the one that wrote it', async () => {
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

	it('a run that goes on keeps what was trusted when the other ends', async () => {
		const {now, texts, beginWriting, endWriting, settled} = open();
		await beginWriting('run a');
		await beginWriting('run b');
		await endWriting('run a');
		await settled();
		texts.set(prompt, 'second');
		expect(await now()).toEqual({prompts: {'do.md': 'first'}, awaiting: [held('run b')]});
	});

	it('one that waits goes on waiting when it is changed again: nobody has seen all of it', async () => {
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

	it('nothing counts that a person has not seen: what changed since is not accepted with it', async () => {
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

	it('those that hive writes for a person count while a run is open, but where they wait already', async () => {
		const {now, texts, beginWriting, write} = open();
		await beginWriting('run a');
		texts.set(other, 'by the run');
		await write(prompt, 'mine');
		await write(other, 'by both');
		expect(await now()).toEqual({prompts: {'do.md': 'mine'}, awaiting: [held('run a', 'other.md')]});
	});

	it('all count once a person accepts them; what a run still open changes after that waits again', async () => {
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

	it('a colony.yaml that a run broke or removed leaves all as it was', async () => {
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

	it('what begins while they are read is read again', async () => {
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

it('what was accepted is said to be unknown when its file was changed by hand', async () => {
	const {now, texts} = open();
	texts.set(trustFile(location.folder), '{');
	await expect(now()).rejects.toMatchObject({refusal: {code: 'invalid_config'}});
});
