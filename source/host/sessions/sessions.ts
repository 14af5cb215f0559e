import type {ActionContext} from '../../actions/context.ts';
import {refuseSession} from '../../agents/session.ts';
import type {Colony} from '../../colony/colony.ts';
import {findBee} from '../../colony/find-bee.ts';
import {compareText} from '../../domain/compare-text.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {RunRecord} from '../../domain/run.ts';
import {titleFrom} from '../../domain/title.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {openLedger, openLiveLedger} from '../../ledger/ledger.ts';
import {runDirectory} from '../../runs/layout.ts';
import {readSession, readStatus} from '../../runs/session.ts';
import type {SessionView} from '../views/session.ts';

export type SessionContext = Pick<
	ActionContext,
	'bus' | 'checkout' | 'colony' | 'files' | 'processes' | 'redact'
>;

/** The sessions of this checkout, ordered by start: the open ones, or all. */
export const readSessions = async (
	context: SessionContext,
	{all}: {readonly all: boolean},
): Promise<SessionView[]> => {
	const ledger = await (all ? openLedger : openLiveLedger)(context.bus);
	return readSessionsOf(context, ledger.traces().values(), {all});
};

/** The sessions of this checkout in these traces, ordered by start: the open ones, or all. */
export const readSessionsOf = async (
	context: SessionContext,
	traces: Iterable<Trace>,
	{all = false}: {readonly all?: boolean} = {},
): Promise<SessionView[]> => {
	const runs = [...traces].flatMap(trace => sessionsOf(context, trace, {all}));
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
	{colony, files, processes, redact = text => text}: SessionContext,
	{traceId, run}: SessionRun,
): Promise<SessionView> => {
	const directory = runDirectory(colony.root, traceId, run.agentId);
	const [session, {state}] = await Promise.all([readSession(files, directory), processes.inspect(directory)]);
	const isAlive = run.status === 'running' && state === 'alive';
	const isUp = isAlive && session?.pid !== undefined;
	// An older holder writes no status.
	const {
		state: live,
		since,
		lastRows,
	} = (isUp && readStatus(session.status)) || {state: 'working' as const, since: '', lastRows: []};
	return {
		sessionId: run.agentId,
		traceId,
		bee: run.bee,
		title: redact(titleFrom(session?.title ?? session?.words ?? '')),
		state: isUp ? live : run.status === 'running' ? openState(state) : run.status,
		...(live === 'waiting' ? {waitingSince: since} : {}),
		lastRows: lastRows.map(redact),
		...(session?.pid === undefined ? {} : {pid: session.pid}),
		startedAt: run.startedAt,
		...(run.finishedAt === undefined ? {} : {finishedAt: run.finishedAt}),
		attached: isAlive ? (session?.attached ?? 0) : 0,
	};
};

/** The state of an open session whose program does not run. */
const openState = (state: string): SessionView['state'] =>
	state === 'alive' || state === 'unbegun' ? 'starting' : 'ended';

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
