import type {Git} from '../../ports/git.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {refsOf} from './refs.ts';

/** Commits by full ref. */
export type Refs = Readonly<Record<string, string>>;

/**
 * Lists git's refs of a trace's work: its branch, what its runs left, earlier merges, and kept trees. Not its
 * base.
 */
export const listTraceRefs = async (git: Git, {root, traceId}: TraceLocation): Promise<Refs> => {
	const {head, work, merged, left, landed, keep} = refsOf(traceId);
	const format = '--format=%(refname) %(objectname)';
	const listed = await git.run(['for-each-ref', format, head, work, merged, left, landed, keep('')], {
		cwd: root,
	});
	return Object.fromEntries(
		listed
			.split('\n')
			.filter(Boolean)
			.map(line => line.split(' ', 2)),
	);
};

/** True if a ref is one of `listTraceRefs`. Work from another checkout may move no other ref. */
export const isTraceRef = (traceId: string, ref: string): boolean => {
	const {head, work, merged, left, landed, keep} = refsOf(traceId);
	if ([head, work, merged, left, landed].includes(ref)) return true;
	const name = ref.startsWith(keep('')) ? ref.slice(keep('').length) : '';
	return /^\w[\w.-]*$/.test(name) && !/\.\.|\.$|\.lock$/.test(name);
};
