import type {Trace} from '../../domain/trace.ts';
import {spawnSelf} from '../../drivers/spawn-self.ts';
import type {Surroundings} from '../../host/host.ts';
import {createOwnProcess, type OwnProcess} from '../../host/own-process.ts';
import {dueAtForge} from '../../ledger/pull-requests.ts';
import type {OpenColony} from '../opened-colony.ts';

/**
 * The process that works on pull requests. A reactor runs it while a trace of its checkout has one, or while
 * the colony takes issues with a label.
 */
export type RequestWatcher = {
	/** Considers a trace that changed. */
	readonly changed: (trace: Trace) => void;
	/** Considers the configuration, which may have changed. */
	readonly reconsider: () => void;
	readonly close: () => Promise<void>;
};

type Options = Pick<Surroundings, 'env'> & {
	/** Limits it to this trace. */
	readonly only?: string | undefined;
	readonly report: (message: string) => void;
};

export const createRequestWatcher = (
	{context}: Pick<OpenColony, 'context'>,
	{env, only, report}: Options,
): RequestWatcher => {
	const {checkout, clock} = context;
	const due = new Set<string>();
	/** The forge that the process was started for. */
	let startedFor = '';
	let running: OwnProcess | undefined;
	let isClosed = false;
	let last: Promise<unknown> = Promise.resolve();

	const spawn = async () => {
		const cwd = context.colony.root;
		const args = ['forge', 'watch', '--until-stdin-ends', ...(only === undefined ? [] : ['--trace', only])];
		return spawnSelf(args, {cwd, env, onLine: report});
	};
	const settle = (): void => {
		const {forge} = context.colony;
		const isSearching = forge?.watch !== undefined && only === undefined && !isClosed;
		const wanted = forge !== undefined && (due.size > 0 || isSearching) ? JSON.stringify(forge) : '';
		if (wanted === startedFor) return;
		startedFor = wanted;
		const before = running;
		running =
			wanted === '' ? undefined : createOwnProcess({name: 'watcher of pull requests', spawn, clock, report});
		const next = running;
		last = last.then(() => before?.stop()).then(() => next?.start());
		last.catch(() => {});
	};
	return {
		reconsider: settle,
		changed: trace => {
			const {traceId, place} = trace;
			const isOurs = (place ?? checkout) === checkout && (only === undefined || only === traceId);
			if (isOurs && dueAtForge(trace, context.colony.forge) !== undefined) due.add(traceId);
			else due.delete(traceId);
			settle();
		},
		close: async () => {
			isClosed = true;
			due.clear();
			settle();
			await last.catch(() => {});
		},
	};
};
