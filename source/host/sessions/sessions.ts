import type {ActionContext} from '../../actions/context.ts';
import {refuseSession} from '../../agents/session.ts';
import type {Colony} from '../../colony/colony.ts';
import {findBee} from '../../colony/find-bee.ts';
import {compareText} from '../../domain/compare-text.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {RunRecord} from '../../domain/run.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {openLedger, openLiveLedger} from '../../ledger/ledger.ts';
import {runDirectory} from '../../runs/layout.ts';
import {readSession} from '../../runs/session.ts';

/** One session as every face shows it. */
export type SessionView = {
	/** The id of its run. */
	readonly sessionId: string;
	readonly traceId: string;
	readonly bee: string;
	/** `ended`: its program is gone, and its result is not collected yet. */
	readonly state: 'starting' | 'active' | 'ended' | 'completed' | 'failed' | 'cancelled';
	/** Process id of its program; absent before it has started. */
	readonly pid?: number;
	/** UTC, RFC 3339. */
	readonly startedAt: string;
	readonly finishedAt?: string;
	/** Number of viewers now. */
	readonly attached: number;
};

export type SessionContext = Pick<ActionContext, 'bus' | 'checkout' | 'colony' | 'files' | 'processes'>;

/** The sessions of this checkout, ordered by start: the open ones, or all. */
export const readSessions = async (
	context: SessionContext,
	{all}: {readonly all: boolean},
): Promise<SessionView[]> => {
	const ledger = await (all ? openLedger : openLiveLedger)(context.bus);
	const runs = [...ledger.traces().values()].flatMap(trace => sessionsOf(context, trace, {all}));
	const views = await Promise.all(runs.map(named => readView(context, named)));
	return views.toSorted((one, other) => compareText(one.startedAt, other.startedAt));
};

/** A run that is a session. */
export type SessionRun = {readonly traceId: string; readonly run: RunRecord};

/** The sessions of this checkout in a trace. */
export const sessionsOf = (
	{checkout}: Pick<SessionContext, 'checkout'>,
	trace: Trace,
	{all}: {readonly all: boolean},
): readonly SessionRun[] =>
	(all ? [...trace.runs.values()] : openRuns(trace)).flatMap(run =>
		run.interactive && run.place === checkout ? [{traceId: trace.traceId, run}] : [],
	);

export const readView = async (
	{colony, files, processes}: SessionContext,
	{traceId, run}: SessionRun,
): Promise<SessionView> => {
	const directory = runDirectory(colony.root, traceId, run.agentId);
	const [session, {state}] = await Promise.all([readSession(files, directory), processes.inspect(directory)]);
	const isAlive = run.status === 'running' && state === 'alive';
	return {
		sessionId: run.agentId,
		traceId,
		bee: run.bee,
		state: run.status === 'running' ? openState(state, session?.pid) : run.status,
		...(session?.pid === undefined ? {} : {pid: session.pid}),
		startedAt: run.startedAt,
		...(run.finishedAt === undefined ? {} : {finishedAt: run.finishedAt}),
		attached: isAlive ? (session?.attached ?? 0) : 0,
	};
};

const openState = (state: string, pid: number | undefined): SessionView['state'] => {
	if (state === 'alive') return pid === undefined ? 'starting' : 'active';
	return state === 'unbegun' ? 'starting' : 'ended';
};

/** Minimum length of an id's ending that names a session. */
const minIdEndLength = 4;

/** Finds the session by its id, or by a unique ending of it. Refuses a session of another checkout. */
export const findSession = async (context: SessionContext, id: string): Promise<Outcome<SessionView>> => {
	const open = await readSessions(context, {all: false});
	const known = open.some(({sessionId}) => sessionId === id)
		? open
		: await readSessions(context, {all: true});
	const found =
		known.find(({sessionId}) => sessionId === id) ??
		only(id.length < minIdEndLength ? [] : known.filter(({sessionId}) => sessionId.endsWith(id)));
	return found === undefined
		? refuse('session_not_found', {message: `There is no session "${id}" in this checkout.`})
		: accepted(found);
};

const only = (found: readonly SessionView[]): SessionView | undefined =>
	found.length === 1 ? found[0] : undefined;

/** Why a person cannot talk with that bee; undefined if they can. Checked before anything is requested. */
export const refuseChat = (colony: Colony, role: string) => {
	const bee = findBee(colony, role);
	return bee.ok ? refuseSession(bee.value) : bee;
};
