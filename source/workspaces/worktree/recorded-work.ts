import type {Git} from '../../ports/git.ts';
import {readBase} from '../merge/base.ts';
import {resolve} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {findLostWork} from './trace-branch.ts';
import type {TraceLocation} from './worktree-state.ts';

/** A trace's work as its runs recorded it, and the newest commit of its base. */
export type RecordedWork = {readonly base: string; readonly work: string};

/** Reads no file of a worktree. Undefined if the trace has no work here, or no base. */
export const readRecordedWork = async (
	git: Git,
	location: TraceLocation,
): Promise<RecordedWork | undefined> => {
	const {root, traceId} = location;
	const [base, head] = await Promise.all([
		readBase(git, root, traceId),
		resolve(git, root, refsOf(traceId).head),
	]);
	const work = (await findLostWork(git, location, head)) ?? head;
	return base?.commit && work !== undefined ? {base: base.commit, work} : undefined;
};
