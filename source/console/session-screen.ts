import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {SessionView} from '../host/views/session.ts';
import type {Screen} from './answers.ts';
import type {ConsoleServices} from './console-services.ts';

/** Reads the current screen of a session's program. */
export const readSessionScreen = async (
	{join}: Pick<ConsoleServices['colony'], 'join'>,
	session: SessionView,
): Promise<Outcome<Screen>> => {
	const {createTerminalEmulator: createScreen} = await import('../screen/terminal-emulator.ts');
	let screen: ReturnType<typeof createScreen> | undefined;
	let onPainted = (): void => {};
	const painted = new Promise<void>(resolve => {
		onPainted = resolve;
	});
	const joined = await join(
		session,
		{columns: 80, rows: 24, types: false},
		{
			screen: size => {
				screen?.dispose();
				screen = createScreen(size, {scrollback: 0});
			},
			output: bytes => {
				screen?.write(bytes);
				onPainted();
			},
			ended: onPainted,
		},
	);
	if (!joined.ok) return joined;
	await painted;
	joined.value.leave();
	if (screen === undefined)
		return refuse('wrong_status', {message: `The session ${session.sessionId} no longer shows a screen.`});
	const view = {...screen.size(), title: screen.title(), lines: screen.text()};
	screen.dispose();
	return accepted({...session, ...view});
};
