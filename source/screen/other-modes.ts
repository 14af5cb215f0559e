import type {Terminal} from '@xterm/headless';

/** Private modes that xterm does not know and a viewer's terminal may know. */
export type OtherModes = {
	/** Returns sequences that set each mode as the program last did. */
	readonly text: () => string;
	readonly reset: () => void;
};

/** Reverse video, old mouse encodings, alternate scroll, colour scheme reports. */
const tracked = new Set([5, 1005, 1007, 1015, 2031]);

export const trackOtherModes = (terminal: Terminal): OtherModes => {
	const modes = new Map<number, 'h' | 'l'>();
	for (const final of ['h', 'l'] as const) {
		terminal.parser.registerCsiHandler({prefix: '?', final}, parameters => {
			for (const mode of parameters)
				if (typeof mode === 'number' && tracked.has(mode)) modes.set(mode, final);
			return false;
		});
	}
	return {
		text: () => [...modes].map(([mode, final]) => `\x1b[?${mode}${final}`).join(''),
		reset: () => modes.clear(),
	};
};
