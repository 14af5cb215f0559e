import {resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {landingStrategies} from '../../source/domain/landing.ts';
import {playContest} from '../drivers/nats-bus/contenders.ts';
import {playApprovals} from './approvals.ts';
import {playGateways} from './gateways.ts';
import {playKills} from './kills.ts';
import {playLandings} from './landings.ts';
import {playMerges} from './merges.ts';
import {playOutside} from './outside.ts';
import {playQuestions} from './questions.ts';
import {playSessions} from './sessions.ts';
import {playScenes, type Shown, spreadOf, sumOf} from './tally.ts';
import {playTrees} from './trees.ts';

/**
 * Uses real processes, a real log, real git and scripted bees: `node run.mjs --kills 300 --merges 100 --trees
 * 40 --sessions 200 --seed 1`.
 */
const {values} = parseArgs({
	options: {
		kills: {type: 'string', default: '100'},
		merges: {type: 'string', default: '100'},
		/** The number of kills of reactors and approvals while merges wait for their checks. */
		landings: {type: 'string', default: '40'},
		trees: {type: 'string', default: '40'},
		/** The number of kill rounds beside live sessions. */
		sessions: {type: 'string', default: '200'},
		/** The number of gateway kills, and of approvals that terminal, page and chat race for. */
		gateways: {type: 'string', default: '60'},
		approvals: {type: 'string', default: '20'},
		/** The number of questions that are answered once while everything but the agents is killed. */
		questions: {type: 'string', default: '20'},
		/** The number of runs whose agents also work in the checkout, beside a person. */
		outside: {type: 'string', default: '20'},
		/** How merges and landings land. */
		strategy: {type: 'string', default: 'merge'},
		seed: {type: 'string', default: '1'},
		/** Contains all bees, with a home that they may write to, since their notes are there. */
		contain: {type: 'boolean', default: false},
		/** With `nats` each colony has its own server, which is killed and suspended as well. */
		bus: {type: 'string', default: 'embedded'},
		/**
		 * The number of processes that contend on a server for `claims`. `claim-kills` of them are killed. With 0
		 * no contest runs.
		 */
		contenders: {type: 'string', default: '0'},
		claims: {type: 'string', default: '1000'},
		'claim-kills': {type: 'string', default: '200'},
		command: {type: 'string', default: 'dist/hive.cjs'},
	},
});
const command = resolve(values.command);
process.env.HIVE_TEST_BUS = values.bus;
if (values.contain) process.env.HIVE_CHAOS_CONTAIN = 'required';
const first = Number(values.seed);
const strategy = landingStrategies.find(known => known === values.strategy);
if (strategy === undefined) throw new Error(`Unknown strategy: ${values.strategy}`);

/** How many of each kind one scene plays. */
const each = {
	kills: 20,
	merges: 8,
	landings: 20,
	trees: 8,
	sessions: 200,
	gateways: 50,
	approvals: 20,
	questions: 10,
	outside: 10,
};

const liveSessions = 20;

const play = async (name: keyof typeof each, scene: (seed: number, count: number) => Promise<Shown>) => {
	const seeds = Array.from(
		{length: Math.ceil(Number(values[name]) / each[name])},
		(_, index) => first + index,
	);
	const scenes = await playScenes(
		seeds,
		seed => scene(seed, Math.min(each[name], Number(values[name]))),
		report,
	);
	const sums = Object.entries(sumOf(scenes)).map(([what, value]) => `${value} ${what}`);
	console.log(`${name}: ${[...sums, spreadOf(scenes)].filter(Boolean).join(', ')}`);
	return scenes;
};

const report = ({seed, breaches, folder}: Shown) => {
	for (const breach of breaches) console.log(`Seed ${seed} (${folder}): ${breach}`);
};

const scenes = [
	...(await play('kills', (seed, count) => playKills(command, seed, count))),
	...(await play('merges', (seed, count) => playMerges(command, seed, count, strategy))),
	...(await play('landings', (seed, count) => playLandings(command, seed, count, strategy))),
	...(await play('trees', (seed, count) => playTrees(command, seed, count))),
	...(await play('sessions', (seed, rounds) =>
		playSessions(command, seed, {sessions: liveSessions, rounds}),
	)),
	...(await play('gateways', (seed, count) => playGateways(command, seed, count))),
	...(await play('approvals', (seed, count) => playApprovals(command, seed, count))),
	...(await play('questions', (seed, count) => playQuestions(command, seed, count))),
	...(await play('outside', (seed, count) => playOutside(command, seed, count))),
];
const contend = async (contenders: number): Promise<readonly string[]> => {
	const [claims, kills] = [Number(values.claims), Number(values['claim-kills'])];
	const {figures, breaches} = await playContest({seed: first, contenders, claims, kills});
	const counts = Object.entries(figures).map(([what, value]) => `${value} ${what}`);
	console.log(`contenders: ${[`${contenders} contenders`, ...counts].join(', ')}`);
	for (const breach of breaches) console.log(breach);
	return breaches;
};

const contested = Number(values.contenders) > 0 ? await contend(Number(values.contenders)) : [];
if (contested.length > 0 || scenes.some(({breaches}) => breaches.length > 0)) process.exitCode = 1;
