import type {Profile} from '../domain/containment.ts';

/** Whether this machine can contain programs. */
export type CanContain =
	| {readonly can: true; readonly by: string}
	/** `why` is a sentence without its full stop; `hint` is the next step. */
	| {readonly can: false; readonly why: string; readonly hint: string};

/** Confines programs to a profile, by a means of the system. */
export type Containment = {
	/** Tries it once; later calls return the same answer. */
	readonly probe: () => Promise<CanContain>;
	/**
	 * True if a path can have other content than outside. Otherwise `from` of a place is writable under its own
	 * path, and variables name it.
	 */
	readonly moves: boolean;
	/** The argv that runs a program inside. Only after a probe that found that it can. */
	readonly wrap: (profile: Profile, argv: readonly string[]) => readonly string[];
};
