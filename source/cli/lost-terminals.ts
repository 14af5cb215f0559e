import {closeSync} from 'node:fs';
import {isatty} from 'node:tty';

const standard = [0, 1, 2];

/**
 * At its end Node gives each terminal back as it was, and aborts where one is gone: its window was closed, or the connection to
 * it was lost. Those are closed before.
 */
export const closeLostTerminals = (): void => {
	const terminals = standard.filter(descriptor => isatty(descriptor));
	if (terminals.length === 0) return;
	process.on('exit', () => {
		for (const descriptor of terminals.filter(each => !isatty(each)))
			try {
				closeSync(descriptor);
			} catch {
				// It is closed already.
			}
	});
};
