import {accepted, HiveError, type Outcome, refusalOf, refuse} from '../../domain/errors.ts';
import type {LandingStrategy} from '../../domain/landing.ts';
import {sanitizeText} from '../../domain/sanitize.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {commitTree, mergeTrees, resolve, scratchCommit, treeOf} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {listCheckouts} from '../worktree/checkouts.ts';
import {readTraceTip, refuseUnresolved, type TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {type Advance, planAdvance} from './advance.ts';
import {type Base, readBase} from './base.ts';
import {bringSubmodules} from './bring-submodules.ts';
import {carryOver, resumeCarry} from './carry.ts';
import {commitWorktree, oneLine} from './commit-worktree.ts';
import {followUpstream} from './follow-upstream.ts';
import {findFork} from './fork.ts';
import {findLanded, type Landed} from './landed.ts';
import {landingTrailers, readLandedWork, withLandedWork} from './landed-work.ts';
import {
	baseGone,
	baseUnknown,
	blocked,
	conflicting,
	noBranch,
	refuseUnfinished,
	stale,
} from './merge-refusals.ts';
import {planReplay, writeReplay} from './replay.ts';
import {findRebaseOf, findUnderWay} from './under-way.ts';
import {type AcceptedTransfers, fetchUpstream, pushMerge, type Upstream} from './upstream.ts';

export type MergeRequest = TraceLocation & {
	/** The tree that was previewed. */
	readonly tree: string;
	/** One line; the trace's title. */
	readonly subject: string;
	/** May be empty; the trace's summary. */
	readonly body: string;
	/** How the work becomes commits of the base; default: `merge`. */
	readonly strategy?: LandingStrategy | undefined;
	/** Set if the base is shared (`land.push`): the settings for it that a person accepted. */
	readonly shared?: AcceptedTransfers | undefined;
};

export type Merged = {
	/** The commit that landed. */
	readonly commit: string;
	/** Short name of the base branch. */
	readonly base: string;
	/** True if an earlier call, perhaps cut short by a crash, made the merge. */
	readonly alreadyMerged: boolean;
	/** Unsaved paths that the merge changed too; they now have both changes. */
	readonly carried: readonly string[];
};

/**
 * Merges a trace's whole work into its base (docs/reliability.md §4). The caller appends the events around
 * it. May be repeated after a crash between any two steps. Refused with `merge_conflict`, `merge_refused`,
 * `stale_view`, `nothing_to_merge` and `wrong_status`, with the paths in the details and nothing changed.
 */
export const mergeTrace = async (
	git: Git,
	request: MergeRequest,
	failpoint: Failpoint = () => {},
): Promise<Outcome<Merged>> => {
	const open = await openBase(git, request);
	if (!open.ok) return open;
	const resumed = await resumeCarry(git, request, open.value, failpoint);
	if (!resumed.ok) return resumed;
	const own = (await readBase(git, request.root, request.traceId)) ?? open.value;
	const tip = await readTraceTip(git, request);
	if (!tip.ok) return tip;
	if (!tip.value) return refuse('nothing_to_merge');
	const work = tip.value;
	const landedIn = (base: Base) => findLanded(git, request, base, work);
	const joined = await joinUpstream(git, request, own, landedIn, failpoint);
	if (!joined.ok) return joined;
	const {base, upstream} = joined.value;
	const landed = await landedIn(base);
	if (landed?.tree === request.tree) {
		return accepted({commit: landed.commit, base: base.name, alreadyMerged: true, carried: resumed.value});
	}
	const plan = await planMerge(git, request, base, work);
	if (!plan.ok) return plan;
	return perform(git, request, {base, upstream, tip: work, advance: plan.value}, failpoint);
};

/** Returns the base if it is a branch and the user has no unfinished operation where it is checked out. */
const openBase = async (git: Git, {root, traceId}: TraceLocation): Promise<Outcome<Base>> => {
	const base = await readBase(git, root, traceId);
	if (!base) return baseUnknown(traceId);
	if (!base.ref) return noBranch(traceId);
	if (!base.commit) return baseGone(base);
	const {ref} = base;
	const checkouts = (await listCheckouts(git, root)).filter(({missing}) => !missing);
	const holder = checkouts.find(({branch}) => branch === ref);
	const astray = checkouts.filter(({branch}) => branch === undefined);
	const unfinished = await Promise.all([
		...[...new Set([root, holder?.path ?? root])].map(async path => ({
			path,
			what: await findUnderWay(git, path, ref),
		})),
		...astray.map(async ({path}) => ({path, what: await findRebaseOf(git, path, ref)})),
	]);
	const found = unfinished.find(({what}) => what.length > 0);
	return found === undefined ? accepted(base) : refuseUnfinished(found.path, found.what);
};

type Joined = {readonly base: Base; readonly upstream?: Upstream};

/**
 * Of a shared base: fetches its upstream, and moves the base up to it. An interrupted call may have pushed
 * the merge. Then it has landed, also where the base here cannot follow.
 */
const joinUpstream = async (
	git: Git,
	request: MergeRequest,
	base: Base,
	landedIn: (base: Base) => Promise<Landed | undefined>,
	failpoint: Failpoint,
): Promise<Outcome<Joined>> => {
	const {root, shared} = request;
	if (shared === undefined) return accepted({base});
	const upstream = await fetchUpstream(git, root, base, shared);
	if (!upstream.ok) return upstream;
	const followed = await followUpstream(git, root, base, upstream.value, failpoint);
	if (followed.ok) return accepted({base: followed.value, upstream: upstream.value});
	const there = {...base, commit: upstream.value.commit};
	return (await landedIn(there)) === undefined ? followed : accepted({base: there});
};

/** Makes every check that can refuse, before anything is changed. */
const planMerge = async (
	git: Git,
	{root, traceId, tree, strategy}: MergeRequest,
	base: Base,
	tip: TraceTip,
): Promise<Outcome<Advance>> => {
	const unresolved = await refuseUnresolved(git, tip);
	if (unresolved !== undefined) return unresolved;
	const onto = await withLandedWork(git, {root, traceId}, base.commit, tip.commit);
	const fork = await findFork(git, {root, traceId}, {...base, commit: onto}, tip);
	if (!fork.ok) return fork;
	const brought = await bringSubmodules(git, {root, traceId}, {fork: fork.value, tip});
	if (!brought.ok) return brought;
	const {tree: mergedTree, conflicts} = await mergeTrees(git, root, onto, tip.commit);
	if (conflicts.length > 0) return conflicting(base, conflicts);
	if (mergedTree === (await treeOf(git, root, base.commit))) return refuse('nothing_to_merge');
	if (mergedTree !== tree) return stale(base);
	if (strategy === 'rebase') {
		const replay = await planReplay(git, {root, base, work: tip.commit, without: onto, tree});
		if (!replay.ok) return replay;
	}
	const to = await scratchCommit(git, root, {tree, parents: [base.commit, tip.commit], message: 'Plan\n'});
	const advance = await planAdvance(git, {root, ref: base.ref, from: base.commit, to});
	return advance.way === 'blocked' ? blocked(advance) : accepted(advance);
};

type Plan = {
	readonly base: Base;
	/** Of a shared base: the merge is pushed there before the base moves. */
	readonly upstream: Upstream | undefined;
	readonly tip: TraceTip;
	readonly advance: Advance;
};

const perform = async (
	git: Git,
	request: MergeRequest,
	{base, upstream, tip, advance}: Plan,
	failpoint: Failpoint,
): Promise<Outcome<Merged>> => {
	const head = await commitWorktree(git, request, tip);
	if (!head.ok) return head;
	failpoint('merge.committed');
	const recorded = await recordMerge(git, request, base, head.value);
	if (!recorded.ok) return recorded;
	const {value: commit} = recorded;
	failpoint('merge.recorded');
	const {shared} = request;
	if (upstream !== undefined && shared !== undefined) {
		const pushed = await pushMerge(git, request.root, {base, upstream, known: shared}, commit);
		if (!pushed.ok) return pushed;
		failpoint('shared.pushed');
	}
	const carried = await advanceBase(git, request, {base, advance, commit}, failpoint).catch(
		(error: unknown): Outcome<readonly string[]> => {
			const refusal = upstream === undefined ? undefined : refusalOf(error);
			if (refusal === undefined) throw error;
			return {ok: false, refusal};
		},
	);
	const made = {commit, base: base.name, alreadyMerged: false};
	if (!carried.ok) {
		const isHalfWay = (await resolve(git, request.root, refsOf(request.traceId).journal)) !== undefined;
		// What is pushed has landed. The base here follows with the next merge, or with "git pull".
		return upstream === undefined || isHalfWay ? carried : accepted({...made, carried: []});
	}
	await expectMoved(git, request.root, base, commit);
	return accepted({...made, carried: carried.value});
};

/** Checks that the base contains the merge, before success is reported. */
const expectMoved = async (git: Git, root: string, base: Base, commit: string): Promise<void> => {
	const since = await git.run(['rev-list', '--first-parent', base.ref, '--not', base.commit], {cwd: root});
	if (since.split('\n').includes(commit)) return;
	throw new HiveError('internal', {
		message: `${base.name} does not have the merge ${commit}, though git said it moved.`,
	});
};

/** Records the commit that lands. After a crash, one that was already recorded is used again. */
const recordMerge = async (
	git: Git,
	request: MergeRequest,
	base: Base,
	head: string,
): Promise<Outcome<string>> => {
	const {root, traceId, tree, strategy = 'merge'} = request;
	const refs = refsOf(traceId);
	const recorded = await git.attempt(['rev-parse', refs.merged, `${refs.merged}^{tree}`], {cwd: root});
	const [earlier = '', recordedTree] = recorded.stdout.split('\n');
	if (recorded.exitCode === 0 && recordedTree === tree) {
		const found = await readLandedWork(git, root, earlier);
		const isSame = found?.work === head && found.strategy === strategy && found.base === base.commit;
		if (isSame) return accepted(earlier);
	}
	return writeBesideCleanUp<Outcome<string>>(git, root, async () => {
		const written = await writeLanding(git, request, base, head);
		if (!written.ok) return {value: written, ids: []};
		await git.run(['update-ref', refs.merged, written.value], {cwd: root});
		return {value: written, ids: [written.value]};
	});
};

/** Writes the commits that land; no ref names them yet. Returns the newest. */
const writeLanding = async (
	git: Git,
	{root, traceId, tree, subject, body, strategy = 'merge'}: MergeRequest,
	base: Base,
	head: string,
): Promise<Outcome<string>> => {
	const trailers = landingTrailers(traceId, strategy, {work: head, base: base.commit});
	if (strategy === 'rebase') {
		const without = await withLandedWork(git, {root, traceId}, base.commit, head);
		const replay = await planReplay(git, {root, base, work: head, without, tree});
		return replay.ok ? writeReplay(git, root, base.commit, replay.value, trailers) : replay;
	}
	const title = oneLine(subject) || `Merge ${refsOf(traceId).branch}`;
	const message = [title, sanitizeText(body).text.trim(), trailers].filter(Boolean).join('\n\n');
	const parents = strategy === 'squash' ? [base.commit] : [base.commit, head];
	return accepted(await commitTree(git, root, {tree, parents, message: `${message}\n`}));
};

const advanceBase = async (
	git: Git,
	location: TraceLocation,
	{base, advance, commit}: {readonly base: Base; readonly advance: Advance; readonly commit: string},
	failpoint: Failpoint,
): Promise<Outcome<readonly string[]>> => {
	if (advance.way === 'carry') {
		const {checkout, carry} = advance;
		return carryOver(git, {location, base, checkout}, {...carry, merge: commit}, failpoint);
	}
	const note = `hive: merge ${refsOf(location.traceId).branch}`;
	await git.run(['update-ref', '-m', note, base.ref, commit, base.commit], {cwd: location.root});
	failpoint('merge.baseMoved');
	return accepted([]);
};
