import type {Terminal} from '@xterm/headless';

/** Commands of `OSC 9` that are no text: progress, working directory and others of ConEmu. */
const command = /^\d{1,2}(?:;|$)/;
/** Payload types of `OSC 99` that show something; absent means a title. */
const shownTypes: readonly (string | undefined)[] = [undefined, 'title', 'body'];

/**
 * Calls back when the program rings the bell or has the terminal show a notification. The words of the
 * notification are not read, since a program may write anything there.
 */
export const watchCalls = (terminal: Terminal, onCalled: () => void): void => {
	terminal.onBell(onCalled);
	const isNotification: Readonly<Record<number, (data: string) => boolean>> = {
		9: data => data !== '' && !command.test(data),
		99: data => shownTypes.includes(/(?:^|:)p=([^:]*)/.exec(data.split(';', 1)[0] ?? '')?.[1]),
		777: data => data.startsWith('notify;'),
	};
	for (const [code, isShown] of Object.entries(isNotification))
		terminal.parser.registerOscHandler(Number(code), data => {
			if (isShown(data)) onCalled();
			return false;
		});
};
