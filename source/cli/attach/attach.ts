import {accepted, type Outcome} from '../../domain/errors.ts';
import {joinSession, refuseEnded, type View, type ViewEnd} from '../../host/sessions/join-session.ts';
import type {SessionView} from '../../host/views/session.ts';
import type {DetachKey} from '../../screen/detach-key.ts';
import {forwardUntilDetached} from '../../screen/type-until-left.ts';
import type {OwnTerminal} from './own-terminal.ts';

export type AttachOptions = {
	readonly terminal: OwnTerminal;
	readonly detachKey: DetachKey;
	readonly readOnly: boolean;
	/** Leaves when it is aborted. */
	readonly signal: AbortSignal;
};

/** Rows of scrollback that are given to the terminal: as many as the holder keeps. */
const scrollback = 5000;

/**
 * Gives the terminal to a session until the person leaves or its program ends. If the session has the
 * terminal's size, bytes pass unchanged in both directions; otherwise its rows are drawn in a corner. When
 * this resolves, the terminal is in its normal state again. Refused when the program ended before its screen
 * was shown.
 */
export const attach = async (
	context: Parameters<typeof joinSession>[0],
	session: Pick<SessionView, 'traceId' | 'sessionId'>,
	{terminal, detachKey, readOnly, signal}: AttachOptions,
): Promise<Outcome<ViewEnd>> => {
	const {createPainter} = await import('./painter.ts');
	const painter = createPainter(
		terminal,
		({columns, rows}) =>
			`${columns}x${rows}, the size of another terminal.${readOnly ? '' : ' Typing changes it to yours.'} ${detachKey.name} leaves.`,
	);
	let onEnd = (_: ViewEnd): void => {};
	const ended = new Promise<ViewEnd>(resolve => {
		onEnd = resolve;
	});
	let view: View | undefined;
	let isShown = false;
	let reading: ReturnType<OwnTerminal['read']> | undefined;
	const joined = await joinSession(
		context,
		session,
		{...terminal.size(), types: !readOnly, scrollback},
		{
			screen: size => {
				isShown = true;
				painter.startScreen(size);
			},
			output: bytes => {
				if (!painter.output(bytes)) view?.hold(true);
			},
			taken: () => reading?.resume(),
			ended: onEnd,
		},
	);
	if (!joined.ok) return joined;
	const joinedView = joined.value;
	view = joinedView;
	terminal.onDrained(() => joinedView.hold(false));
	terminal.onResized(() => {
		joinedView.resize(terminal.size());
		painter.resized();
	});
	reading = terminal.read(forwardUntilDetached(detachKey, joinedView));
	signal.addEventListener('abort', joinedView.leave, {once: true});
	const end = await ended;
	reading.stop();
	painter.leave();
	// A link that is accepted while the program ends is closed without a screen.
	return end.why === 'lost' && !isShown ? refuseEnded(session.sessionId) : accepted(end);
};
