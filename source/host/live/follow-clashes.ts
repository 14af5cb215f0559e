import {dirname, join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {ActionContext} from '../../actions/context.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import {createWaiter} from '../../runs/waiter.ts';
import {readRef} from '../../workspaces/trees/ref-files.ts';
import {pause} from '../pause.ts';
import type {Clashes} from '../views/clashes.ts';
import {clashKey, createClashReader} from './clashes.ts';

type ClashFeedOptions = {
	readonly context: ActionContext;
	/** The traces, up to the last event that was read. */
	readonly ledger: Pick<Ledger, 'traces'>;
	/** Calls `call` after each change of the ledger, until the signal is aborted. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (clashes: Clashes) => void;
};

/** Minimum interval between two reads, in milliseconds. */
const minIntervalMs = 500;
/** The interval as a multiple of the duration of the last read: git is needed for the work itself. */
const intervalFactor = 5;
/** Maximum interval: screens learn from a read that the base has moved. */
const maxIntervalMs = 5000;

/**
 * Passes the current clashes to `call` at the start, then after each change. Clashes are merge conflicts, and
 * traces that change the same lines. Runs git again when a trace or a branch may have changed.
 */
export const followClashes = async ({
	context,
	ledger,
	moved,
	signal,
	call,
}: ClashFeedOptions): Promise<void> => {
	const {files, clock} = context;
	const read = createClashReader(context);
	const {wake: notify, notified} = createWaiter(signal);
	let branchesMayHaveChanged = true;
	moved(signal, notify);
	const branches = await branchFolder(context);
	if (signal.aborted) return;
	files.watch(branches, signal, () => {
		branchesMayHaveChanged = true;
		notify();
	});
	const keys = new WeakMap<Trace, string>();
	const keyOf = (trace: Trace): string => {
		const key = keys.get(trace) ?? clashKey(trace);
		keys.set(trace, key);
		return key;
	};
	let clashes: Clashes | undefined;
	let lastKeys = '';
	let intervalMs = minIntervalMs;
	while (!signal.aborted) {
		const traces = [...ledger.traces().values()];
		const currentKeys = traces.map(keyOf).filter(Boolean).join('\n');
		if (branchesMayHaveChanged || currentKeys !== lastKeys) {
			[branchesMayHaveChanged, lastKeys] = [false, currentKeys];
			const begin = clock.elapsed();
			const found = await read(traces);
			const wanted = intervalFactor * (clock.elapsed() - begin);
			intervalMs = Math.min(maxIntervalMs, Math.max(minIntervalMs, wanted));
			if (signal.aborted) return;
			if (!isDeepStrictEqual(found, clashes)) call(found);
			clashes = found;
		}
		await pause(clock, signal, intervalMs);
		await notified();
	}
};

/** Folder with the ref of the checked-out branch, on which most traces are based. */
const branchFolder = async ({git, colony: {root}}: ActionContext): Promise<string> => {
	const [{common}, head] = await Promise.all([git.folders(root), readRef(git, root, 'HEAD')]);
	return join(common, dirname(head?.name.startsWith('refs/heads/') ? head.name : 'refs/heads/HEAD'));
};
