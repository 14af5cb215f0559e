import {compareText} from '../../domain/compare-text.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import {runDirectory} from '../../runs/layout.ts';
import {createWaiter} from '../../runs/waiter.ts';
import {isLive, type SessionView} from '../views/session.ts';
import {readView, type SessionContext, type SessionRun, sessionsOf} from './sessions.ts';

type SessionFeedOptions = {
	/** The ledger up to the last event that was read. */
	readonly ledger: Pick<Ledger, 'traces' | 'snapshot'>;
	/** Calls `call` after each change of the ledger, until the signal is aborted. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (sessions: readonly SessionView[]) => void;
};

/** A session whose view is kept up to date. */
type Kept = {now: SessionRun; readonly notify: () => void};

/**
 * Follows the sessions of this checkout, ordered by start: those that exist at the start, and later ones.
 * Passes all of them to `call` whenever one changes. It reads when the log, a run directory or the end of a
 * supervisor notifies it.
 */
export const followSessions = (
	context: SessionContext,
	{ledger, moved, signal, call}: SessionFeedOptions,
): void => {
	const kept = new Map<string, Kept>();
	const views = new Map<string, SessionView>();
	const show = (view: SessionView): void => {
		views.set(view.sessionId, view);
		call([...views.values()].toSorted((one, other) => compareText(one.startedAt, other.startedAt)));
	};
	const startKeeping = (found: SessionRun): void => {
		if (kept.has(found.run.agentId)) return;
		const over = new AbortController();
		const ends = AbortSignal.any([signal, over.signal]);
		const {wake: notify, notified} = createWaiter(ends);
		const session: Kept = {now: found, notify};
		kept.set(found.run.agentId, session);
		// An unreadable session keeps its last view.
		void keepView(context, session, {notified, signal: ends, show})
			.catch(() => {})
			.finally(() => over.abort());
	};
	const syncSessions = (): void => {
		for (const trace of ledger.traces().values())
			for (const found of sessionsOf(context, trace, {all: false})) startKeeping(found);
		for (const session of kept.values()) renew(session, ledger);
	};
	for (const trace of ledger.traces().values())
		for (const found of sessionsOf(context, trace, {all: true})) startKeeping(found);
	moved(signal, syncSessions);
};

/** Notifies the view's keeper when the log has a new state of its run. */
const renew = (session: Kept, ledger: SessionFeedOptions['ledger']): void => {
	const {traceId, run} = session.now;
	if (run.status !== 'running') return;
	const now = ledger.snapshot(traceId).runs.get(run.agentId);
	if (now === undefined || now === run) return;
	session.now = {traceId, run: now};
	session.notify();
};

type KeepViewOptions = Pick<SessionFeedOptions, 'signal'> & {
	readonly notified: () => Promise<void>;
	readonly show: (view: SessionView) => void;
};

/** Reads the view of a session, again after each possible change, until the session is over. */
const keepView = async (
	context: SessionContext,
	session: Kept,
	{notified: woken, signal, show}: KeepViewOptions,
): Promise<void> => {
	const {colony, files, processes} = context;
	const directory = runDirectory(colony.root, session.now.traceId, session.now.run.agentId);
	const isOver = () => session.now.run.status !== 'running';
	let isHeld = false;
	if (!isOver()) {
		await files.makeFolder(directory, {mode: 0o700});
		files.watch(directory, signal, session.notify);
	}
	while (!signal.aborted) {
		const isLast = isOver();
		const view = await readView(context, session.now);
		if (signal.aborted) return;
		show(view);
		if (isLast) return;
		if (isLive(view) && !isHeld) {
			isHeld = true;
			void processes.ended(directory, signal).then(session.notify, session.notify);
		}
		await woken();
	}
};
