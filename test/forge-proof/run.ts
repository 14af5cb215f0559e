import {resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {playScenes, sumOf} from '../chaos/tally.ts';
import {counted} from './count.ts';
import {steps} from './deaths.ts';
import {playForge} from './play.ts';

/**
 * Kills the watcher of pull requests at every step, with the built command, real git and a forge on this
 * machine: `npm run prove-forge -- --kills 200 --minutes 30 --seed 1`. Nothing at the forge may be doubled or
 * lost.
 */
const {values} = parseArgs({
	options: {
		kills: {type: 'string', default: '200'},
		/** No kill comes after this many minutes. */
		minutes: {type: 'string', default: '60'},
		seed: {type: 'string', default: '1'},
		command: {type: 'string', default: 'dist/hive.cjs'},
	},
});

/** Kills in one colony. */
const killsOfScene = 25;

const begin = performance.now();
const isLate = () => performance.now() - begin > Number(values.minutes) * 60_000;
const kills = Number(values.kills);
const seeds = Array.from(
	{length: Math.ceil(kills / killsOfScene)},
	(_, index) => Number(values.seed) + index,
);
const scenes = await playScenes(
	seeds,
	seed => playForge(resolve(values.command), seed, {kills: Math.min(killsOfScene, kills), isLate}),
	({seed, breaches, folder}) => {
		for (const breach of breaches) console.error(`Seed ${seed} (${folder}): ${breach}`);
	},
);
const sums = sumOf(scenes);
const of = (name: string): number => sums[name] ?? 0;
const faults = scenes.flatMap(({breaches}) => breaches).length;
const seconds = Math.round((performance.now() - begin) / 1000);
console.log(
	[
		`${of('kills')} kills in ${seconds} s: ${of('point')} at a failpoint, ${of('call')} in a call, ${of('moment')} at a random moment`,
		`killed at: ${steps.map(step => `${step} ${of(`at ${step}`)}`).join(', ')}`,
		`${of('traces')} traces with ${of('rounds')} rounds of rework, in ${scenes.length} colonies`,
		...counted.map(
			what => `${what}: ${of(what)}, ${of(`${what} doubled`)} doubled, ${of(`${what} lost`)} lost`,
		),
		`${faults} faults`,
	].join('\n'),
);
if (faults > 0 || (of('kills') < kills && !isLate())) process.exitCode = 1;
