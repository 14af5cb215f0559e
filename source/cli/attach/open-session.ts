import {exitCodes} from '../../domain/error-table.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {holdReactor} from '../../host/hold-reactor.ts';
import {awaitSession, readLogOutWarning} from '../../host/sessions/session-life.ts';
import type {Result} from '../command.ts';
import type {Session} from '../session.ts';
import {openWindow, windowOf} from './open-window.ts';
import {type OwnTerminal, ownTerminal} from './own-terminal.ts';
import {showSession} from './show-session.ts';

/** Where a session opens: in a window of its own, in this terminal, or nowhere if neither is available. */
export type Place = {
	readonly window: readonly string[] | undefined;
	readonly terminal: OwnTerminal | undefined;
};

/** @param chosen name of a terminal. Default: the one in `terminal.yaml` */
export const placeFor = async (
	session: Pick<Session, 'open' | 'terminal'>,
	chosen?: string,
): Promise<Outcome<Place>> => {
	const window = await windowOf(session, chosen);
	if (!window.ok) return window;
	const [program] = window.value ?? [];
	const {processes} = await session.open();
	if (program !== undefined && (await processes.which(program)) === undefined)
		return refuse('invalid_config', {
			message: `${program}: command not found, and the session was to open in a window of it.`,
			hint: 'Install it, set another in terminal.yaml, or pass --terminal default.',
		});
	return accepted({window: window.value, terminal: ownTerminal()});
};

/** Size and colours of the terminal from which a session is requested. */
export const lookOf = ({terminal}: Place, env: Session['env']) => ({
	...(terminal?.size() ?? {columns: 80, rows: 24}),
	trueColor: /^(truecolor|24bit)$/.test(env.COLORTERM ?? ''),
});

type Requested = {readonly traceId: string; readonly sequence: number; readonly role: string};

/**
 * Opens the requested session as soon as it can be joined: in its window, or in this terminal until the
 * person leaves or it is over. If no reactor is alive, this process is the reactor until the session's
 * program has started, and no longer.
 */
export const openSession = async (
	session: Session,
	{window, terminal}: Place,
	request: Requested,
): Promise<Outcome<Result>> => {
	const {traceId, role} = request;
	const begun = await beginHere(session, request);
	if (!begun.ok) return begun;
	if (begun.value === undefined)
		return accepted({
			json: {traceId, sessionId: '', bee: role, state: 'waiting', exitCode: null},
			text: `${role} is still asked for in ${traceId}: a reactor begins it when it can. See "hive session list".`,
			exit: exitCodes.interrupted,
		});
	const shown = {traceId, sessionId: begun.value.agentId, bee: role};
	const warning = await readLogOutWarning(await session.open(), shown);
	// Shown above the session, and again when the person leaves.
	if (warning !== '') process.stderr.write(`hive: ${warning}\n`);
	if (window === undefined && terminal !== undefined) return showSession(session, terminal, shown);
	await openWindow(session, window ?? [], shown.sessionId);
	return accepted({
		json: {...shown, state: 'active', exitCode: null},
		text: `${role} is in a window of its own: session ${shown.sessionId}.`,
	});
};

const beginHere = async (session: Session, request: Requested): ReturnType<typeof awaitSession> => {
	const context = await session.open();
	const over = new AbortController();
	session.signal.addEventListener('abort', () => over.abort());
	const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
	const {traceId} = request;
	const held = holdReactor(session, {...context, only: traceId, report, signal: over.signal});
	let failed: unknown;
	held.over.catch((error: unknown) => {
		failed = error;
		over.abort();
	});
	const begun = await awaitSession(context, request, over.signal);
	over.abort();
	await held.close();
	if (failed !== undefined) throw failed;
	return begun;
};
