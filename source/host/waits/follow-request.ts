import type {ActionContext} from '../../actions/context.ts';
import type {BeeRequested} from '../../actions/request-bee.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {isStillPending, watchPending} from '../../reactor/pending.ts';

/** Events after which the request may have its run, or can no longer get one. */
const decisive = new Set(['energy.consume', 'run.finished', 'system.kill', 'trace.purged']);

type FollowRequestOptions = BeeRequested & {
	readonly role: string;
	/** The state to wait for: the run is claimed, or it is over. */
	readonly until: 'claimed' | 'closed';
};

/**
 * Waits for the run that answers a request for a bee, until the run has reached the state. Returns its
 * record, or why there will be none. If the signal is aborted first, returns the present record.
 */
export const followRequest = async (
	{bus, checkout, machines: places}: ActionContext,
	{role, until, ...request}: FollowRequestOptions,
	signal: AbortSignal,
): Promise<Outcome<RunRecord | undefined>> => {
	const {traceId, sequence} = request;
	const over = new AbortController();
	const ends = AbortSignal.any([signal, over.signal]);
	let answer: Outcome<RunRecord | undefined> = accepted(undefined);
	const checkRequest = async (isPending: boolean): Promise<void> => {
		const trace = await loadTrace(bus, traceId);
		if (over.signal.aborted) return;
		const run = [...trace.runs.values()].find(({trigger, bee}) => trigger === sequence && bee === role);
		const isDropped = run === undefined && (trace.killed || !isPending);
		answer = isDropped ? refuseDropped(trace, role) : accepted(run);
		if (isDropped || (run !== undefined && (until === 'claimed' || run.status !== 'running'))) over.abort();
	};
	const followTrace = async (): Promise<void> => {
		for await (const events of bus.follow({traceId, after: sequence, signal: ends}))
			if (events.some(({payload}) => decisive.has(payload.kind))) await checkRequest(true);
	};
	// A reactor drops a request without an event on the log. When the request is no longer pending, either its
	// run exists or it never will.
	// then, or never will.
	const followPending = async (): Promise<void> => {
		await watchPending(bus, ends, async () => {
			if (over.signal.aborted) return;
			const {place} = await loadTrace(bus, traceId);
			const alive = (await places()).filter(({isAlive}) => isAlive).map(other => other.checkout);
			const candidates = place !== undefined ? [place] : alive.length > 0 ? alive : [checkout];
			if (!(await isStillPending(bus, request, candidates))) await checkRequest(false);
		});
	};
	await Promise.all([followTrace(), followPending()]);
	return answer;
};

const refuseDropped = ({traceId, killed, killReason}: Trace, role: string) =>
	killed
		? refuse('trace_killed', {
				message: `The trace ${traceId} was killed before the bee "${role}" began: ${killReason}`,
			})
		: refuse('bee_not_found', {
				message: `The reactor knows no bee "${role}": it was not started.`,
				hint: 'Bees are files in .hive/bees/; "hive doctor" says which of them the reactor does not use yet.',
			});
