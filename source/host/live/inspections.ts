import {isDeepStrictEqual} from 'node:util';
import type {ActionContext} from '../../actions/context.ts';
import type {TouchedFile} from '../../domain/run-progress.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {runDirectory} from '../../runs/layout.ts';
import {createWaiter} from '../../runs/waiter.ts';
import {pause} from '../pause.ts';
import type {readTouched as ReadTouched} from '../review/run-progress.ts';

/** Minimum interval between reads of one run, in milliseconds. */
const minIntervalMs = 2000;
/** Interval after which a run is read although its output has not grown: a long command may write files. */
const maxIntervalMs = 10_000;

type RunName = {readonly traceId: string; readonly agentId: string};

/** The touched files of the runs that faces inspect. */
export type Inspections = {
	/** Reads the touched files of a live run until the signal is aborted. Viewers share the reads. */
	readonly inspect: (run: RunName, signal: AbortSignal) => void;
	/** The files as they were last read. The object stays the same until they change. */
	readonly touchedBy: (agentId: string) => readonly TouchedFile[] | undefined;
	/** Passes the id of each run whose files have changed to `call`, until the signal is aborted. */
	readonly onChange: (signal: AbortSignal, call: (agentId: string) => void) => void;
	/** Forgets a run that has ended. */
	readonly forget: (agentId: string) => void;
};

/** @param read reads the files of one run; loaded on first use by default */
export const createInspections = (
	context: Pick<ActionContext, 'git' | 'files' | 'colony' | 'checkout' | 'bus' | 'clock' | 'redact'>,
	traces: () => ReadonlyMap<string, Trace>,
	read?: typeof ReadTouched,
): Inspections => {
	const touched = new Map<string, readonly TouchedFile[]>();
	const active = new Map<string, {viewers: number; readonly over: AbortController}>();
	const listeners = new Set<(agentId: string) => void>();
	const openRun = ({traceId, agentId}: RunName) => {
		const trace = traces().get(traceId);
		const run = trace && openRuns(trace).find(open => open.agentId === agentId);
		return run?.place === context.checkout ? run : undefined;
	};
	const publish = (agentId: string, files: readonly TouchedFile[]): void => {
		if (isDeepStrictEqual(files, touched.get(agentId))) return;
		touched.set(agentId, files);
		for (const call of listeners) call(agentId);
	};
	const follow = async (run: RunName, signal: AbortSignal): Promise<void> => {
		const {files, colony, clock} = context;
		const readTouched = read ?? (await import('../review/run-progress.ts')).readTouched;
		const {wake, notified} = createWaiter(signal);
		files.watch(runDirectory(colony.root, run.traceId, run.agentId), signal, wake);
		for (let open = openRun(run); open !== undefined && !signal.aborted; open = openRun(run)) {
			// A workspace that cannot be read now may be readable later.
			const found = await readTouched(context, run.traceId, open).catch(() => undefined);
			if (found !== undefined && !signal.aborted && openRun(run) !== undefined) publish(run.agentId, found);
			await pause(clock, signal, minIntervalMs);
			const rest = new AbortController();
			const either = AbortSignal.any([signal, rest.signal]);
			await Promise.race([notified(), pause(clock, either, maxIntervalMs - minIntervalMs)]);
			rest.abort();
		}
	};
	const leave = (agentId: string): void => {
		const inspection = active.get(agentId);
		if (inspection === undefined) return;
		inspection.viewers -= 1;
		if (inspection.viewers > 0) return;
		inspection.over.abort();
		active.delete(agentId);
	};
	return {
		inspect: (run, signal) => {
			if (signal.aborted || openRun(run) === undefined) return;
			const {agentId} = run;
			signal.addEventListener('abort', () => leave(agentId), {once: true});
			const inspection = active.get(agentId);
			if (inspection !== undefined) {
				inspection.viewers += 1;
				return;
			}
			const over = new AbortController();
			active.set(agentId, {viewers: 1, over});
			void follow(run, over.signal).catch(() => {});
		},
		touchedBy: agentId => touched.get(agentId),
		onChange: (signal, call) => {
			listeners.add(call);
			signal.addEventListener('abort', () => listeners.delete(call), {once: true});
		},
		forget: agentId => void touched.delete(agentId),
	};
};
