import {describe, expect, it} from 'vitest';
import {loadColony} from '../../source/colony/load-colony.ts';
import {createSeenKeeper, readAsSeen, seenFile} from '../../source/colony/seen.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import type {Clock} from '../../source/ports/clock.ts';
import {filesInMemory} from './files-in-memory.ts';

const places = {root: '/repo', folder: '/home/shop'};
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
	const lock = () => ({take: () => true, release: () => {}});
	const keeper = createSeenKeeper({files, clock, lock}, places, () => new Map());
	return {
		...{...keeper, files, texts},
		/** Prompts that count, and what waits. */
		now: async () => {
			const {value, waiting} = await readAsSeen(files, places, async given =>
				Object.fromEntries(expectAccepted(await loadColony(given, places.root)).prompts),
			);
			return {prompts: value, waiting: waiting.map(({path, message}) => `${path}: ${message}`)};
		},
		isKept: () => texts.has(seenFile(places.folder)),
	};
};

const held = (by: string, name = 'do.md') => `.hive/prompts/${name}: changed during ${by}: not yet in force`;

describe('of changed files', () => {
	it("a person's count at once while nobody else is at work, and nothing is kept", async () => {
		const {now, texts, begin, end, isKept} = open();
		await begin('run a');
		await end('run a');
		texts.set(prompt, 'second');
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, waiting: []});
		expect(isKept()).toBe(false);
	});

	it('those that were changed, made or removed meanwhile are as they were seen, then and after', async () => {
		const {now, texts, begin, end} = open();
		texts.set(other, 'first');
		await begin('run a');
		await begin('run a');
		texts.set(prompt, 'second').set('/repo/.hive/prompts/new.md', 'new').delete(other);
		const expected = {
			prompts: {'do.md': 'first', 'other.md': 'first'},
			waiting: [held('run a'), held('run a', 'new.md'), held('run a', 'other.md')],
		};
		expect(await now()).toEqual(expected);
		await end('run a');
		expect(await now()).toEqual(expected);
	});

	it('what waits goes on waiting through the next run, under the name of the one that brought it', async () => {
		const {now, texts, begin, end} = open();
		await begin('run a');
		texts.set(prompt, 'second');
		await end('run a');
		await begin('run b');
		texts.set(other, 'made by b');
		await end('run b');
		expect(await now()).toEqual({
			prompts: {'do.md': 'first'},
			waiting: [held('run a'), held('run b', 'other.md')],
		});
	});

	it('a run that goes on keeps what was seen when the other ends', async () => {
		const {now, texts, begin, end} = open();
		await begin('run a');
		await begin('run b');
		await end('run a');
		texts.set(prompt, 'second');
		expect(await now()).toEqual({prompts: {'do.md': 'first'}, waiting: [held('run b')]});
	});

	it('one that waits counts when a person changes it again', async () => {
		const {now, texts, begin, end, isKept} = open();
		await begin('the merge of t');
		texts.set(prompt, 'second');
		await end('the merge of t');
		texts.set(other, 'mine');
		expect(await now()).toEqual({
			prompts: {'do.md': 'first', 'other.md': 'mine'},
			waiting: [held('the merge of t')],
		});
		texts.set(prompt, 'third');
		expect(await now()).toEqual({prompts: {'do.md': 'third', 'other.md': 'mine'}, waiting: []});
		await begin('run a');
		await end('run a');
		expect(isKept()).toBe(false);
	});

	it('all count once a person accepts them; what a run still open changes after that waits again', async () => {
		const {now, texts, begin, end, accept, isKept} = open();
		await begin('run a');
		texts.set(prompt, 'second');
		await accept();
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, waiting: []});
		texts.set(prompt, 'third');
		await end('run a');
		expect(await now()).toEqual({prompts: {'do.md': 'second'}, waiting: [held('run a')]});
		await accept();
		expect(await now()).toEqual({prompts: {'do.md': 'third'}, waiting: []});
		expect(isKept()).toBe(false);
	});

	it('a colony.yaml that a run broke or removed leaves all as it was', async () => {
		for (const text of ['slug: [', undefined]) {
			const {now, texts, begin, end} = open();
			await begin('run a');
			text === undefined ? texts.delete(colonyYaml) : texts.set(colonyYaml, text);
			texts.set(other, 'new');
			await end('run a');
			expect(await now()).toEqual({
				prompts: {'do.md': 'first'},
				waiting: ['.hive/colony.yaml: changed during run a: not yet in force', held('run a', 'other.md')],
			});
		}
	});

	it('what begins while they are read is read again', async () => {
		const {files, texts, begin} = open();
		let reads = 0;
		const {value} = await readAsSeen(files, places, async given => {
			reads++;
			if (reads === 1) {
				await begin('run a');
				texts.set(prompt, 'second');
			}
			return given.read(prompt);
		});
		expect(value).toBe('first');
	});
});

it('what was seen is told to be unknown when its file was changed by hand', async () => {
	const {now, texts} = open();
	texts.set(seenFile(places.folder), '{');
	await expect(now()).rejects.toMatchObject({refusal: {code: 'invalid_config'}});
});
