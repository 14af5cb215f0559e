import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {canReapOrphans} from '../../source/drivers/processes/supervisor.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {describeProcess, processesHolding} from './machine.ts';
import {type Bee, createScratchColony, type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

/** A process that ignores every signal it can, and waits for ever. It starts no other process. */
const stubborn = `trap '' TERM INT HUP
exec 3<>"$1"
while :; do read -r _ <&3; done
`;

/**
 * The same process without a trace of its owner: it forks twice, starts a session and overwrites its
 * environment.
 */
const hidden = `use POSIX ();
if (!fork) {
	POSIX::setsid();
	$0 = 'x' x 5000;
	exit if fork;
	$SIG{$_} = 'IGNORE' for qw(TERM INT HUP);
	open my $never, '+<', $ARGV[0];
	sleep while 1;
}
wait;
`;

const wait = 'sh "$HOME/stubborn.sh" "$HOME/never"';

/** The process shapes of an agent. The first line of each starts the process that must not survive. */
const shapes = {
	stubborn: `ready; exec ${wait}`,
	'double fork': `(${wait} &) & ready; ${wait}`,
	session: `setsid ${wait} & ready; ${wait}`,
	'double fork in a session': `(setsid sh -c '(${wait} &)' &) & ready; sleep 600`,
	'no environment': `env -i PATH="$PATH" ${wait} & ready; sleep 600`,
	'no environment in a session': `setsid env -i PATH="$PATH" ${wait} & ready; sleep 600`,
	hidden: `perl "$HOME/hidden.pl" "$HOME/never"; ready; sleep 600`,
	family: `for n in 1 2 3 4 5 6; do ${wait} & done; ready; wait`,
} as const;

type Shape = keyof typeof shapes;
const shapeNames = Object.keys(shapes) as [Shape, ...Shape[]];

/** How the run ends. With `exit` the agent leaves its tree behind, with its output still open. */
const ways = ['timeout', 'kill', 'kill without a reactor', 'retry', 'exit'] as const;
type Way = (typeof ways)[number];

type Tree = {readonly traceId: string; readonly shape: Shape; readonly way: Way};

const beeName = ({shape, way}: Pick<Tree, 'shape' | 'way'>): string =>
	`${shape.replaceAll(' ', '-')}.${way.replaceAll(' ', '-')}`;

/** Creates process trees that ignore signals, and ends them in every possible way. */
export const playTrees = async (command: string, seed: number, count: number): Promise<Shown> => {
	const random = createRandom(seed);
	if (!canReapOrphans)
		console.warn('No orphan can be adopted here: no tree is played that hides whose it is.');
	const trees = Array.from({length: count}, (_, index) => chooseTree(random, index));
	const bees = Object.fromEntries(trees.map(tree => [beeName(tree), beeOf(tree)]));
	const settings = {defaults: {max_parallel_runs: count}};
	const colony = await createScratchColony({command, bees, settings});
	await writeFile(join(colony.home, 'stubborn.sh'), stubborn);
	await writeFile(join(colony.home, 'hidden.pl'), hidden);
	return showScene(colony, seed, async () => {
		const breaches = await endTrees(colony, trees);
		const survivors = await survivorsOf(colony);
		return {
			figures: {trees: count, survivors: survivors.length},
			breaches: [...breaches, ...survivors.map(process => `a survivor: ${process}`)],
		};
	});
};

const chooseTree = (random: Random, index: number): Tree => {
	const way = random.pick(ways);
	const known = shapeNames.filter(shape => canReapOrphans || !isUnknown(shape, way));
	return {traceId: `t${index}`, shape: random.pickAny(known) ?? 'family', way};
};

/** True if only the reaper of the process can know its owner, either after its agent ended or always. */
const isUnknown = (shape: Shape, way: Way): boolean =>
	shape === 'hidden' || (way === 'exit' && shape.startsWith('no environment'));

/**
 * A second attempt ends well at once. An agent that leaves its tree behind starts the tree in the background.
 */
const beeOf = ({shape, way}: Tree): Bee => ({
	...(way === 'timeout' && {timeout: '4s'}),
	script: `
ready() { echo "$HIVE_TRACE_ID" >>"$HOME/ready"; }
[ ! -e "$HOME/$HIVE_TRACE_ID.once" ] || { echo "Done this time"; exit; }
: >"$HOME/$HIVE_TRACE_ID.once"
mkfifo "$HOME/never" 2>/dev/null
${way === 'exit' ? `{ ${shapes[shape]}; } & while ! grep -qx "$HIVE_TRACE_ID" "$HOME/ready" 2>/dev/null; do sleep 0.05; done` : shapes[shape]}`,
});

const endTrees = async (colony: ScratchColony, trees: readonly Tree[]): Promise<string[]> => {
	for (const {traceId, shape, way} of trees) {
		const task = ['--task', 'work', '--bee', beeName({shape, way}), '--body', shape];
		await colony.ask(['task', 'create', '--trace', traceId, ...task]);
	}
	const reactor = colony.start(['run']);
	reactor.stdout?.resume();
	reactor.stderr?.resume();
	const over = once(reactor, 'exit');
	const isReady = () => trees.every(({traceId}) => colony.noted('ready').includes(traceId));
	if (!(await becomes(isReady, 120_000))) return ['the agents do not start'];
	const of = (wanted: Way) => trees.filter(({way}) => way === wanted).map(({traceId}) => traceId);
	await Promise.all([
		...of('kill').map(traceId => colony.ask(['kill', '--trace', traceId])),
		...of('retry').map(traceId => colony.ask(['task', 'retry', '--trace', traceId, '--task', 'work'])),
	]);
	reactor.kill('SIGKILL');
	await over;
	await Promise.all(of('kill without a reactor').map(traceId => colony.ask(['kill', '--trace', traceId])));
	const rest = await colony.hive(untilIdle);
	const isRest = [0, 8, 9].includes(rest.exitCode ?? -1);
	return isRest
		? findOpen(colony, trees)
		: [`hive run ended with ${rest.exitCode}: ${rest.stderr.slice(-400)}`];
};

type Shot = {readonly traceId: string; readonly tasks: readonly {readonly status: string}[]};

const expected = {
	timeout: 'failed',
	kill: 'cancelled',
	'kill without a reactor': 'cancelled',
	retry: 'completed',
	exit: 'completed',
} as const;

/** Returns the tasks whose status does not match the way in which they were ended. */
const findOpen = async (colony: ScratchColony, trees: readonly Tree[]): Promise<string[]> => {
	const {traces} = await colony.ask<{traces: readonly Shot[]}>(['status']);
	return trees.flatMap(({traceId, shape, way}) => {
		const status = traces.find(trace => trace.traceId === traceId)?.tasks[0]?.status;
		return status === expected[way] ? [] : [`${traceId} (${shape}, ${way}) is ${status}`];
	});
};

const survivorsOf = async (colony: ScratchColony): Promise<string[]> => {
	await becomes(() => processesHolding(colony.folder).length === 0, 2000);
	return processesHolding(colony.folder).map(describeProcess);
};

/** Polls a condition, because no event reports the end of a foreign process or a new line in a file. */
const becomes = async (condition: () => boolean, milliseconds: number): Promise<boolean> => {
	const end = performance.now() + milliseconds;
	while (!condition()) {
		if (performance.now() > end) return false;
		await pass(50);
	}
	return true;
};
