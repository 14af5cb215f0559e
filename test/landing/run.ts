import {once} from 'node:events';
import {resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {renderTable} from '../../source/cli/render-table.ts';
import {renderText} from '../../source/cli/text.ts';
import {createScratchColony, type ScratchColony, untilIdle} from '../chaos/scratch-colony.ts';
import {createRandom} from '../simulator/random.ts';
import {check, createPair, type Pair, script} from './pairs.ts';

/**
 * Lands random pairs of changes through the landing queue, with the built command and real git: `npm run
 * prove-landing -- --pairs 40 --seed 1`. No commit of the base may fail the check, and all that fits has to
 * land.
 */
const {values} = parseArgs({
	options: {
		pairs: {type: 'string', default: '40'},
		seed: {type: 'string', default: '1'},
		/** How all of them land: `merge`, `squash` or `rebase`. */
		strategy: {type: 'string', default: 'merge'},
		/** How many pairs are approved at a time, each approval by a command of its own. */
		together: {type: 'string', default: '3'},
		command: {type: 'string', default: 'dist/hive.cjs'},
	},
});

type Ended = {readonly pair: Pair; readonly exits: readonly (number | null)[]};

const landed = 0;
const backWithPerson = 8;

const createQueue = async (pairs: readonly Pair[]): Promise<ScratchColony> => {
	const colony = await createScratchColony({
		command: resolve(values.command),
		bees: {
			builder: {worktree: true, publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}], script},
		},
		settings: {
			defaults: {default_bee: 'builder'},
			verify: {commands: [['sh', 'check.sh']], required: true},
			land: {strategy: values.strategy},
		},
		files: {'check.sh': check, ...Object.assign({}, ...pairs.map(({files}) => files))},
	});
	for (const traceId of pairs.flatMap(({traces}) => traces)) {
		const tasks = [{taskId: traceId, title: traceId}];
		await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], JSON.stringify({tasks}));
	}
	await reachGates(colony);
	return colony;
};

/** Lets all traces work until they wait for a person. On a busy machine that takes several timeouts. */
const reachGates = async (colony: ScratchColony): Promise<void> => {
	const timedOut = 124;
	for (;;) {
		const {exitCode, stderr} = await colony.hive(untilIdle);
		if (exitCode === backWithPerson) return;
		if (exitCode !== timedOut) throw new Error(`The traces do not reach their gates: ${stderr}`);
	}
};

/** Approves both traces of each pair, a few pairs at a time, while a reactor lands them. */
const landAll = async (colony: ScratchColony, pairs: readonly Pair[]): Promise<readonly Ended[]> => {
	const reactor = colony.start(['run', '--json']);
	reactor.stdout?.resume();
	reactor.stderr?.resume();
	const gone = once(reactor, 'exit');
	const left = [...pairs];
	const ended: Ended[] = [];
	const work = async (): Promise<void> => {
		for (;;) {
			const [pair] = left.splice(0, 1);
			if (pair === undefined) return;
			const exits = await Promise.all(
				pair.traces.map(async traceId => {
					const gate = ['--trace', traceId, '--task', '_review'];
					const {exitCode} = await colony.hive(['proposal', 'approve', ...gate, '--wait']);
					return exitCode;
				}),
			);
			ended.push({pair, exits});
		}
	};
	await Promise.all(Array.from({length: Number(values.together)}, work));
	reactor.kill('SIGTERM');
	await gone;
	return ended;
};

/** The newest commit of each landing. A rebase also brings commits before it, which nothing has checked. */
const landedCommits = async (colony: ScratchColony, first: string): Promise<readonly string[]> => {
	const format = '--format=%H %(trailers:key=Hive-Trace,valueonly,separator=%x20)';
	const lines = (await colony.git(['log', '--first-parent', format, `${first}..main`])).split('\n');
	return lines.flatMap(line => (/^\w+ \S/.test(line) ? line.slice(0, line.indexOf(' ')) : []));
};

/** Checks the tree of each landing, in a worktree of its own. */
const brokenBases = async (
	colony: ScratchColony,
	first: string,
	commits: readonly string[],
): Promise<readonly string[]> => {
	const tree = resolve(colony.folder, 'base');
	await colony.git(['worktree', 'add', '--quiet', '--detach', tree, first]);
	const broken: string[] = [];
	for (const commit of commits) {
		await colony.git(['checkout', '--quiet', '--detach', commit], tree);
		const passes = await colony.git(['-c', 'alias.check=!sh check.sh', 'check'], tree).then(
			() => true,
			() => false,
		);
		if (!passes) broken.push(commit);
	}
	await colony.git(['worktree', 'remove', '--force', tree]);
	return broken;
};

/** What one batch of pairs came to. */
type Played = {
	readonly ended: readonly Ended[];
	readonly merges: number;
	/** Merges whose tree is the one that was checked. */
	readonly proven: number;
	readonly seconds: number;
	readonly broken: readonly string[];
	/** The folder of a colony in which something went wrong, which is kept. */
	readonly kept?: string;
};

/** Lands pairs in a colony of their own. */
const play = async (pairs: readonly Pair[]): Promise<Played> => {
	const colony = await createQueue(pairs);
	const first = await colony.git(['rev-parse', 'main']);
	const begin = performance.now();
	const ended = await landAll(colony, pairs);
	const seconds = (performance.now() - begin) / 1000;
	const commits = await landedCommits(colony, first);
	const broken = await brokenBases(colony, first, commits);
	const merges = commits.length;
	const {landings} = await colony.ask<{
		readonly landings: readonly {readonly state: string; readonly checkedBy?: string}[];
	}>(['bus', 'verify']);
	const proven = landings.filter(({state, checkedBy}) => state === 'same' && checkedBy !== undefined).length;
	await colony.end();
	const isRight = ended.every(isAsExpected) && broken.length === 0 && proven === merges;
	if (isRight) await colony.remove();
	return {ended, merges, proven, seconds, broken, ...(!isRight && {kept: colony.folder})};
};

const isAsExpected = ({pair: {kind}, exits}: Ended): boolean =>
	kind === 'clash'
		? exits.toSorted().join() === `${landed},${backWithPerson}`
		: exits.every(exit => exit === landed);

/** Maximum number of pairs in one colony: each trace is live, with its worktree. */
const maxPairs = 40;

const random = createRandom(Number(values.seed));
const pairs = Array.from({length: Number(values.pairs)}, (_, index) => createPair(index, random));
const batches: Played[] = [];
for (let index = 0; index < pairs.length; index += maxPairs)
	batches.push(await play(pairs.slice(index, index + maxPairs)));

const ended = batches.flatMap(batch => batch.ended);
const heads = ['PAIRS THAT', 'PAIRS', 'LANDED', 'BACK WITH A PERSON', 'NOT AS EXPECTED'];
const cells = (['clash', 'fit'] as const).map(kind => {
	const own = ended.filter(({pair}) => pair.kind === kind);
	const count = (exit: number): number => own.flatMap(({exits}) => exits).filter(one => one === exit).length;
	const wrong = own.filter(one => !isAsExpected(one)).length;
	return [
		kind === 'clash' ? 'fail together' : 'pass together',
		...[own.length, count(landed), count(backWithPerson), wrong].map(String),
	];
});
console.log(
	renderText(
		await renderTable(
			heads.map(title => ({title})),
			cells,
			process.stdout.columns,
		),
		false,
	),
);
const sum = (of: (batch: Played) => number): number => batches.reduce((total, batch) => total + of(batch), 0);
console.log(
	`${sum(batch => batch.merges)} merges in ${sum(batch => batch.seconds).toFixed(1)} s, ${sum(batch => batch.broken.length)} broken bases, ${sum(batch => batch.proven)} with the tree that was checked.`,
);
for (const {pair, exits} of ended.filter(one => !isAsExpected(one)))
	console.log(`${pair.kind} ${pair.traces.join(' and ')}: ${exits.join(' and ')}`);
for (const {kept} of batches)
	if (kept !== undefined) {
		console.log(`The colony is kept: ${kept}`);
		process.exitCode = 1;
	}
