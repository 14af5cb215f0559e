import type {Trace} from '../../domain/trace.ts';
import {spawnSelf} from '../../drivers/spawn-self.ts';
import type {Surroundings} from '../../host/host.ts';
import {createOwnProcess, type OwnProcess} from '../../host/own-process.ts';
import {dueAtForge} from '../../ledger/pull-requests.ts';
import type {OpenColony} from '../opened-colony.ts';

/** The process that works on pull requests, which a reactor runs while a trace of its checkout has one. */
export type RequestWatcher = {
	/** Considers a trace that changed. */
	readonly changed: (trace: Trace) => void;
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
	let last: Promise<unknown> = Promise.resolve();

	const spawn = async () => {
		const cwd = context.colony.root;
		const args = ['forge', 'watch', '--until-stdin-ends', ...(only === undefined ? [] : ['--trace', only])];
		return spawnSelf(args, {cwd, env, onLine: report});
	};
	const settle = (): void => {
		const {forge} = context.colony;
		const wanted = due.size > 0 && forge !== undefined ? JSON.stringify(forge) : '';
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
		changed: trace => {
			const {traceId, place} = trace;
			const isOurs = (place ?? checkout) === checkout && (only === undefined || only === traceId);
			if (isOurs && dueAtForge(trace, context.colony.forge) !== undefined) due.add(traceId);
			else due.delete(traceId);
			settle();
		},
		close: async () => {
			due.clear();
			settle();
			await last.catch(() => {});
		},
	};
};
