import type {ActionContext} from '../../actions/context.ts';
import type {BeeRequested} from '../../actions/request-bee.ts';
import type {Outcome} from '../../domain/errors.ts';
import type {RunRecord} from '../../domain/run.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {logOutWarning, readSession} from '../../runs/session.ts';
import {readTranscript} from '../../sessions/read-transcript.ts';
import type {SessionView} from '../views/session.ts';
import {followRequest} from '../waits/follow-request.ts';

type Named = Pick<SessionView, 'traceId' | 'sessionId'>;

/**
 * Waits for the run that answers the request for a session, until it can be joined or is already over.
 * Undefined if the signal is aborted first.
 */
export const awaitSession = async (
	context: ActionContext,
	{traceId, sequence, role}: BeeRequested & {readonly role: string},
	signal: AbortSignal,
): Promise<Outcome<RunRecord | undefined>> => {
	const claimed = await followRequest(context, {traceId, sequence, role, until: 'claimed'}, signal);
	if (!claimed.ok || claimed.value === undefined) return claimed;
	const {agentId} = claimed.value;
	const isUp = isJoinable(context, {traceId, sessionId: agentId});
	const over = new AbortController();
	const ends = AbortSignal.any([signal, over.signal]);
	const closed = followRequest(context, {traceId, sequence, role, until: 'closed'}, ends);
	await Promise.race([isUp(ends), closed]);
	over.abort();
	return closed;
};

/** Resolves when the program of the session has started, or when the signal is aborted. */
const isJoinable =
	({colony, files}: ActionContext, {traceId, sessionId}: Named) =>
	async (signal: AbortSignal): Promise<void> => {
		const directory = runDirectory(colony.root, traceId, sessionId);
		await files.makeFolder(directory, {mode: 0o700});
		await new Promise<void>((resolve, reject) => {
			const over = new AbortController();
			const finish = (): void => {
				over.abort();
				resolve();
			};
			const checkStarted = async (): Promise<void> => {
				if ((await readSession(files, directory))?.pid !== undefined) finish();
			};
			signal.addEventListener('abort', finish, {once: true});
			files.watch(directory, over.signal, () => void checkStarted().catch(reject));
			checkStarted().catch(reject);
		});
	};

/**
 * Returns how a session ended whose program is gone. Waits until its supervisor is done, and collects it if
 * no reactor does. Undefined if the signal is aborted first.
 */
export const awaitEnd = async (
	context: ActionContext,
	{traceId, sessionId}: Named,
	signal: AbortSignal,
): Promise<RunRecord | undefined> => {
	const {bus, colony, processes} = context;
	await processes.ended(runDirectory(colony.root, traceId, sessionId), signal);
	const record = async () => (await loadTrace(bus, traceId)).runs.get(sessionId);
	const over = new AbortController();
	const ends = AbortSignal.any([signal, over.signal]);
	const known = await record();
	if (signal.aborted || known?.status !== 'running') return known;
	await context.endRun({traceId, agentId: sessionId, reason: ''});
	// A live reactor may be collecting it.
	for await (const _ of bus.follow({traceId, after: 0, signal: ends}))
		if ((await record())?.status !== 'running') break;
	over.abort();
	return record();
};

/** A warning about log-outs to show while the session is open; empty if there is none. */
export const readLogOutWarning = async (
	{colony, files}: ActionContext,
	{traceId, sessionId}: Named,
): Promise<string> =>
	logOutWarning((await readSession(files, runDirectory(colony.root, traceId, sessionId))) ?? {});

/** Bytes at the end of a transcript that are searched for the last screen. */
const maxScannedBytes = 64 * 1024;

/**
 * Returns the last screen of a session's program, at most so many rows, for a viewer that came too late to
 * attach.
 */
export const readLastScreen = async (
	{colony, files, redact = text => text}: ActionContext,
	{traceId, sessionId}: Named,
	rows: number,
): Promise<string> => {
	const path = runPath(runDirectory(colony.root, traceId, sessionId), 'transcript');
	const size = (await files.size(path)) ?? 0;
	if (size === 0) return '';
	const bytes = await files.readBytes(path, Math.max(0, size - maxScannedBytes), maxScannedBytes);
	const agentRows = readTranscript(new TextDecoder().decode(bytes)).flatMap(({role, content}) =>
		role === 'agent' ? content.split('\n') : [],
	);
	return redact(agentRows.slice(-rows).join('\n'));
};
