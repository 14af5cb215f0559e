import {errorMessage} from '../domain/error-message.ts';
import {expectAccepted, formatRefusal, type Outcome, type Refusal, refusalOf} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import {followDeliveries} from '../host/forge-deliveries.ts';
import {isNoteDue} from '../ledger/issues.ts';
import {loadTrace, openLedger} from '../ledger/ledger.ts';
import {dueAtForge} from '../ledger/pull-requests.ts';
import {ForgeError, type ForgeLimit} from '../ports/forge.ts';
import {appendAbout, type ForgeContext} from './context.ts';
import {look} from './look.ts';
import {recordNote} from './note-on-issue.ts';
import {createPickUp} from './pick-up-issues.ts';

/** Milliseconds between two looks at an open request: the least while something happens, the most at rest. */
const minPauseMs = 5000;
const maxPauseMs = 5 * 60_000;
/** The pause is the time since the last news, divided by this. */
const pauseDivisor = 12;
/** Below this share of the rate limit hive waits until the forge resets it. */
const reservedShare = 0.1;

export type WatchOptions = {
	readonly signal: AbortSignal;
	/** Ends once nothing waits for hive any more, or nothing can be sent now. */
	readonly once: boolean;
	/** Limits it to this trace. */
	readonly only?: string | undefined;
};

/** What a watcher has before it reaches the forge. */
export type WatchPorts = Pick<ForgeContext, 'context' | 'settings' | 'report'> & {
	/** Reaches the forge; refused where a person has to act first. */
	readonly connect: () => Promise<Outcome<ForgeContext>>;
};

/** The pause after a look, in milliseconds. */
export const pauseAfter = (sinceNews: number, failures: number): number => {
	if (failures > 0) return Math.min(minPauseMs * 2 ** (failures - 1), maxPauseMs);
	return Math.min(Math.max(sinceNews / pauseDivisor, minPauseMs), maxPauseMs);
};

/** Milliseconds to wait because little is left of the rate limit. */
export const waitForLimit = (limit: ForgeLimit | undefined, now: number): number => {
	if (limit === undefined || limit.remaining > limit.limit * reservedShare) return 0;
	return Math.max(limit.resetAt - now, 0);
};

/** The key of the search for issues among the traces that are watched. */
const issuesKey = '';

/** A trace that the watcher looks at, with times of the monotonic clock. */
type Watched = {
	readonly due: 'send' | 'watch';
	readonly lastNews: number;
	readonly next: number;
	/** When the last look began; before the first, when the trace was found. */
	readonly lookedAt: number;
	readonly failures: number;
};

/**
 * When the next look is due. A delivery of the webhook leaves only the least pause after the last look: any
 * number of deliveries costs no more calls than a request that is busy.
 */
export const nextLook = ({next, lookedAt}: Pick<Watched, 'next' | 'lookedAt'>, isWoken: boolean): number =>
	isWoken ? Math.min(next, lookedAt + minPauseMs) : next;

/**
 * Works on the requests of this checkout's traces until the signal aborts. Each is looked at every five
 * seconds while something happens, and every five minutes at rest. While the forge does not answer, the pause
 * doubles; a used-up rate limit is waited for. The same trouble is reported once. A delivery of the forge's
 * webhook ends the pause.
 */
export const watchRequests = async (ports: WatchPorts, {signal, once, only}: WatchOptions): Promise<void> => {
	const {bus, clock, checkout} = ports.context;
	const watched = new Map<string, Watched>();
	/** Traces without a look since the forge's webhook delivered something. */
	const woken = new Set<string>();
	const pickUp = createPickUp();
	let limitedUntil = 0;
	let reported = '';
	let wake = (): void => {};

	const note = (trace: Trace, isNews: boolean): void => {
		const {traceId, place} = trace;
		const isOurs = (place ?? checkout) === checkout && (only === undefined || only === traceId);
		const due = isOurs ? dueAtForge(trace, ports.settings) : undefined;
		const known = watched.get(traceId);
		if (due === undefined) {
			watched.delete(traceId);
			return;
		}
		const now = clock.elapsed();
		const lastNews = isNews || known === undefined ? now : known.lastNews;
		const isNow = known === undefined || (due === 'send' && known.due !== 'send');
		const next = isNow ? now : known.next;
		const {lookedAt = now, failures = 0} = known ?? {};
		watched.set(traceId, {due, lastNews, next, lookedAt, failures});
		if (isNow) wake();
	};

	const lookAt = async (traceId: string, state: Watched): Promise<void> => {
		let [failures, isNews, wait] = [0, false, 0];
		const lookedAt = clock.elapsed();
		const isWoken = woken.delete(traceId);
		try {
			const connected = await ports.connect();
			if (!connected.ok && traceId !== issuesKey) await leaveRequested(ports, traceId, connected.refusal);
			const reached = expectAccepted(connected);
			isNews = await (traceId === issuesKey ? pickUp(reached) : look(reached, traceId));
			reported = '';
			limitedUntil = clock.elapsed() + waitForLimit(reached.forge.limit(), clock.now());
		} catch (error) {
			if (!(error instanceof ForgeError) && refusalOf(error) === undefined) throw error;
			failures = state.failures + 1;
			const message = errorMessage(error);
			if (message !== reported) ports.report(message);
			reported = message;
			if (error instanceof ForgeError && error.retryAt !== undefined) {
				wait = Math.max(error.retryAt - clock.now(), minPauseMs);
				limitedUntil = clock.elapsed() + wait;
			}
		}
		const now = clock.elapsed();
		const lastNews = isNews ? now : state.lastNews;
		// A forge may deliver something before its API shows it, so hive looks once more soon.
		const pause = isWoken && failures === 0 ? minPauseMs : pauseAfter(now - lastNews, failures);
		watched.set(traceId, {...state, lastNews, failures, lookedAt, next: now + (wait || pause)});
		if (traceId !== issuesKey) note(await loadTrace(bus, traceId), isNews);
	};

	const over = new AbortController();
	const either = AbortSignal.any([signal, over.signal]);
	either.addEventListener('abort', () => wake(), {once: true});
	const ledger = await openLedger(bus);
	if (ports.settings.watch !== undefined && only === undefined) {
		const now = clock.elapsed();
		watched.set(issuesKey, {due: 'watch', lastNews: now, next: now, lookedAt: now, failures: 0});
	}
	for (const trace of ledger.traces().values()) note(trace, true);
	const following = Promise.all([follow(), hear()]);

	try {
		while (!either.aborted) {
			const now = clock.elapsed();
			const due = [...watched].filter(entry => dueAt(entry) <= now);
			for (const [traceId, state] of due) if (!either.aborted) await lookAt(traceId, state);
			if (once && ![...watched.values()].some(isSendable)) return;
			if (due.length === 0) await pauseUntilDue();
		}
	} finally {
		over.abort();
		await following;
	}

	/** True if it waits for hive, and the last attempt did not fail. */
	function isSendable({due, failures}: Watched): boolean {
		return due === 'send' && failures === 0;
	}

	async function follow(): Promise<void> {
		try {
			for await (const events of bus.follow({after: ledger.position(), signal: either}))
				for (const traceId of new Set(events.filter(mayConcernForge).map(event => event.traceId)))
					note(await loadTrace(bus, traceId), true);
		} finally {
			over.abort();
		}
	}

	async function hear(): Promise<void> {
		try {
			await followDeliveries(bus, either, () => {
				for (const traceId of watched.keys()) woken.add(traceId);
				wake();
			});
		} finally {
			over.abort();
		}
	}

	function dueAt([traceId, state]: readonly [string, Watched]): number {
		return Math.max(nextLook(state, woken.has(traceId)), limitedUntil);
	}

	function pauseUntilDue(): Promise<void> {
		const times = [...watched].map(dueAt);
		const wait = Math.max(Math.min(...times) - clock.elapsed(), 1);
		return new Promise(resolve => {
			const stop = Number.isFinite(wait) ? clock.after(wait, resolve) : (): void => {};
			wake = () => {
				stop();
				resolve();
			};
			if (either.aborted) wake();
		});
	}
};

/**
 * A request that cannot be sent before a person has acted goes back to them. A comment on an issue is given
 * up: what comes next is said.
 */
const leaveRequested = async (ports: WatchPorts, traceId: string, refusal: Refusal): Promise<void> => {
	const trace = await loadTrace(ports.context.bus, traceId);
	const {pullRequest: request} = trace;
	if (isNoteDue(trace, ports.settings)) await recordNote(ports, trace, formatRefusal(refusal));
	if (request?.state !== 'requested') return;
	const {taskId, approved} = request;
	const payload = {kind: 'pull_request.left', taskId, reason: formatRefusal(refusal)};
	await appendAbout(ports, traceId, `${approved}/left`, payload);
};

/** True for events after which something may be due at the forge. */
const mayConcernForge = ({payload: {kind}}: StoredEvent): boolean =>
	kind.startsWith('pull_request.') ||
	kind.startsWith('issue.') ||
	kind === 'energy.consume' ||
	kind.startsWith('landing.') ||
	kind === 'task.status' ||
	kind === 'task.completed' ||
	kind === 'run.finished' ||
	kind === 'system.kill' ||
	kind === 'trace.taken' ||
	kind === 'trace.purged';
