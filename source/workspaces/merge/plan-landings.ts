import {formatRefusal} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import type {LandingStrategy} from '../../domain/landing.ts';
import type {Git} from '../../ports/git.ts';
import {mergeTrees, scratchCommit, treeOf} from '../trees/objects.ts';
import {readRef} from '../trees/ref-files.ts';
import {readTraceTip, type TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import {type Base, readBase} from './base.ts';
import {readLandedWork, withLandedWork} from './landed-work.ts';
import {planReplay} from './replay.ts';

/** An approved merge, in the order in which it is to land. */
type QueuedLanding = {
	readonly traceId: string;
	/** Tree of the approved work. */
	readonly work: string;
	/** Sequence of its approval. */
	readonly sequence: number;
	readonly strategy: LandingStrategy;
};

/**
 * What a queued merge would make, if those ahead of it on its branch land first. `ready`: that tree.
 * `behind`: it conflicts with one ahead, so it is known once that one is over. `left`: it cannot land as it
 * was approved, for the reason.
 */
export type PlannedLanding =
	| {readonly state: 'ready'; readonly ref: string; readonly tree: string; readonly isFirst: boolean}
	| {readonly state: 'behind'; readonly ref: string}
	| {readonly state: 'left'; readonly reason: string};

/** Plans the landings of one checkout. It keeps what it read of a trace's work until `forget`. */
export type LandingPlanner = {
	readonly plan: (queue: readonly QueuedLanding[]) => Promise<ReadonlyMap<string, PlannedLanding>>;
	/** Reads the work of the trace again next time. */
	readonly forget: (traceId: string) => void;
	/** True if a branch of the newest plan has moved since. Cheap. */
	readonly hasMoved: () => Promise<boolean>;
};

type Work = {readonly sequence: number; readonly tip: TraceTip | undefined; readonly problem: string};

/** Maximum number of merges whose result is remembered. */
const maxMerges = 256;

/** Maximum number of conflicting paths in a reason. */
const maxPaths = 5;

export const createLandingPlanner = (git: Git, root: string): LandingPlanner => {
	const works = new Map<string, Work>();
	const merges = new Map<string, Promise<Merge>>();
	let seen: ReadonlyMap<string, Standing> = new Map();

	const workOf = async ({traceId, sequence}: QueuedLanding): Promise<Work> => {
		const known = works.get(traceId);
		if (known?.sequence === sequence) return known;
		const tip = await readTraceTip(git, {root, traceId});
		const read = {
			sequence,
			tip: tip.ok ? tip.value : undefined,
			problem: tip.ok ? '' : tip.refusal.message,
		};
		works.set(traceId, read);
		return read;
	};
	const mergeOf = (onto: string, tip: string, name: string, queued: QueuedLanding): Promise<Merge> => {
		const {traceId, strategy} = queued;
		const key = `${onto} ${tip} ${strategy}`;
		const known = merges.get(key);
		if (known !== undefined) return known;
		const made = mergeOnto(git, {root, traceId}, {onto, name, tip, strategy});
		merges.set(key, made);
		const [oldest] = merges.keys();
		if (merges.size > maxMerges && oldest !== undefined) merges.delete(oldest);
		return made;
	};

	return {
		plan: async queue => {
			const bases = new Map<string, Standing>();
			/** By branch: the commit that would be its newest, after the landings so far. */
			const tips = new Map<string, string>();
			const planned = new Map<string, PlannedLanding>();
			for (const queued of queue) {
				const [base, work] = [await readBase(git, root, queued.traceId), await workOf(queued)];
				const reason = whyNot(queued, base, work);
				if (reason !== undefined || base === undefined || work.tip === undefined) {
					planned.set(queued.traceId, {state: 'left', reason: reason ?? ''});
					continue;
				}
				const {ref, commit} = base;
				const standing = bases.get(ref) ?? (await standOn(git, root, commit, seen.get(ref)));
				const isFirst = !tips.has(ref);
				const onto = tips.get(ref) ?? standing.as;
				const {refused, tree, made} = await mergeOf(onto, work.tip.commit, base.name, queued);
				const next = isFirst && refused === '' ? {tip: work.tip, tree, made} : standing.next;
				bases.set(ref, {...standing, next});
				if (refused !== '') {
					planned.set(queued.traceId, isFirst ? {state: 'left', reason: refused} : {state: 'behind', ref});
					// Those behind it are planned as if it were not there.
					if (isFirst) continue;
				} else planned.set(queued.traceId, {state: 'ready', ref, tree, isFirst});
				tips.set(ref, made || onto);
			}
			seen = bases;
			const traces = new Set(queue.map(({traceId}) => traceId));
			for (const traceId of works.keys()) if (!traces.has(traceId)) works.delete(traceId);
			return planned;
		},
		forget: traceId => works.delete(traceId),
		hasMoved: async () => {
			for (const [ref, {commit}] of seen) {
				const now = await readRef(git, root, ref);
				if (now?.id !== undefined && now.id !== commit) return true;
			}
			return false;
		},
	};
};

/** The commit of a branch that a plan stands on. */
type Standing = {
	readonly commit: string;
	/** A commit in its place, which earlier plans have merged with the rest of the queue. */
	readonly as: string;
	/** What the first landing makes of it, if that is known. */
	readonly next?: {readonly tip: TraceTip; readonly tree: string; readonly made: string} | undefined;
};

/**
 * If the branch has moved by exactly the landing that was planned, the planned merges stay valid: the planned
 * commit has the same files and the same history. Otherwise each landing would merge the whole queue again.
 */
const standOn = async (
	git: Git,
	root: string,
	commit: string,
	before: Standing | undefined,
): Promise<Standing> => {
	if (before?.commit === commit) return {commit, as: before.as};
	const {next} = before ?? {};
	if (next === undefined || before === undefined) return {commit, as: commit};
	const landed = await readLandedWork(git, root, commit);
	if (landed === undefined) return {commit, as: commit};
	const {work: head, base} = landed;
	const parts = [`${commit}^{tree}`, `${head}^{tree}`, `${head}^1`];
	const {exitCode, stdout} = await git.attempt(['rev-parse', ...parts], {cwd: root});
	const [tree, headTree, parent] = stdout.split('\n');
	const {tip} = next;
	const isWork = head === tip.commit || (headTree === tip.tree && parent === tip.parent);
	const isPlanned = exitCode === 0 && tree === next.tree && base === before.commit && isWork;
	return {commit, as: isPlanned ? next.made : commit};
};

/** The result of a merge. `made` is a commit of it. If it is refused, the reason, and no tree. */
type Merge = {readonly refused: string; readonly tree: string; readonly made: string};

type Landing = {
	/** The commit that it lands on, and the name of that branch. */
	readonly onto: string;
	readonly name: string;
	readonly tip: string;
	readonly strategy: LandingStrategy;
};

const mergeOnto = async (
	git: Git,
	location: TraceLocation,
	{onto, name, tip, strategy}: Landing,
): Promise<Merge> => {
	const {root} = location;
	const without = await withLandedWork(git, location, onto, tip);
	const [{conflicts, tree}, ontoTree] = await Promise.all([
		mergeTrees(git, root, without, tip),
		treeOf(git, root, onto),
	]);
	const none = {tree: '', made: ''};
	if (conflicts.length > 0) return {...none, refused: conflictReason(name, conflicts)};
	// A merge that changes nothing makes no commit.
	if (tree === ontoTree) return {refused: '', tree, made: onto};
	if (strategy === 'rebase') {
		const replay = await planReplay(git, {root, base: {name, commit: onto}, work: tip, without, tree});
		if (!replay.ok) return {...none, refused: formatRefusal(replay.refusal)};
	}
	const parents = strategy === 'merge' ? [onto, tip] : [onto];
	return {refused: '', tree, made: await scratchCommit(git, root, {tree, parents, message: 'Landing\n'})};
};

const whyNot = ({work}: QueuedLanding, base: Base | undefined, {tip, problem}: Work): string | undefined => {
	if (problem !== '') return problem;
	if (tip === undefined) return 'Its branch and its worktree are missing.';
	if (base?.ref === undefined || base.ref === '') return 'It has no base branch.';
	if (base.commit === '') return `The branch ${base.name} is gone.`;
	if (tip.unmerged.length > 0) return 'Its worktree has unresolved conflicts.';
	return tip.tree === work ? undefined : 'Its work changed since it was approved.';
};

const conflictReason = (name: string, conflicts: readonly string[]): string => {
	const [first, others] = [conflicts.slice(0, maxPaths), conflicts.length - maxPaths];
	const more = others > 0 ? ` and ${others} more` : '';
	return `It conflicts with ${name}: ${first.map(escapeHidden).join(', ')}${more}.`;
};
