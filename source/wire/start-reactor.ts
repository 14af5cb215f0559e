import {hostname} from 'node:os';
import {join} from 'node:path';
import {version} from '../../package.json';
import type {Trace} from '../domain/trace.ts';
import {boundHeap} from '../drivers/heap-bounds.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import type {LiveReactor, ReactOptions, Surroundings} from '../host/host.ts';
import {foldVersion} from '../ledger/checkpoint.ts';
import {type Announcement, announceMachine} from '../ledger/heartbeats.ts';
import {timestamp} from '../ports/clock.ts';
import {type Reactor, startReactor as start} from '../reactor/reactor.ts';
import {readBranch} from '../workspaces/merge/base.ts';
import {createRegistry} from '../workspaces/worktree/registry.ts';
import {clock, files} from './drivers.ts';
import type {OpenColony} from './opened-colony.ts';
import {followFiles} from './reactor/follow-files.ts';
import {publishMissingWork, removeVerifications, resumeWriters} from './reactor/left-behind.ts';
import {createReactorPorts} from './reactor/reactor-ports.ts';
import {createErrorReport} from './reactor/report-errors.ts';
import {reportConfigurationErrors, warnAboutCheckout} from './reactor/report-problems.ts';
import {createRequestWatcher, type RequestWatcher} from './reactor/request-watcher.ts';
import {serveMachines} from './reactor/serve-machines.ts';
import {serveProcesses} from './reactor/serve-processes.ts';
import {openTelemetry} from './reactor/telemetry.ts';
import {watchOtherMachines} from './reactor/watch-other-machines.ts';
import {createRunDispatcher, openPortBlocks} from './run-dispatcher.ts';
import {sessionEntries} from './session-entries.ts';

/**
 * Starts the reactor of this checkout. Until it is closed, the other processes of the checkout append through
 * it. Resolves with undefined if another process holds the lock.
 */
export const startReactor = async (
	open: OpenColony,
	{env, faults}: Surroundings,
	{only, landsOnly, report}: ReactOptions,
): Promise<LiveReactor | undefined> => {
	const {context, configuration, bus, folder} = open;
	const {git, checkout} = context;
	const {root} = context.colony;
	const lock = createKernelLock(join(folder, 'reactor.lock'));
	if (!lock.take()) return undefined;
	boundHeap();
	const controller = new AbortController();
	const {signal} = controller;
	/** Releases the lock before it throws, so that a later attempt in this process can succeed. */
	const orRelease = (error: unknown): never => {
		controller.abort();
		lock.release();
		throw error;
	};
	let reactor: Reactor | undefined;
	let announcement: Announcement | undefined;
	const traces = (): readonly Trace[] => [...(reactor?.ledger.traces().values() ?? [])];

	const reportError = createErrorReport({bus, clock, faults, report, signal});
	let requestWatcher: RequestWatcher | undefined;
	const changed = (): void => {
		reactor?.reconsider();
		requestWatcher?.reconsider();
	};
	const followed = await followFiles(open, {signal, report, changed}).catch(orRelease);
	const recordedWriterIds = await configuration.writers();
	const openSessions = () => sessionEntries(files, context.colony.root, traces(), checkout);
	const registry = createRegistry(
		{clock, git, files, portBlocks: openPortBlocks(folder), openSessions, report: reportError},
		{root, folder},
	);
	const dispatcher = createRunDispatcher(open, {environment: env, report: reportError});
	const noNewerHiveLeft = (): void => reactor?.machinesChanged();
	const watching = {bus, clock, checkout, report, reportError, noNewerHiveLeft, signal};
	const others = await watchOtherMachines(watching).catch(orRelease);
	await warnAboutCheckout(git, root, report);
	requestWatcher = landsOnly ? undefined : createRequestWatcher(open, {env, only, report});
	const telemetry = openTelemetry(env, {clock, checkout, report});
	const started = await start(
		createReactorPorts({
			...{
				context,
				bus,
				configuration: followed,
				dispatcher,
				registry,
				others,
				only,
				landsOnly,
				report,
				reportError,
			},
			observe: (event, trace) => {
				telemetry?.observe(event, trace);
				requestWatcher?.changed(trace);
			},
			slotsChanged: () => announcement?.changed(),
		}),
	).catch(orRelease);
	reactor = started;

	const atStart = traces();
	for (const trace of atStart) requestWatcher?.changed(trace);
	requestWatcher?.reconsider();
	await resumeWriters(open, atStart, recordedWriterIds);
	await removeVerifications(context, traces, reportError);
	const publishing = publishMissingWork(context, atStart, {signal, report: reportError});
	const startedAt = timestamp(clock);
	let base: Awaited<ReturnType<typeof readBranch>>;
	if (bus.isShared)
		announcement = announceMachine(
			{bus, clock, report: reportError},
			() => ({
				...{checkout, host: hostname(), root: context.colony.root, pid: process.pid, startedAt, only},
				...{version, foldVersion, base},
				...started.slots(),
			}),
			async () => {
				base = await readBranch(git, root);
			},
		);
	const {ledger, isIdle} = started;
	const {caughtUp, left} = followed;
	const stopServing = await serveProcesses(open, {caughtUp, ledger, isIdle, startedAt, only});
	const answersSettled = serveMachines(open, {faults, signal});
	await reportConfigurationErrors(configuration, report);

	const close = async (): Promise<void> => {
		controller.abort();
		await Promise.allSettled([answersSettled(), publishing]);
		await started.close();
		await requestWatcher?.close();
		await telemetry?.close();
		await announcement?.leave();
		await registry.close();
		// Ignores an error: the next start records these writers (`resumeWriters`).
		await configuration.settled().catch(() => {});
		await stopServing();
		lock.release();
	};
	let closing: Promise<void> | undefined;
	const closeOnce = (): Promise<void> => {
		closing ??= close();
		return closing;
	};
	// Closes at once if the log was left. An error is ignored here, since the caller's `close` has it too.
	void left.catch(closeOnce).catch(() => {});
	return {idle: started.idle, over: Promise.race([left, started.over]), close: closeOnce};
};
