import {isObjectId} from './ids.ts';

/**
 * The branch that a trace is to be merged into (empty for a detached HEAD), and its newest commit when the
 * trace began.
 */
export type TraceBase = {readonly branch: string; readonly commit: string};

/** Reads a base from an event; undefined if it has none that git could take. */
export const traceBaseIn = (raw: unknown): TraceBase | undefined => {
	const {branch, commit}: Partial<Record<keyof TraceBase, unknown>> = {...Object(raw)};
	return typeof branch === 'string' && isObjectId(commit) && isBranch(branch) ? {branch, commit} : undefined;
};

/** Refuses text that cannot be a ref name; git itself checks the rest. */
const isBranch = (name: string): boolean =>
	name === '' ||
	(!/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|\.lock$|^[-./]/u.test(name) && name.length <= 1000);
