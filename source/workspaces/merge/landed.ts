import type {Git} from '../../ports/git.ts';
import {isAncestor, resolve, treeOf} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {readTraceTip, type TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import type {Base} from './base.ts';
import {readBase} from './base.ts';
import {readTraceLanding} from './landed-work.ts';

/** A merge that hive made and that the base contains. */
export type Landed = {readonly commit: string; readonly tree: string};

/** Returns the merge of exactly this work, if the base contains it. */
export const findLanded = async (
	git: Git,
	{root, traceId}: TraceLocation,
	base: Base,
	tip: TraceTip,
): Promise<Landed | undefined> => {
	const commit = await resolve(git, root, refsOf(traceId).merged);
	if (!commit || !(await isAncestor(git, root, commit, base.commit))) return undefined;
	const [tree, landed] = await Promise.all([
		treeOf(git, root, commit),
		readTraceLanding(git, {root, traceId}, commit),
	]);
	return landed?.work === tip.head && tip.commit === tip.head ? {commit, tree} : undefined;
};

/**
 * Returns the merge of the trace's whole current work, if the base contains it. This tells an interrupted
 * merge from one that never happened.
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
