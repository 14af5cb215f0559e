import {isDeepStrictEqual} from 'node:util';
import type {ActionContext} from '../../actions/context.ts';
import type {Detail} from '../../domain/errors.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import {watchPending} from '../../reactor/pending.ts';
import {createWaiter} from '../../runs/waiter.ts';
import {pause} from '../pause.ts';
import {readHeld} from '../review/decisions.ts';
import type {LiveFacts} from './live.ts';

type LiveFactsOptions = {
	readonly context: ActionContext;
	/** The ledger up to the last event that was read. */
	readonly ledger: Ledger;
	readonly problems: () => readonly Detail[];
};

const readLiveFacts = async ({context, ledger, problems}: LiveFactsOptions): Promise<LiveFacts> => ({
	held: await readHeld(context, ledger),
	problems: problems(),
	...(context.colony.forge && {hasForge: true}),
});

type LiveFactsFeedOptions = LiveFactsOptions & {
	/** Calls `call` when the inputs of a survey have changed, until the signal is aborted. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (facts: LiveFacts) => void;
};

/** Minimum interval between surveys of a busy colony, in milliseconds. */
const minIntervalMs = 250;

/**
 * Passes the current survey to `call`, then each changed one. A survey that could not be read is read again
 * at the next change of its inputs.
 */
export const followLiveFacts = async ({
	moved,
	signal,
	call,
	...options
}: LiveFactsFeedOptions): Promise<void> => {
	const {bus, clock} = options.context;
	const {wake: notify, notified} = createWaiter(signal);
	moved(signal, notify);
	void watchPending(bus, signal, async () => notify()).catch(() => {});
	let known: LiveFacts | undefined;
	while (!signal.aborted) {
		const facts = await readLiveFacts(options).catch(() => known);
		if (signal.aborted) return;
		if (facts !== undefined && !isDeepStrictEqual(facts, known)) call(facts);
		known = facts;
		await pause(clock, signal, minIntervalMs);
		await notified();
	}
};
