import {closeSync, fstatSync} from 'node:fs';

const standard = [0, 1, 2];

/**
 * At its end Node gives each terminal back as it was, and aborts where one is gone by then: its window was
 * closed, or the connection to it was lost. Those are closed before.
 */
export const closeLostTerminals = (): void => {
	process.on('exit', () => {
		// Read at the end only: a command that answers at once has no use for it.
		const {isatty} = process.getBuiltinModule('node:tty');
		for (const descriptor of standard)
			try {
				if (fstatSync(descriptor).isCharacterDevice() && !isatty(descriptor)) closeSync(descriptor);
			} catch {
				// It is closed already.
			}
	});
};
