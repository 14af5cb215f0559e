import {parseArgs} from 'node:util';
import {describeStory} from './describe-story.ts';
import {type Story, simulate} from './simulate.ts';

/**
 * Plays stories of many seeds: `node run.mjs --seeds 10000 --from 1`. `--shared` simulates several machines
 * on one log, `--strays` agents that emit into foreign traces, and `--landings` a landing queue. Prints the
 * first story that breaks a promise and exits with 1.
 */
const {values} = parseArgs({
	options: {
		seeds: {type: 'string', default: '1000'},
		from: {type: 'string', default: '1'},
		size: {type: 'string', default: '12'},
		shared: {type: 'boolean', default: false},
		strays: {type: 'boolean', default: false},
		landings: {type: 'boolean', default: false},
	},
});
const [seeds, from, size] = [Number(values.seeds), Number(values.from), Number(values.size)];
const unhandled: string[] = [];
process.on('unhandledRejection', error => unhandled.push(`Nobody handles: ${String(error)}`));

const play = async (seed: number, bound: number): Promise<Story> => {
	const {shared: isShared, strays, landings} = values;
	const story = await simulate(seed, bound, {isShared, strays, landings});
	return {...story, breaches: [...story.breaches, ...unhandled.splice(0)]};
};

/** Looks for smaller stories that break a promise too, and returns the one with the shortest log. */
const shorten = async (story: Story, seed: number): Promise<{seed: number; size: number; story: Story}> => {
	let shortest = {seed, size, story};
	for (let bound = 1; bound <= Math.min(size, 6); bound++) {
		for (let other = seed; other < seed + 150; other++) {
			const found = await play(other, bound);
			const shorter = found.breaches.length > 0 && found.log.length < shortest.story.log.length;
			if (shorter) shortest = {seed: other, size: bound, story: found};
		}
	}
	return shortest;
};

const began = performance.now();
let events = 0;
for (let seed = from; seed < from + seeds; seed++) {
	const story = await play(seed, size);
	events += story.log.length;
	if (story.breaches.length === 0) continue;
	console.log(`Seed ${seed} breaks: ${story.breaches.slice(0, 5).join('\n  ')}`);
	const shortest = await shorten(story, seed);
	console.log(
		`The shortest log found: --seeds 1 --from ${shortest.seed} --size ${shortest.size}${values.shared ? ' --shared' : ''}${values.strays ? ' --strays' : ''}${values.landings ? ' --landings' : ''}`,
	);
	console.log(describeStory(shortest.story));
	process.exit(1);
}
const seconds = (performance.now() - began) / 1000;
console.log(`${seeds} seeds held, ${(seeds / seconds).toFixed(0)} a second, ${events} events.`);
