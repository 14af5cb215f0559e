import {exitCodes} from '../../domain/error-table.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {holdReactor} from '../../host/hold-reactor.ts';
import {awaitSession, readLogOutWarning} from '../../host/sessions/session-life.ts';
import type {Result} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {openWindow, windowOf} from './open-window.ts';
import {type OwnTerminal, ownTerminal} from './own-terminal.ts';
import {ended, showSession} from './show-session.ts';

/** Where a session opens: in a window of its own, in this terminal, or nowhere if neither is available. */
export type SessionTarget = {
	readonly window: readonly string[] | undefined;
	readonly terminal: OwnTerminal | undefined;
};

/** For a session that opens nowhere. */
export const nowhere: SessionTarget = {window: undefined, terminal: undefined};

/** @param chosen name of a terminal. Default: the one in `terminal.yaml` */
export const findTarget = async (
	commandContext: Pick<CommandContext, 'open' | 'terminal'>,
	chosen?: string,
): Promise<Outcome<SessionTarget>> => {
	const window = await windowOf(commandContext, chosen);
	if (!window.ok) return window;
	const [program] = window.value ?? [];
	const {processes} = await commandContext.open();
	if (program !== undefined && (await processes.which(program)) === undefined)
		return refuse('invalid_config', {
			message: `${program}: command not found, so the session cannot open a window.`,
			hint: 'Install it, set another in terminal.yaml, or pass --terminal default.',
		});
	return accepted({window: window.value, terminal: ownTerminal()});
};

/** Size and colours of the terminal from which a session is requested. */
export const terminalOptions = ({terminal}: SessionTarget, env: CommandContext['env']) => ({
	...(terminal?.size() ?? {columns: 80, rows: 24}),
	trueColor: /^(truecolor|24bit)$/.test(env.COLORTERM ?? ''),
});

type SessionRequest = {readonly traceId: string; readonly sequence: number; readonly role: string};

/**
 * Opens the requested session as soon as it can be joined, in its window or in this terminal. In this
 * terminal it lasts until the person leaves or the session is over. If no reactor is alive, this process is
 * the reactor until the session's program has started, and no longer.
 */
export const openSession = async (
	commandContext: CommandContext,
	{window, terminal}: SessionTarget,
	request: SessionRequest,
): Promise<Outcome<Result>> => {
	const {traceId, role} = request;
	const started = await startHere(commandContext, request);
	if (!started.ok) return started;
	if (started.value === undefined)
		return accepted({
			json: {traceId, sessionId: '', bee: role, state: 'waiting', exitCode: null},
			text: `${role} is not started yet in ${traceId}: a reactor starts it as soon as it can. See "hive session list".`,
			exit: exitCodes.interrupted,
		});
	const shown = {traceId, sessionId: started.value.agentId, bee: role};
	const warning = await readLogOutWarning(await commandContext.open(), shown);
	// Shown above the session, and again when the person leaves.
	if (warning !== '') process.stderr.write(`hive: ${warning}\n`);
	if (window === undefined && terminal !== undefined) return showSession(commandContext, terminal, shown);
	if (window === undefined && started.value.status !== 'running')
		return accepted(ended(shown, started.value));
	if (window === undefined)
		return accepted({
			json: {...shown, state: 'active', exitCode: null},
			text: `${role} is started: session ${shown.sessionId}. See it with "hive session attach ${shown.sessionId}".`,
		});
	await openWindow(commandContext, window, shown.sessionId);
	return accepted({
		json: {...shown, state: 'active', exitCode: null},
		text: `${role} is in a window of its own: session ${shown.sessionId}.`,
	});
};

const startHere = async (
	commandContext: CommandContext,
	request: SessionRequest,
): ReturnType<typeof awaitSession> => {
	const context = await commandContext.open();
	const endController = new AbortController();
	commandContext.signal.addEventListener('abort', () => endController.abort());
	const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
	const {traceId} = request;
	const heldReactor = holdReactor(commandContext, {
		...context,
		only: traceId,
		report,
		signal: endController.signal,
	});
	let failed: unknown;
	heldReactor.over.catch((error: unknown) => {
		failed = error;
		endController.abort();
	});
	const started = await awaitSession(context, request, endController.signal);
	endController.abort();
	await heldReactor.close();
	if (failed !== undefined) throw failed;
	return started;
};
