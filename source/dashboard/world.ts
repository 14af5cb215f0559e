import type {LiveColony} from '../host/live.ts';

/** Everything the dashboard knows of the outside: the live colony, and the terminal and process around it. */
export type World = LiveColony & {
	/** What goes wrong outside, as sentences. */
	readonly complaints: (signal: AbortSignal, call: (reason: string) => void) => void;
	/** Before Ctrl+Z stops the process: gives up what others wait for (the reactor's lock). And after it continues. */
	readonly suspend: () => Promise<void>;
	readonly resume: () => Promise<void>;
	/** Gives text to the clipboard of this machine, where it has one. */
	readonly copy: (text: string) => void;
	/** Gives the terminal to a session, as its program draws it, until the person leaves it or it ends. Answers why it could not, else nothing. */
	readonly attach: (sessionId: string) => Promise<string>;
	/** Both own the terminal until they resolve. `edit` answers with the text, or nothing when it was left unsaved. */
	readonly openPager: (text: string) => Promise<void>;
	readonly edit: (text: string) => Promise<string | undefined>;
};
