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

type Following = {
	readonly context: ActionContext;
	/** As far as it is read. */
	readonly ledger: Pick<Ledger, 'traces'>;
	/** Calls when the ledger has moved, until the signal. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (clashes: Clashes) => void;
};

/** Looks of a busy colony are so many milliseconds apart at least. */
const restMilliseconds = 500;

/**
 * What there is, also where that is nothing, then again when it is another: git is asked when a trace may
 * clash otherwise, and when a person commits.
 */
export const followClashes = async ({context, ledger, moved, signal, call}: Following): Promise<void> => {
	const {files, clock} = context;
	const read = createClashReader(context);
	const {wake, woken} = createWaiter(signal);
	let hasCommitted = true;
	moved(signal, wake);
	const branches = await branchFolder(context);
	if (signal.aborted) return;
	files.watch(branches, signal, () => {
		hasCommitted = true;
		wake();
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
		await pause(clock, signal, restMilliseconds);
		await woken();
	}
};

/** Where git keeps the branch that the checkout is on, the usual base. */
const branchFolder = async ({git, colony: {root}}: ActionContext): Promise<string> => {
	const [{common}, head] = await Promise.all([git.folders(root), readRef(git, root, 'HEAD')]);
	return join(common, dirname(head?.name.startsWith('refs/heads/') ? head.name : 'refs/heads/HEAD'));
};
