import {isObjectId} from '../domain/ids.ts';
import type {Bus} from '../ports/bus.ts';

/**
 * The branch that a trace is to be merged into, empty for a detached HEAD, and its newest commit when the
 * trace began.
 */
export type RecordedBase = {readonly branch: string; readonly commit: string};

/**
 * Where a trace lands, as its first claim of a run in the worktree says it (docs/reliability.md I22). Nothing
 * of a trace without one, and of one that an earlier version began: for those git's record counts.
 */
export const readRecordedBase = async (
	bus: Pick<Bus, 'read'>,
	traceId: string,
): Promise<RecordedBase | undefined> => {
	for await (const events of bus.read({traceId, after: 0}))
		for (const {payload} of events) {
			if (payload.kind !== 'energy.consume' || payload.agentId === undefined) continue;
			if (payload.workspace !== 'root') return baseOf(payload.base);
		}
	return undefined;
};

const baseOf = (raw: unknown): RecordedBase | undefined => {
	const {branch, commit}: Partial<Record<keyof RecordedBase, unknown>> = {...Object(raw)};
	return typeof branch === 'string' && isObjectId(commit) && isBranch(branch) ? {branch, commit} : undefined;
};

/** Git itself looks at the rest: no other text may become the name of a ref. */
const isBranch = (name: string): boolean =>
	name === '' ||
	(!/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|\.lock$|^[-./]/u.test(name) && name.length <= 1000);
