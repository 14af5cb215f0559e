import {exitCodes} from '../../domain/error-table.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {RunRecord} from '../../domain/run.ts';
import {awaitEnd, readLastScreen, readLogOutWarning} from '../../host/sessions/session-life.ts';
import type {SessionView} from '../../host/views/session.ts';
import {ctrlKey} from '../../screen/detach-key.ts';
import type {Result} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {attach} from './attach.ts';
import type {OwnTerminal} from './own-terminal.ts';

type Shown = Pick<SessionView, 'traceId' | 'sessionId' | 'bee'>;

/**
 * Attaches this terminal to the session and returns the result: 0 when the person left, else the exit of its
 * program.
 */
export const showSession = async (
	commandContext: CommandContext,
	terminal: OwnTerminal,
	shown: Shown,
	{readOnly = false}: {readonly readOnly?: boolean} = {},
): Promise<Outcome<Result>> => {
	const context = await commandContext.open();
	const attached = await attach(context, shown, {
		...{terminal, readOnly, signal: commandContext.signal},
		detachKey: ctrlKey((await commandContext.terminal()).detachKey),
	});
	if (!attached.ok && attached.refusal.code !== 'wrong_status') return attached;
	if (!attached.ok) {
		// It may have ended before this terminal could attach.
		const run = await awaitEnd(context, shown, commandContext.signal);
		if (run === undefined) return attached;
		return accepted(ended(shown, run, await readLastScreen(context, shown, terminal.size().rows)));
	}
	switch (attached.value.why) {
		case 'left':
			return accepted({
				json: {...idsOf(shown), state: 'active', exitCode: null},
				text: [
					`Left ${shown.bee}; the session goes on. Return with "hive session attach ${shown.sessionId}".`,
					await readLogOutWarning(context, shown),
				]
					.filter(Boolean)
					.join('\n'),
			});
		case 'refused':
			return refuse('wrong_status', {message: `The session cannot be joined: ${attached.value.reason}`});
		default:
			return accepted(ended(shown, await awaitEnd(context, shown, commandContext.signal)));
	}
};

const idsOf = ({traceId, sessionId, bee}: Shown) => ({traceId, sessionId, bee});

/** The result of a session that is over. */
export const ended = (shown: Shown, run: RunRecord | undefined, screen = ''): Result => {
	const {status = 'running', exitCode = null, summary = ''} = run ?? {};
	const isGood = status === 'completed';
	return {
		json: {...idsOf(shown), state: status, exitCode},
		text: [
			screen === '' ? '' : `${screen}\n`,
			{text: `${shown.bee} ${status}`, style: isGood ? 'good' : 'bad'},
			`  trace ${shown.traceId}  session ${shown.sessionId}`,
			isGood || summary === '' ? '' : `\n${summary}`,
		],
		exit: isGood ? exitCodes.done : exitCodes.failed,
	};
};
