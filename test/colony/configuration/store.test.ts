import fc from 'fast-check';
import {expect, it} from 'vitest';
import {openConfiguration} from '../../../source/colony/configuration/store.ts';
import {digestOf} from '../../../source/colony/configuration/trust.ts';
import {readYamlUncached} from '../../../source/colony/parse/read-yaml-uncached.ts';
import type {Clock} from '../../../source/ports/clock.ts';
import {filesInMemory} from '../files-in-memory.ts';
import {writer} from './writer.ts';

const location = {root: '/repo', folder: '/home/shop'};
const hive = '/repo/.hive';
const colonyYaml = `${hive}/colony.yaml`;

/** Valid and broken texts of each file, all different; a text that names a template always names it. */
const texts: Readonly<Record<string, {good: (id: number) => string; broken: (id: number) => string}>> = {
	[colonyYaml]: {
		good: id => `slug: shop\ndefaults: {energy_budget: ${id}}\n`,
		broken: id => `slug: [${id}\n`,
	},
	[`${hive}/bees/builder.yaml`]: {
		good: id => `adapter: script\ncommand: run ${id}\nprompt_template: sub/deep.md\n`,
		broken: id => `adapter: [${id}\n`,
	},
	[`${hive}/prompts/sub/deep.md`]: {good: id => `deep ${id}`, broken: id => `{{if .Task}}${id}`},
	[`${hive}/prompts/do.md`]: {good: id => `do ${id}`, broken: id => `{{if .Task}}${id}`},
	[`${hive}/prompts/_partials/part.md`]: {good: id => `part ${id}`, broken: id => `{{if .Task}}${id}`},
	[`${hive}/cues/ask.yaml`]: {
		good: id => `emit: signal\ntype: SIGNAL\nkind: ask.${id}\n`,
		broken: id => `emit: [${id}\n`,
	},
};
const paths = Object.keys(texts);

const writers = ['run a', 'run b', 'the merge of t'];

const clock: Clock = {now: () => 0, elapsed: () => 0, after: () => () => {}};
const lock = {take: () => true, release: () => {}};

const open = async () => {
	const disk = filesInMemory({
		...Object.fromEntries(paths.map(path => [path, texts[path]?.good(1) ?? ''])),
		'/home/shop/config.yaml': 'colony_root: /repo\nslug: shop\n',
	});
	const files = {...disk.files, size: async () => 1, watch: () => {}};
	const ports = {files, clock, lock, readYaml: readYamlUncached};
	const store = await openConfiguration(ports, location);
	const {refresh} = await store.follow({signal: new AbortController().signal, changed: () => {}});
	/** Returns the number of the text in force of each file, or undefined without such a file. */
	const inForce = (current = store.current()): ReadonlyMap<string, string | undefined> => {
		const {colony} = current;
		const number = (text: string | undefined) => text?.match(/\d+/)?.[0];
		return new Map([
			[colonyYaml, String(colony.defaults.budget.energyBudget)],
			[`${hive}/bees/builder.yaml`, colony.bees.get('builder')?.command?.[1]],
			[`${hive}/prompts/sub/deep.md`, number(colony.prompts.get('sub/deep.md'))],
			[`${hive}/prompts/do.md`, number(colony.prompts.get('do.md'))],
			[`${hive}/prompts/_partials/part.md`, number(colony.prompts.get('_partials/part.md'))],
			[`${hive}/cues/ask.yaml`, number(colony.cues.get('ask')?.kind)],
		]);
	};
	return {store, disk: disk.texts, refresh, inForce, again: () => openConfiguration(ports, location)};
};

type Step =
	| {readonly kind: 'good' | 'broken' | 'earlier'; readonly path: string}
	| {readonly kind: 'begin' | 'end'; readonly by: string}
	| {readonly kind: 'accept' | 'settle' | 'start again'};

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constantFrom('good', 'good', 'broken', 'earlier'),
			path: fc.constantFrom(...paths),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({kind: fc.constantFrom('begin', 'end'), by: fc.constantFrom(...writers)}),
	},
	{weight: 1, arbitrary: fc.record({kind: fc.constantFrom('accept', 'settle', 'start again')})},
);

const numberIn = (text: string | undefined): string => text?.match(/\d+/)?.[0] ?? '';

/** Opens a store on which each step also checks what is in force after it. */
const follow = async () => {
	const {store, disk, refresh, inForce, again} = await open();
	const writing = new Set<string>();
	/** Numbers of texts that were written while a writer was open, and not accepted since. */
	const untrusted = new Map<string, Set<string>>(paths.map(path => [path, new Set()]));
	/**
	 * Files with a version that awaited a person when the last writer ended. A later version of them awaits
	 * the person too.
	 */
	let held = new Set<string>();
	const earlier = new Map<string, string>();
	let id = 1;

	const isGood = (path: string): boolean =>
		disk.get(path) === texts[path]?.good(Number(numberIn(disk.get(path))));
	const isSaid = (path: string): boolean =>
		store.current().colony.problems.some(problem => problem.path.startsWith(path.slice('/repo/'.length)));
	const expectTrusted = (found = inForce()): void => {
		for (const [path, number = ''] of found)
			expect([path, untrusted.get(path)?.has(number)]).toEqual([path, false]);
	};

	const write = async (kind: 'good' | 'broken' | 'earlier', path: string): Promise<void> => {
		const before = inForce();
		id++;
		const text = (kind === 'earlier' ? earlier.get(path) : texts[path]?.[kind](id)) ?? disk.get(path) ?? '';
		earlier.set(path, disk.get(path) ?? '');
		disk.set(path, text);
		await refresh();
		if (writing.size > 0 || held.has(path)) {
			if (before.get(path) !== numberIn(text)) untrusted.get(path)?.add(numberIn(text));
			expect(inForce(), 'a change by a writer, or beside one, waits for a person').toEqual(before);
		} else if (kind === 'good') {
			expect(inForce(), 'trusted changes count at once').toEqual(new Map(before).set(path, numberIn(text)));
			expect([path, isSaid(path)]).toEqual([path, false]);
		} else if (kind === 'broken') {
			expect(inForce(), 'the last valid version stays in force').toEqual(before);
		} else if (inForce().get(path) === numberIn(text)) {
			// A person has written the file again, and nothing else of it awaits them.
			untrusted.get(path)?.delete(numberIn(text));
		}
	};
	const turn = async (kind: 'begin' | 'end', by: string): Promise<void> => {
		const before = inForce();
		await (kind === 'begin' ? store.beginWriting(writer(by)) : store.endWriting(by));
		kind === 'begin' ? writing.add(by) : writing.delete(by);
		held = new Set((await store.changes()).map(({path}) => path));
		await refresh();
		expect(inForce(), 'the presence of a writer changes nothing that is in force').toEqual(before);
		expect((await store.writers()).length > 0, 'a writer is named as long as it is open').toBe(
			writing.size > 0,
		);
	};
	const settle = async (): Promise<void> => {
		await store.settled();
		expect((await store.writers()).toSorted()).toEqual([...writing].sort());
	};
	const accept = async (): Promise<void> => {
		const before = inForce();
		expect(await store.accept(digestOf(await store.changes()))).toBe(true);
		for (const numbers of untrusted.values()) numbers.clear();
		held.clear();
		await refresh();
		for (const path of paths) {
			const expected = isGood(path) ? numberIn(disk.get(path)) : before.get(path);
			expect([path, inForce().get(path), isSaid(path)]).toEqual([path, expected, !isGood(path)]);
		}
	};
	const startAgain = async (): Promise<void> => {
		const started = await again().catch(() => undefined);
		if (started === undefined) return expect(isGood(colonyYaml)).toBe(false);
		expectTrusted(inForce(started.current()));
		await started.resume([...writing].map(writer), await started.writers());
		expect((await started.writers()).toSorted()).toEqual([...writing].sort());
	};
	return async (taken: Step): Promise<void> => {
		if ('path' in taken) await write(taken.kind, taken.path);
		else if ('by' in taken) await turn(taken.kind, taken.by);
		else await {accept, settle, 'start again': startAgain}[taken.kind]();
		expectTrusted();
		for (const [path, number] of inForce())
			if (number !== numberIn(disk.get(path))) expect([path, isSaid(path)]).toEqual([path, true]);
	};
};

it('the store takes no change of an open writer before its acceptance, and keeps the last valid version', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, {minLength: 1, maxLength: 25}), async steps => {
			const take = await follow();
			for (const taken of steps) await take(taken);
		}),
		{numRuns: 100},
	);
});
