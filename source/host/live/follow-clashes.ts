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
	/** The ledger as far as it has been read. */
	readonly ledger: Pick<Ledger, 'traces'>;
	/** Calls when the ledger has moved, until the signal is aborted. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (clashes: Clashes) => void;
};

/** Minimum interval between looks in a busy colony, in milliseconds. */
const minIntervalMs = 500;

/**
 * Calls with the present clashes, even if there are none, then after each change. Asks git when a trace's
 * clashes may have changed, and when a person commits.
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
	let hasCommitted = true;
	moved(signal, notify);
	const branches = await branchFolder(context);
	if (signal.aborted) return;
	files.watch(branches, signal, () => {
		hasCommitted = true;
		notify();
	});
	const keys = new WeakMap<Trace, string>();
	const keyOf = (trace: Trace): string => {
		const key = keys.get(trace) ?? clashKey(trace);
		keys.set(trace, key);
		return key;
	};
	let clashes: Clashes | undefined;
	let asked = '';
	while (!signal.aborted) {
		const traces = [...ledger.traces().values()];
		const asking = traces.map(keyOf).filter(Boolean).join('\n');
		if (hasCommitted || asking !== asked) {
			[hasCommitted, asked] = [false, asking];
			const found = await read(traces);
			if (signal.aborted) return;
			if (!isDeepStrictEqual(found, clashes)) call(found);
			clashes = found;
		}
		await pause(clock, signal, minIntervalMs);
		await notified();
	}
};

/** Folder in which git keeps the branch of the checkout, which is the usual base. */
const branchFolder = async ({git, colony: {root}}: ActionContext): Promise<string> => {
	const [{common}, head] = await Promise.all([git.folders(root), readRef(git, root, 'HEAD')]);
	return join(common, dirname(head?.name.startsWith('refs/heads/') ? head.name : 'refs/heads/HEAD'));
};
