import {expect, test} from 'vitest';
import {describeStory} from './describe-story.ts';
import {failedLandingSeeds, failedSeeds, failedSharedSeeds} from './failed-seeds.ts';
import {simulate} from './simulate.ts';
import type {Kind} from './world.ts';

/** Returns the breaches of a seed with its story, or an empty text if every promise holds. */
const broken = async (seed: number, kind: Kind = {}): Promise<string> => {
	const story = await simulate(seed, undefined, kind);
	return story.breaches.length === 0 ? '' : describeStory(story);
};

const block = 20;

/** Two hundred stories, in blocks that finish in time on a slow machine. */
test.each(Array.from({length: 10}, (_, index) => 1001 + index * block))(
	'twenty stories from seed %i on, with crashing reactors and a failing bus, break no promise',
	async first => {
		for (let seed = first; seed < first + block; seed++) expect(await broken(seed), `seed ${seed}`).toBe('');
	},
);

test.each(Array.from({length: 5}, (_, index) => 1001 + index * block))(
	'twenty stories from seed %i on, with machines on one log that fall silent and lose their traces, break no promise',
	async first => {
		for (let seed = first; seed < first + block; seed++)
			expect(await broken(seed, {isShared: true}), `seed ${seed}`).toBe('');
	},
);

test.each([
	[1001, false],
	[1021, true],
])(
	'twenty stories from seed %i on, with runs that emit into foreign traces and start traces, break no promise',
	async (first, isShared) => {
		for (let seed = first; seed < first + block; seed++)
			expect(await broken(seed, {isShared, strays: true}), `seed ${seed}`).toBe('');
	},
);

test.each([
	[1001, false],
	[1021, false],
	[1041, true],
])(
	'twenty stories from seed %i on, with a landing queue and a base that moves, break no promise',
	async (first, isShared) => {
		for (let seed = first; seed < first + block; seed++)
			expect(await broken(seed, {isShared, landings: true}), `seed ${seed}`).toBe('');
	},
);

test.each(failedLandingSeeds)(
	'the story of seed %i with a landing queue breaks no promise, although once %s',
	async seed => {
		expect(await broken(seed, {landings: true})).toBe('');
	},
);

test.each(failedSharedSeeds)(
	'the story of seed %i with several machines breaks no promise, although once %s',
	async seed => {
		expect(await broken(seed, {isShared: true})).toBe('');
	},
);

test.each(failedSeeds)('the story of seed %i breaks no promise, although once %s', async seed => {
	expect(await broken(seed)).toBe('');
});

test('a story is the same each time its seed is played', async () => {
	const [one, other] = [await simulate(2), await simulate(2)];
	expect(describeStory(other)).toBe(describeStory(one));
	expect(one.log.length).toBeGreaterThan(20);
});
