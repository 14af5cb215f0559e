import {EventEmitter, once} from 'node:events';
import type {Colony} from '../../source/colony/colony.ts';
import {proposesIn} from '../../source/colony/colony.ts';
import type {Dispatcher} from '../../source/dispatch/dispatcher.ts';
import {endingOf} from '../../source/dispatch/outcome.ts';
import {appendRunEvent, closeRun, giveBack} from '../../source/dispatch/run-events.ts';
import type {NewEvent, StoredEvent} from '../../source/domain/event.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {randomHex} from '../../source/drivers/random.ts';
import type {Bus, RedactedBus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Files} from '../../source/ports/files.ts';
import type {Processes, RunState} from '../../source/ports/processes.ts';
import {type Reactor, startReactor} from '../../source/reactor/reactor.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';

type ManualClock = Clock & {
	readonly advance: (milliseconds: number) => void;
	/** Sets the wall clock; the monotonic time goes on unchanged. */
	readonly set: (milliseconds: number) => void;
};

/** Returns a clock that the test moves, and that then calls the timers that are due. */
export const createManualClock = (): ManualClock => {
	let now = Date.UTC(2026, 0, 1);
	let offset = 0;
	let timers: {due: number; call: () => void}[] = [];
	return {
		now: () => now + offset,
		elapsed: () => now,
		after: (milliseconds, call) => {
			const timer = {due: now + milliseconds, call};
			timers.push(timer);
			return () => {
				timers = timers.filter(other => other !== timer);
			};
		},
		set: milliseconds => {
			offset += milliseconds;
		},
		advance: milliseconds => {
			now += milliseconds;
			const due = timers.filter(timer => timer.due <= now);
			timers = timers.filter(timer => timer.due > now);
			for (const {call} of due) call();
		},
	};
};

/** Returns a clock whose waits end at once. */
export const hurried = (clock: Clock): Clock => ({
	...clock,
	after: (_, call) => {
		const timer = setImmediate(call);
		return () => clearImmediate(timer);
	},
});

type Scripted = {state: RunState['state']; exitCode: number; begunAt: number; reason: string};

/**
 * How the runs of a bee end: at once with this status, or on request if it `lives`. The first run of a
 * `limited` bee fails over a limit that passes in ten minutes.
 */
export type Script = Readonly<Record<string, 'completed' | 'failed' | 'lives' | 'limited'>>;

/** Milliseconds until the limit of a `limited` run passes. */
export const limitTime = 600_000;

export type Rig = ReturnType<typeof createRig>;

/**
 * Creates one machine and one log, on which tests start and close reactors. Actions on runs are recorded in
 * order.
 */
export const createRig = ({colony, script = {}}: {colony: Colony; script?: Script}) => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	const ids = createIdSource(clock.now, randomHex);
	const runs = new Map<string, Scripted>();
	const notes: string[] = [];
	/** Runs that were prepared, and whether the log had their claim at that time. */
	const begins = new EventEmitter();
	const reactors: Reactor[] = [];
	const reports: string[] = [];
	let listeners: (() => void)[] = [];

	const idOf = (runDir: string) => runDir.split('/').at(-1) ?? '';
	const at = () => new Date(clock.now()).toISOString();

	const end = (agentId: string, exitCode = 0): void => {
		const run = runs.get(agentId);
		if (run === undefined || run.state === 'ended') return;
		Object.assign(run, {state: 'ended', exitCode});
		const woken = listeners;
		listeners = [];
		for (const wake of woken) wake();
	};

	const inspect = async (runDir: string): Promise<RunState> => {
		const run = runs.get(idOf(runDir));
		switch (run?.state) {
			case 'alive':
				return {
					state: 'alive',
					supervisor: {pid: 1, startTime: '', bootId: ''},
					age: clock.elapsed() - run.begunAt,
				};
			case 'ended':
				return {state: 'ended', exitCode: run.exitCode, finishedAt: at()};
			default:
				return {state: 'unbegun'};
		}
	};

	const processes: Processes = {
		launch: async () => {},
		inspect,
		ended: async (runDir, signal) => {
			while (runs.get(idOf(runDir))?.state === 'alive' && !signal.aborted)
				await new Promise<void>(resolve => listeners.push(resolve));
		},
		stop: async () => {},
		sweep: async () => 0,
		leftNoProcesses: async () => true,
		freeze: async () => 0,
		thaw: async () => 0,
		which: async () => undefined,
	};

	const dispatcherOn = (
		own: RedactedBus,
		read: () => Colony,
		beforeBegin?: () => Promise<void>,
	): Dispatcher => ({
		begin: async (_, {agentId, bee}) => {
			if (beforeBegin) await beforeBegin();
			notes.push(`begin ${bee}`);
			begins.emit(bee);
			if (runs.has(agentId)) return 0;
			runs.set(agentId, {state: 'alive', exitCode: 0, begunAt: clock.elapsed(), reason: ''});
			const how = script[bee] ?? 'completed';
			const isFirst = notes.filter(note => note === `begin ${bee}`).length === 1;
			if (how !== 'lives') end(agentId, how === 'completed' || (how === 'limited' && !isFirst) ? 0 : 1);
			return 0;
		},
		stop: async (_, {agentId, bee}, reason) => {
			notes.push(`stop ${bee}`);
			const run = runs.get(agentId) ?? {state: 'alive', exitCode: 0, begunAt: clock.elapsed(), reason};
			runs.set(agentId, {...run, reason});
			end(agentId, 143);
			return 0;
		},
		collect: async (trace, run) => {
			notes.push(`collect ${run.bee}`);
			const {agentId, bee, taskId} = run;
			const reason = runs.get(agentId)?.reason ?? '';
			const {status, exitCode, error} = endingOf({}, await inspect(`/${agentId}`), reason, {summary: ''});
			const role = read().bees.get(bee);
			const where = role === undefined ? undefined : proposesIn(role);
			if (status === 'completed' && where !== undefined) {
				const payload = {kind: `code.proposal.${where}`, workspace: where, taskId, summary: 'a change'};
				await appendRunEvent(own, trace.traceId, {agentId, step: 'proposal'}, {type: 'MUTATION', payload});
			}
			const isLimited = status === 'failed' && script[bee] === 'limited';
			const paused = isLimited && {pausedUntil: new Date(clock.now() + limitTime).toISOString()};
			if (isLimited) await giveBack(own, trace, run, 'met a limit of its tool');
			return closeRun(own, trace, run, {status, exitCode, summary: error ?? `${bee} did it`, ...paused});
		},
		follow: () => {},
		evictRuns: async () => [],
	});

	return {
		clock,
		bus,
		notes,
		reports,
		end,
		/** Resolves once a run of the bee has begun and is watched. */
		begun: async (bee: string): Promise<void> => {
			if (!notes.includes(`begin ${bee}`)) await once(begins, bee);
			await new Promise(setImmediate);
		},
		/** Appends events with ids of their own. */
		say: async (...events: NewEvent[]) => {
			for (const event of events) await bus.append(event, {id: ids.event()});
		},
		log: async (): Promise<StoredEvent[]> => {
			const log: StoredEvent[] = [];
			for await (const events of bus.read({after: 0})) log.push(...events);
			return log;
		},
		/** Resolves with the first matching event, from the log or as soon as it is appended. */
		awaitEvent: async (fits: (event: StoredEvent) => boolean): Promise<StoredEvent> => {
			const over = new AbortController();
			for await (const events of bus.follow({after: 0, signal: over.signal})) {
				const found = events.find(fits);
				if (found === undefined) continue;
				over.abort();
				return found;
			}
			throw new Error('The log ended before the expected event.');
		},
		start: async (
			given: {
				checkout?: string;
				colony?: Colony;
				bus?: Bus;
				clock?: Clock;
				only?: string;
				processes?: Processes;
				finishMerge?: (traceId: string) => Promise<boolean>;
				branchDiffers?: (traceId: string) => Promise<boolean>;
				missingPrograms?: () => Promise<ReadonlyMap<string, string>>;
				files?: Files;
				/** A promise that delays the beginning of each run until it resolves. */
				beforeBegin?: () => Promise<void>;
			} = {},
		): Promise<Reactor> => {
			const read = () => given.colony ?? colony;
			const own = given.bus ?? bus;
			const reactor = await startReactor({
				bus: own,
				colony: read,
				checkout: given.checkout ?? 'here',
				ids,
				clock: given.clock ?? clock,
				files: given.files ?? filesInMemory().files,
				processes: given.processes ?? processes,
				failpoint: () => {},
				dispatcher: dispatcherOn(expectNoSecrets(own), read, given.beforeBegin),
				only: given.only,
				missingPrograms: given.missingPrograms,
				...(given.finishMerge && {finishMerge: given.finishMerge}),
				branchDiffers: given.branchDiffers ?? (async () => false),
				report: message => reports.push(message),
			});
			reactors.push(reactor);
			return reactor;
		},
		processes,
		close: async () => {
			for (const reactor of reactors) await reactor.close();
		},
	};
};
