import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {constants, openSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {Socket} from 'node:net';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as pause} from 'node:timers/promises';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {openNatsBus} from '../../source/drivers/nats-bus/nats-bus.ts';
import {createReactorChannel} from '../../source/drivers/reactor-channel/channel.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {createScratchColony, type ScratchColony} from '../chaos/scratch-colony.ts';
import type {NatsServer} from '../helpers/nats-server.ts';
import {monotonic} from './bare-spawns.ts';

type Wishes = {
	/**
	 * The `sh` script of the only bee; by default it is /bin/true. The script reports its start in
	 * `$HOME/begun`.
	 */
	readonly script?: string;
	/** True if the bee works and proposes in a worktree. */
	readonly worktree?: boolean;
	readonly parallel?: number;
	/** The files in the repository besides those of the colony, or a number of small ones. */
	readonly files?: number | Readonly<Record<string, string>>;
	/** The store of the log. */
	readonly bus?: 'embedded' | 'nats';
};

/** The report of a started agent: `<trace>/<task>`, and the time on the clock of `monotonic`. */
type Begun = {readonly name: string; readonly at: number};

/** A colony with one bee. This process uses its log like any other process. */
export type BusyColony = ScratchColony & {
	readonly bus: Bus;
	/** Starts a reactor and resolves once it reports that it is idle. */
	readonly startReactor: () => Promise<Reactor>;
	/** Appends one plan and resolves once it is durable. */
	readonly plan: (traceId: string, taskIds: readonly string[]) => Promise<unknown>;
	/** Resolves once that many tasks of the log are completed. */
	readonly completed: (count: number) => Promise<void>;
	/** Resolves with the next agent that reports its start. */
	readonly begun: () => Promise<Begun>;
	/** Ends all processes. `removeColonies` removes the files. */
	readonly dispose: () => Promise<void>;
};

export type Reactor = {readonly pid: number; readonly end: (signal: NodeJS.Signals) => Promise<void>};

/** A script that only reports the start of the agent. */
export const sayBegun = 'echo "$HIVE_TRACE_ID/$HIVE_TASK_ID" >"$HOME/begun"\n';

/** The script of the bee, relative to the root. */
export const scriptPath = '.hive/agents/tick.sh';

export const createBusyColony = async ({
	script,
	worktree = false,
	parallel = 4,
	files = 0,
	bus = 'embedded',
}: Wishes) => {
	const colony = await createScratchColony({
		command: resolve('dist/hive.cjs'),
		bus,
		bees: {},
		settings: {defaults: {max_parallel_runs: parallel, energy_budget: 100_000, default_bee: 'tick'}},
		files: {
			'.hive/bees/tick.yaml': JSON.stringify({
				...{adapter: 'script', worktree},
				command: script === undefined ? ['/bin/true'] : ['/bin/sh', `$COLONY_ROOT/${scriptPath}`],
				publishes: worktree ? [{type: 'MUTATION', kind: 'code.proposal.isolated'}] : [],
			}),
			[scriptPath]: script ?? 'true\n',
			...(typeof files === 'number' ? smallFiles(files) : files),
		},
	});
	return handsOn(colony);
};

const smallFiles = (count: number): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Array.from({length: count}, (_, index) => [
			`folder-${index % 50}/${index}.txt`,
			`This is file ${index}.\n`,
		]),
	);

const leftovers: (() => Promise<void>)[] = [];

/**
 * Removes colonies after all measurements, because a file system may create files slowly for minutes after
 * many removals.
 */
export const removeColonies = async (): Promise<void> => {
	for (const remove of leftovers.splice(0)) await remove();
};

const handsOn = async (colony: ScratchColony): Promise<BusyColony> => {
	const folder = join(colony.home, '.config/hive/chaos');
	const clock = createSystemClock();
	const channel = createReactorChannel({socket: join(folder, 'reactor.sock'), clock});
	const file = join(folder, 'events.sqlite');
	const bus = await (colony.server
		? openNatsBus({access: accessTo(colony.server), id: await idOf(colony), clock})
		: openSqliteBus({file, channel, clock}));
	const begins = listen(join(colony.home, 'begun'));
	const completions = createTally();
	const over = new AbortController();
	void (async () => {
		for await (const events of bus.follow({after: 0, signal: over.signal}))
			completions.add(events.filter(({payload}) => payload.kind === 'task.completed').length);
	})();
	return {
		...{...colony, bus},
		startReactor: async () => {
			const child = colony.start(['run', '--json']);
			child.stdout?.resume();
			child.stderr?.resume();
			const gone = once(child, 'exit');
			for (;;) {
				const status = await channel.status();
				if (status?.pid === child.pid && status?.idle) break;
				await pause(1);
			}
			return {
				pid: child.pid ?? 0,
				end: async signal => {
					child.kill(signal);
					await gone;
				},
			};
		},
		plan: (traceId, taskIds) => {
			const tasks = taskIds.map(taskId => ({taskId, title: taskId, body: 'x'}));
			const event = {
				traceId,
				agentId: 'human',
				type: 'INSIGHT',
				payload: {kind: 'task.plan', tasks},
			} as const;
			return bus.append(event, {id: `${traceId}/${taskIds[0]}/plan`});
		},
		completed: completions.reaches,
		begun: begins.next,
		dispose: async () => {
			over.abort();
			begins.close();
			await bus.close();
			await channel.close();
			await colony.end();
			leftovers.push(colony.remove);
		},
	};
};

const accessTo = ({url}: NatsServer) => ({servers: [url], shown: url});

/** Reads the id that `hive init` wrote. */
const idOf = async ({root}: ScratchColony): Promise<string> =>
	/^id: (.*)$/m.exec(await readFile(join(root, '.hive/colony.yaml'), 'utf8'))?.[1] ?? '';

/** Reads lines from a pipe as soon as they arrive. */
const listen = (path: string) => {
	execFileSync('mkfifo', [path]);
	// The pipe is also open for writing, so that it does not end with its first writer.
	const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
	const pipe = new Socket({fd, readable: true, writable: false});
	const said: Begun[] = [];
	const waiting: ((begun: Begun) => void)[] = [];
	createInterface(pipe).on('line', name => {
		const begun = {name, at: monotonic()};
		const call = waiting.shift();
		if (call) call(begun);
		else said.push(begun);
	});
	return {
		next: (): Promise<Begun> => {
			const [first] = said.splice(0, 1);
			return first ? Promise.resolve(first) : new Promise(resolve => waiting.push(resolve));
		},
		close: () => pipe.destroy(),
	};
};

const createTally = () => {
	let sum = 0;
	let waiting: {count: number; call: () => void}[] = [];
	return {
		add: (more: number) => {
			sum += more;
			for (const {count, call} of waiting) if (count <= sum) call();
			waiting = waiting.filter(({count}) => count > sum);
		},
		reaches: (count: number): Promise<void> =>
			count <= sum ? Promise.resolve() : new Promise(call => waiting.push({count, call})),
	};
};
