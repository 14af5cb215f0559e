import {HiveError, type Refusal, refusalOf} from '../domain/errors.ts';
import type {Spooled} from '../ports/spool.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {type RunName, readSpooledName, type SpooledEvent, spoolOf} from '../runs/spool.ts';
import type {DispatchPorts} from './ports.ts';

type SpoolPorts = Pick<DispatchPorts, 'spool' | 'emitSpooled' | 'colony' | 'clock'>;

/**
 * Publishes the events in the spool of a run, in order, each validated like any other event of the run
 * (docs/rules.md §5). It can be repeated after a crash at any instant. Throws if an event can be neither
 * published nor refused now; the event stays in the spool.
 *
 * @param maxDurationMs milliseconds after which no further event is begun; default no limit
 * @returns `hasMore`: there may be more events than were read; `wasCut`: the limit left some
 */
export const publishSpooled = async (
	{spool, emitSpooled, colony, clock}: SpoolPorts,
	run: RunName,
	maxDurationMs = Number.POSITIVE_INFINITY,
): Promise<{readonly hasMore: boolean; readonly wasCut: boolean}> => {
	const began = clock.elapsed();
	const folder = spoolOf(colony().root, run);
	const {names, hasMore} = spool.list(folder, isEventName) ?? noFiles;
	let isTooMany = false;
	for (const name of names) {
		if (clock.elapsed() - began > maxDurationMs) return {hasMore: true, wasCut: true};
		const event: SpooledEvent | undefined = isTooMany ? undefined : eventOf(name, spool.read(folder, name));
		const refused: Refusal | undefined = event && (await emitSpooled(run, event));
		if (refused?.code === 'conflict') throw new HiveError('conflict', refused);
		// The following events would be refused for the same reason, which is noted already. For a deferred event
		// only the queue may be full.
		isTooMany ||= refused?.code === 'too_many_events' && event?.defer === false;
		spool.remove(folder, name);
		await yieldToOtherWork(clock);
	}
	return {hasMore, wasCut: false};
};

/**
 * Lets other work run. A log on this machine answers at once, so a thousand events would otherwise block all
 * other runs.
 */
const yieldToOtherWork = (clock: SpoolPorts['clock']): Promise<void> =>
	new Promise(resolve => void clock.after(0, resolve));

const noFiles = {names: [], hasMore: false};

const isEventName = (name: string): boolean => readSpooledName(name) !== undefined;

const eventOf = (name: string, found: Spooled): SpooledEvent | undefined => {
	const parsed = readSpooledName(name);
	if (parsed === undefined || found === undefined || found === 'no file') return undefined;
	return {...parsed, text: found === 'too large' ? undefined : found.text};
};

/** At most four reads a second, since a program could add files without end. */
const pauseMs = 250;
const retryMs = 1000;
/**
 * Maximum duration of one read. The pause after it is as long, so a run takes at most half of the reactor's
 * time.
 */
const maxPollMs = pauseMs;

/**
 * Publishes the events that an open run puts into its spool, until the signal. Does nothing if the run has no
 * spool.
 */
export const followSpool = (
	ports: SpoolPorts & Pick<DispatchPorts, 'files' | 'report'>,
	run: RunName,
	signal: AbortSignal,
): void => {
	const {spool, files, clock, report} = ports;
	const folder = spoolOf(ports.colony().root, run);
	if (spool.list(folder, isEventName) === undefined) return;
	let isDue = false;
	let isPausing = false;
	let stopTimer = (): void => {};
	const pause = (delayMs: number): void => {
		if (signal.aborted) return;
		stopTimer = clock.after(delayMs, () => {
			isPausing = false;
			if (isDue) poll();
		});
	};
	const poll = (): void => {
		isDue = !signal.aborted;
		if (isPausing || !isDue) return;
		isPausing = true;
		isDue = false;
		publishSpooled(ports, run, maxPollMs).then(
			({wasCut}) => {
				isDue ||= wasCut;
				pause(pauseMs);
			},
			(error: unknown) => {
				isDue = true;
				// For a trace that was taken, the other checkout handles the end of the run.
				if (refusalOf(error)?.code !== 'elsewhere')
					report(
						`The spool of run ${run.agentId} of ${run.traceId} could not be read; hive tries again.`,
						error,
					);
				pause(retryMs);
			},
		);
	};
	signal.addEventListener('abort', () => stopTimer(), {once: true});
	files.watch(folder, signal, poll);
	poll();
};

/** Removes the spool of an ended run, with its remaining events. */
export const removeSpool = async (
	{files, colony}: Pick<DispatchPorts, 'files' | 'colony'>,
	run: RunName,
): Promise<void> => {
	const directory = runDirectory(colony().root, run.traceId, run.agentId);
	await files.remove(runPath(directory, 'sandbox'));
};
