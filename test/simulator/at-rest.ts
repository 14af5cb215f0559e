import {isDeepStrictEqual} from 'node:util';
import type {StoredEvent} from '../../source/domain/event.ts';
import type {Task} from '../../source/domain/task.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {readDecisions} from '../../source/host/review/decisions.ts';
import {inboxOf} from '../../source/host/views/inbox.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {taskDirectory} from '../../source/runs/layout.ts';
import {missingInLog} from '../../source/runs/newest-event.ts';
import {renderTask} from '../../source/runs/projection.ts';

import {createManualClock} from '../reactor/rig.ts';
import {untaken} from './invariants.ts';
import {leftovers} from './leftovers.ts';
import {unheard} from './questions.ts';
import type {Runner} from './runner.ts';
import type {World} from './world.ts';

/** Returns the breaches in a world where nothing moves any more. */
export const breachesAtRest = async (world: World, runners: readonly Runner[]): Promise<string[]> => {
	const folded = await foldLog(world);
	const pending = await pendingOf(world);
	return [
		...runners.filter(runner => !runner.isIdle()).map(({name}) => `${name} never reported that it is idle`),
		...runners.flatMap(({name, reactor}) => {
			const traces = reactor()?.ledger.traces();
			const loaded = [...folded].filter(([traceId]) => traces === undefined || traces.has(traceId));
			return differences(new Map(loaded), traces, name);
		}),
		...differences(folded, (await openLedger(world.bus)).traces(), 'what the checkpoints give'),
		...[...folded.values()].flatMap(trace => leftovers(trace, pending(trace.traceId))),
		...[...folded.values()]
			.filter(({traceId}) => pending(traceId) === 0)
			.flatMap(trace => untaken(trace, differs(world, trace))),
		...launches(world, folded),
		...(await unexplained(world, folded)),
		...(await unseen(world, folded)),
		...projections(world, folded),
		...(await namedNewest(world)),
	];
};

/** True if the branch of the trace differs from its base, in the checkout that owns the trace. */
const differs = ({machines}: World, {traceId, place}: Trace): boolean =>
	machines.some(({checkout, branches}) => checkout === place && branches.has(traceId));

export const readLog = async ({bus}: Pick<World, 'bus'>): Promise<StoredEvent[]> => {
	const log: StoredEvent[] = [];
	for await (const events of bus.read({after: 0})) log.push(...events);
	return log;
};

/** Folds the log from its start, without checkpoints. */
const foldLog = async (world: World): Promise<Map<string, Trace>> => {
	const log = await readLog(world);
	const traceIds = new Set(log.map(({traceId}) => traceId));
	return new Map([...traceIds].map(id => [id, applyEvents(emptyTrace(id), log).trace]));
};

const differences = (
	folded: ReadonlyMap<string, Trace>,
	traces: ReadonlyMap<string, Trace> | undefined,
	whose: string,
): string[] =>
	[...folded].flatMap(([traceId, trace]) => {
		const other = traces?.get(traceId);
		return isDeepStrictEqual(other, trace)
			? []
			: [`${whose}: ${traceId} at ${other?.sequence} is not the fold of the log at ${trace.sequence}`];
	});

/** Returns the number of pending direct runs of each trace, according to the cursor. */
export const pendingOf = async ({bus}: World): Promise<(traceId: string) => number> => {
	const counts = new Map<string, number>();
	for (const {value} of await bus.bucket('reactor').entries()) {
		const cursor: {owed: [string, unknown[]][]} = JSON.parse(value);
		for (const [traceId, runs] of cursor.owed) counts.set(traceId, (counts.get(traceId) ?? 0) + runs.length);
	}
	return traceId => counts.get(traceId) ?? 0;
};

/** A reader of the log beside a reactor knows why each unfinished task waits. */
const unexplained = async (world: World, folded: ReadonlyMap<string, Trace>): Promise<string[]> => {
	const {bus, configuration, machines} = world;
	const ledger = await openLedger(bus);
	const clock = createManualClock();
	const breaches = machines.map(async ({checkout}) => {
		const decisions = await readDecisions({bus, clock, colony: configuration.now(), checkout}, ledger);
		return [...folded.values()].flatMap(trace => {
			const {waits} = decisions.of(trace);
			const unsaid = [...trace.tasks.values()]
				.filter(isUnfinished)
				.filter(task => waits.task(task).length === 0)
				.map(
					({taskId, status}) => `${trace.traceId}: nothing says why ${taskId} is ${status}, at ${checkout}`,
				);
			return [...unsaid, ...unheard(trace, decisions, configuration.steady())];
		});
	});
	return (await Promise.all(breaches)).flat();
};

/** The inbox of a person states what unfinished work waits for. */
const unseen = async (world: World, folded: ReadonlyMap<string, Trace>): Promise<string[]> => {
	const {bus, configuration, machines} = world;
	const ledger = await openLedger(bus);
	const clock = createManualClock();
	const breaches = machines.map(async ({checkout}) => {
		const colony = configuration.now();
		const held = (await readDecisions({bus, clock, colony, checkout}, ledger)).held();
		return [...folded.values()]
			.filter(trace => !trace.killed && [...trace.tasks.values()].some(isUnfinished))
			.filter(trace => inboxOf([trace], {held}).length === 0)
			.map(({traceId}) => `${traceId}: it is stuck, and the inbox at ${checkout} does not show it`);
	});
	return (await Promise.all(breaches)).flat();
};

const isUnfinished = ({status}: Task): boolean => status !== 'completed' && status !== 'cancelled';

/** Every started agent has its claim, in only one checkout (I1). */
const launches = ({machines, faults, isShared}: World, folded: ReadonlyMap<string, Trace>): string[] => {
	const started = machines.flatMap(({checkout, runs}) =>
		[...runs.values()].flatMap(({launch}) => (launch === undefined ? [] : [{checkout, env: launch.env}])),
	);
	const unclaimed = started.filter(({checkout, env}) => {
		const run = folded.get(env.HIVE_TRACE_ID ?? '')?.runs.get(env.HIVE_AGENT_ID ?? '');
		return isShared ? run === undefined : run?.place !== checkout;
	});
	const ids = started.map(({env}) => env.HIVE_AGENT_ID ?? '');
	const doubled = ids.filter((agentId, index) => ids.indexOf(agentId) !== index);
	const repeated = faults.everFailed ? [] : machines.flatMap(({repeatedLaunches}) => repeatedLaunches);
	return [
		...doubled.map(agentId => `run ${agentId} was started on two machines`),
		...unclaimed.map(({env}) => `run ${env.HIVE_AGENT_ID} was started without a claim`),
		...repeated.map(runDir => `${runDir} was launched twice by one reactor`),
	];
};

/** Files are the projection of the log (I11), for a reactor that alone holds the lock of its checkout. */
const projections = ({machines, colony, split}: World, folded: ReadonlyMap<string, Trace>): string[] =>
	machines.length > 1 || split
		? []
		: machines.flatMap(({checkout, texts}) =>
				[...folded.values()].flatMap(({traceId, tasks}) =>
					[...tasks.values()]
						.filter(
							task =>
								texts.get(`${taskDirectory(colony.root, traceId, task.taskId)}/task.md`) !==
								renderTask(traceId, task),
						)
						.map(({taskId}) => `the file of ${traceId} ${taskId} at ${checkout} is not what the log says`),
				),
			);

/** The files name the newest event they show, and the log is never mistaken for another. */
const namedNewest = async ({machines, colony, bus, split}: World): Promise<string[]> => {
	const last = await bus.last();
	const breaches = await Promise.all(
		machines.map(async ({checkout, texts}) => {
			const own = {root: colony.root, checkout};
			const missing = await missingInLog(bus, {read: async path => texts.get(path)}, own);
			const named = texts.get(`${colony.root}/.hive/runs/.newest`)?.split(' ')[0];
			const isNewest = split || machines.length > 1 || last === 0 || named === String(last);
			return [
				...(missing === undefined ? [] : [`the log is reported as another log: ${missing}`]),
				...(isNewest ? [] : [`the files name event ${named} as their newest, and it is ${last}`]),
			];
		}),
	);
	return breaches.flat();
};
