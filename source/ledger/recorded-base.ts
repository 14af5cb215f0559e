import {isObjectId} from '../domain/ids.ts';
import type {Bus} from '../ports/bus.ts';

/**
 * The branch that a trace is to be merged into (empty for a detached HEAD), and its newest commit when the
 * trace began.
 */
export type RecordedBase = {readonly branch: string; readonly commit: string};

/**
 * Returns the merge target of a trace, from its first claim of a run in the worktree (docs/reliability.md
 * I22). Returns `undefined` for a trace without such a claim, and for one that an earlier version began.
 * Git's record counts for those.
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

/** Refuses text that cannot be a ref name; git itself checks the rest. */
const isBranch = (name: string): boolean =>
	name === '' ||
	(!/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|\.lock$|^[-./]/u.test(name) && name.length <= 1000);
