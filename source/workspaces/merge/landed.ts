import type {Git} from '../../ports/git.ts';
import {isAncestor, resolve, treeOf} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {readTraceTip, type TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import type {Base} from './base.ts';
import {readBase} from './base.ts';

/** A merge of hive's that the base has. */
export type Landed = {readonly commit: string; readonly tree: string};

/** The merge of exactly this work, when the base has it. */
export const findLanded = async (
	git: Git,
	{root, traceId}: TraceLocation,
	base: Base,
	tip: TraceTip,
): Promise<Landed | undefined> => {
	const commit = await resolve(git, root, refsOf(traceId).merged);
	if (!commit || !(await isAncestor(git, root, commit, base.commit))) return undefined;
	const [tree, head] = await Promise.all([treeOf(git, root, commit), resolve(git, root, `${commit}^2`)]);
	return head === tip.head && tip.commit === tip.head ? {commit, tree} : undefined;
};

/**
 * The merge of the trace's whole work as it is now, when there is one; how an interrupted merge differs from
 * one that never was.
 */
export const findMerge = async (
	git: Git,
	location: TraceLocation,
): Promise<(Landed & {readonly base: string}) | undefined> => {
	const [base, tip] = await Promise.all([
		readBase(git, location.root, location.traceId),
		readTraceTip(git, location),
	]);
	if (!base?.commit || !tip.ok || !tip.value) return undefined;
	const landed = await findLanded(git, location, base, tip.value);
	return landed && {...landed, base: base.name};
};
