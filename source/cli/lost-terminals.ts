import {closeSync, fstatSync} from 'node:fs';

const standardDescriptors = [0, 1, 2];

/**
 * Closes lost terminals before Node exits. At exit, Node restores each terminal, and aborts if one is gone
 * because its window was closed or its connection lost.
 */
export const closeLostTerminals = (): void => {
	process.on('exit', () => {
		// Loaded only at the end: a command that answers at once does not need it.
		const {isatty} = process.getBuiltinModule('node:tty');
		for (const descriptor of standardDescriptors)
			try {
				if (fstatSync(descriptor).isCharacterDevice() && !isatty(descriptor)) closeSync(descriptor);
			} catch {
				// It is closed already.
			}
	});
};
