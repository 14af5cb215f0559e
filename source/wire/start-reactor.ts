import {hostname} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {version} from '../../package.json';
import {finishOpenMerge} from '../actions/finish-open-merge.ts';
import {holdRecordedBase} from '../actions/hold-base.ts';
import {keepMissing} from '../actions/keep-for-others.ts';
import type {Colony} from '../colony/colony.ts';
import type {ConfigurationStore} from '../colony/configuration/store.ts';
import {mergeAsWriter, type Writer} from '../colony/configuration/writers.ts';
import {refusalOf} from '../domain/errors.ts';
import {howToGetMore, isExhausted} from '../domain/exhausted.ts';
import {type Beat, type NewerHive, newerHive} from '../domain/place.ts';
import type {Trace} from '../domain/trace.ts';
import {boundHeap} from '../drivers/heap-bounds.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import {answerEmit, type EmitRequest} from '../host/answer-emit.ts';
import {answerPlace} from '../host/answer-place.ts';
import type {LiveReactor, ReactOptions, Surroundings} from '../host/host.ts';
import {versionWords} from '../host/waits.ts';
import {foldVersion} from '../ledger/checkpoint.ts';
import {type Announcement, announcePlace, readBeats, watchPlaces} from '../ledger/places.ts';
import {timestamp} from '../ports/clock.ts';
import {type Reactor, startReactor as start} from '../reactor/reactor.ts';
import {reportOnce} from '../reactor/report-once.ts';
import {currentBase} from '../workspaces/base.ts';
import {readCheckoutNotes, sentenceOf} from '../workspaces/checkout-notes.ts';
import {awaitsMerge} from '../workspaces/leave-branch.ts';
import {createRegistry} from '../workspaces/registry.ts';
import {removeLeftVerifications} from '../workspaces/verification-worktree.ts';
import {clock, files, ids, processes, reach} from './drivers.ts';
import type {OpenColony} from './opened-colony.ts';
import {createRunDispatcher, openPortBlocks} from './run-dispatcher.ts';
import {runsThatWrite} from './runs-that-write.ts';
import {sessionEntries} from './session-entries.ts';

/** Starts the reactor of this checkout when its lock is free, and takes everybody's appends until it is closed. */
export const startReactor = async (
	{context, configuration, bus, channel, folder, settings, secrets, expectSameBus, expectUsable}: OpenColony,
	{env, faults}: Surroundings,
	{only, report}: ReactOptions,
): Promise<LiveReactor | undefined> => {
	const lock = createKernelLock(join(folder, 'reactor.lock'));
	if (!lock.take()) return undefined;
	boundHeap();
	const colony = (): Colony => context.colony;
	const reportRepeated = reportOnce(clock, report);
	const over = new AbortController();
	let isConnected = true;
	bus.watchConnection(over.signal, isThere => {
		isConnected = isThere;
	});
	const reportError = (message: string, error?: unknown) => {
		if (error === undefined) return report(message);
		// All that is tried meanwhile fails for the same reason, which whoever holds the reactor has said.
		if (!isConnected && refusalOf(error)?.code === 'bus_unreachable') return;
		const words = error instanceof Error ? error.message : String(error);
		if (isExhausted(error)) return reportRepeated(`${message} ${words}. ${howToGetMore}`);
		const file = refusalOf(error) === undefined ? faults.report(error) : undefined;
		const where = file === undefined ? '' : ` (${file} says where and when.)`;
		reportRepeated(`${message} ${words}${where}`);
	};
	let leave = (_error: unknown): void => {};
	/** Rejects when another bus is named: what is done from then on belongs into another log. */
	const leaving = new Promise<never>((_, reject) => {
		leave = reject;
	});
	// It may come before there is a reactor that could be closed.
	leaving.catch(() => {});
	/** Whoever asked may try again, in this process too. */
	const orRelease = (error: unknown): never => {
		over.abort();
		lock.release();
		throw error;
	};
	let reactor: Reactor | undefined;
	const {refresh, caughtUp} = await configuration
		.follow({
			signal: over.signal,
			changed: sentences => {
				for (const sentence of sentences) report(sentence);
				try {
					expectSameBus();
					reactor?.reconsider();
				} catch (error) {
					leave(error);
				}
			},
		})
		.then(followed => {
			expectSameBus();
			expectUsable();
			return followed;
		})
		.catch(orRelease);
	const {git, checkout} = context;
	const writers = await configuration.writers();
	const openSessions = () =>
		sessionEntries(files, colony().root, [...(reactor?.ledger.traces().values() ?? [])], checkout);
	const registry = createRegistry(
		{clock, git, files, portBlocks: openPortBlocks(folder), openSessions, report: reportError},
		{root: colony().root, folder},
	);
	const dispatcher = createRunDispatcher(
		{context, configuration, bus, settings, folder},
		{environment: env, report: reportError},
	);
	const telling = {bus, clock, report: reportError};
	let announcement: Announcement | undefined;
	/** Before anything is decided it is known whether a newer hive has worked on the log. */
	const beats = bus.isShared ? await readBeats(bus).catch(orRelease) : [];
	const newerOf = (places: readonly Beat[]) => newerHive(places, {checkout, foldVersion});
	const tellNewer = createNewerWords(report, () => reactor?.placesChanged());
	const others = bus.isShared
		? watchPlaces(telling, over.signal, () => tellNewer(newerOf(others?.() ?? [])), beats)
		: undefined;
	tellNewer(newerOf(beats));
	// Before the first run is paid for. Hooks are named by "hive doctor".
	for (const note of await readCheckoutNotes(git, colony().root).catch(() => []))
		if (note.kind !== 'hooks-not-run') report(sentenceOf(note));
	const started = await start({
		others,
		slotsChanged: () => announcement?.changed(),
		...{bus, colony, checkout, ids, clock, files, processes, reach, report: reportError},
		dispatcher: {
			...dispatcher,
			begin: (...run) => dispatcher.begin(...run).finally(registry.look),
			collect: (...run) => dispatcher.collect(...run).finally(registry.look),
		},
		only,
		missingPrograms: context.missingPrograms,
		...{catchUp: refresh, caughtUp},
		currentBase: async () => {
			const base = await currentBase(git, context.colony.root);
			return base && {branch: base.name, commit: base.commit};
		},
		branchDiffers: async traceId => {
			await holdRecordedBase(context, traceId);
			return awaitsMerge(git, {root: context.colony.root, traceId});
		},
		finishMerge: async traceId => {
			const ended = await finishOpenMerge(context, traceId);
			if (ended.merge === 'over' && !ended.outcome.ok)
				report(`The interrupted merge of ${traceId} was given up: ${ended.outcome.refusal.message}`);
			return ended.merge !== 'busy';
		},
	}).catch(orRelease);
	reactor = started;
	const traces = [...started.ledger.traces().values()];
	const merges = traces.flatMap(mergesThatWrite).filter(({id}) => writers.includes(id));
	await configuration.resume([...runsThatWrite(traces, checkout), ...merges], writers);
	const isOpenHere = (agentId: string): boolean =>
		[...started.ledger.traces().values()].some(({runs}) => {
			const run = runs.get(agentId);
			return run?.status === 'running' && run.place === checkout;
		});
	await removeLeftVerifications(git, context.colony.root, isOpenHere).catch((error: unknown) =>
		reportError('The worktree of a verification that is over could not be removed.', error),
	);
	/** What was left while the log was in a file, or its server away, is there for other machines from now on. */
	const keepAll = async (): Promise<void> => {
		for (const trace of bus.isShared ? traces : []) {
			if (over.signal.aborted) return;
			await keepMissing(context, trace).catch((error: unknown) =>
				reportError(`What the runs of ${trace.traceId} left is not kept for other machines:`, error),
			);
		}
	};
	const keeping = keepAll();
	const startedAt = timestamp(clock);
	if (bus.isShared)
		announcement = announcePlace(telling, () => ({
			...{checkout, host: hostname(), root: context.colony.root, pid: process.pid, startedAt, only},
			...{version, foldVersion},
			...started.slots(),
		}));
	const stopServing = await channel.serve({
		append: bus.append,
		emit: async (raw, id) => {
			await caughtUp();
			const request = readRequest(raw);
			expectSameBus({url: request.busUrl ?? ''});
			return answerEmit({...context, folded: started.ledger.folded}, {...request, id});
		},
		status: () => ({
			...{pid: process.pid, startedAt, idle: started.isIdle(), bus: bus.address, only},
			problems: colony().problems,
		}),
	});
	const answering = new Set<Promise<unknown>>();
	const answer = (question: unknown): Promise<unknown> => {
		const answered = answerPlace(context, question, {
			...{secrets: secrets.values, faults, signal: over.signal},
		});
		answering.add(answered);
		return answered.finally(() => answering.delete(answered));
	};
	bus.places?.serve(checkout, answer, over.signal);
	await reportErrors(configuration, report);
	let closing: Promise<void> | undefined;
	const close = async (): Promise<void> => {
		over.abort();
		await Promise.allSettled([...answering, keeping]);
		await started.close();
		await announcement?.leave();
		await registry.close();
		// What cannot be recorded now, the next start makes up for.
		await configuration.settled().catch(() => {});
		await stopServing();
		lock.release();
	};
	const closeOnce = (): Promise<void> => {
		closing ??= close();
		return closing;
	};
	// Whoever has it closes it too, and meets what fails then.
	void leaving.catch(closeOnce).catch(() => {});
	return {idle: started.idle, over: Promise.race([leaving, started.over]), close: closeOnce};
};

/** Reports that a newer hive has worked on the log, or does no more, and calls when the latter is so. */
const createNewerWords = (report: (message: string) => void, over: () => void) => {
	let told: NewerHive | undefined;
	return (newer: NewerHive | undefined): void => {
		if (isDeepStrictEqual(newer, told)) return;
		told = newer;
		if (newer === undefined) over();
		report(
			newer === undefined
				? 'No hive of another machine is newer any more; this one goes on.'
				: `Update hive on this machine: ${versionWords(newer)}. Until then nothing new is started here; open runs are seen to their end.`,
		);
	};
};

/** Says what `hive doctor` calls an error, all but what following the files has said. Rules are loaded when runs have begun. */
const reportErrors = async (
	configuration: ConfigurationStore,
	report: (message: string) => void,
): Promise<void> => {
	const {errorsIn} = await import('../colony/rules.ts');
	const {colony, notes} = configuration.current();
	const problems = colony.problems.filter(problem => !notes.includes(problem));
	for (const {path, message, fix} of errorsIn({...colony, problems})) report(`${path}: ${message}. ${fix}`);
};

const mergesThatWrite = (trace: Trace): Writer[] =>
	trace.merge?.taskId === undefined ? [] : [mergeAsWriter(trace)];

/** What came over the socket is anybody's until it is checked. */
const readRequest = (raw: unknown): EmitRequest => {
	const {text, traceId, agentId, busUrl}: Record<string, unknown> = {...Object(raw)};
	const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
	return {
		text: textOf(text) ?? '',
		traceId: textOf(traceId),
		agentId: textOf(agentId),
		busUrl: textOf(busUrl),
	};
};
