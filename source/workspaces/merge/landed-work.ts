import type {LandingStrategy} from '../../domain/landing.ts';
import type {Git} from '../../ports/git.ts';
import {isAncestor, mergeBaseOf, resolve, scratchCommit, treeOf} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';

const trailer = 'Hive-Merge';

/**
 * Last lines of a landed commit's message. A merge has the work and the base as its parents. A squash has to
 * name the work, and the last commit of a rebase both.
 */
export const landingTrailers = (
	traceId: string,
	strategy: LandingStrategy,
	{work, base}: {readonly work: string; readonly base: string},
): string => {
	const named = {merge: [], squash: [`squash ${work}`], rebase: [`rebase ${work} onto ${base}`]}[strategy];
	return [`Hive-Trace: ${traceId}`, ...named.map(value => `${trailer}: ${value}`)].join('\n');
};

/** The work that a landed commit has, and the commit that it landed on. */
export type LandedWork = {readonly strategy: LandingStrategy; readonly work: string; readonly base: string};

/**
 * Returns the commit of a trace's branch that a landed commit has the work of: its second parent, or what its
 * trailer names. Undefined for other commits. Any author can write a trailer, so ask only about a commit that
 * hive has on record.
 */
export const readLandedWork = async (
	git: Git,
	cwd: string,
	commit: string,
): Promise<LandedWork | undefined> => {
	const format = `--format=%P%x00%(trailers:key=${trailer},valueonly)`;
	const args = ['-c', 'log.showSignature=false', 'log', '--no-walk', format, commit, '--'];
	const {exitCode, stdout} = await git.attempt(args, {cwd});
	if (exitCode !== 0) return undefined;
	const [parents = '', named = ''] = stdout.split('\0');
	const [first = '', second] = parents.split(' ');
	if (second !== undefined) return {strategy: 'merge', work: second, base: first};
	// A person's text may contain such a line too; hive's own is the last.
	const own = named.trim().split('\n').at(-1) ?? '';
	const [, squashed] = /^squash ([0-9a-f]{40,64})$/.exec(own) ?? [];
	if (squashed !== undefined) return {strategy: 'squash', work: squashed, base: first};
	const [, work, base] = /^rebase ([0-9a-f]{40,64}) onto ([0-9a-f]{40,64})$/.exec(own) ?? [];
	return work === undefined || base === undefined ? undefined : {strategy: 'rebase', work, base};
};

/**
 * The same for the last merge of a trace, which a forge may have made: its author could have written any
 * trailer. For such a merge hive keeps the work beside it.
 */
export const readTraceLanding = async (
	git: Git,
	{root, traceId}: TraceLocation,
	commit: string,
): Promise<LandedWork | undefined> => {
	const kept = refsOf(traceId).landed;
	if ((await resolve(git, root, kept)) === undefined) return readLandedWork(git, root, commit);
	const parents = await git.attempt(['rev-parse', `${kept}^1`, `${kept}^2`], {cwd: root});
	const [merge, work = ''] = parents.stdout.split('\n');
	if (parents.exitCode !== 0 || merge !== commit) return readLandedWork(git, root, commit);
	const base = (await resolve(git, root, `${commit}^1`)) ?? '';
	return {strategy: (await isAncestor(git, root, work, commit)) ? 'merge' : 'squash', work, base};
};

/**
 * Records that a forge merged the work of a trace as this commit, which the repository has. May be repeated.
 */
export const recordForgeMerge = async (
	git: Git,
	{root, traceId}: TraceLocation,
	{commit, work}: {readonly commit: string; readonly work: string},
): Promise<void> => {
	const {landed, merged} = refsOf(traceId);
	const tree = await treeOf(git, root, commit);
	const kept = await scratchCommit(git, root, {
		tree,
		parents: [commit, work, ...(await earlierMerges(git, root, landed, commit))],
		message: 'Merged at a forge\n',
	});
	const input = `update ${landed} ${kept}\nupdate ${merged} ${commit}\n`;
	await git.run(['update-ref', '--stdin'], {cwd: root, input});
};

/** Merges of the trace at a forge before this commit, the newest first. */
const earlierMerges = async (
	git: Git,
	cwd: string,
	landed: string,
	commit: string,
): Promise<readonly string[]> => {
	const {exitCode, stdout} = await git.attempt(['rev-parse', '--quiet', `${landed}^@`], {cwd});
	if (exitCode !== 0) return [];
	const [last = '', , ...earlier] = stdout.split('\n').filter(Boolean);
	return last === commit ? earlier : [last, ...earlier];
};

/**
 * Returns a commit with the files of the base whose history has what the base took of the trace. Git finds
 * that in the history after a merge. After a squash or a rebase it does not, and would merge the landed work
 * again.
 */
export const withLandedWork = async (
	git: Git,
	{root, traceId}: TraceLocation,
	base: string,
	tip: string,
): Promise<string> => {
	const landed = await resolve(git, root, refsOf(traceId).merged);
	if (landed === undefined || !(await isAncestor(git, root, landed, base))) return base;
	const found = await readTraceLanding(git, {root, traceId}, landed);
	if (found === undefined || found.strategy === 'merge' || !(await isAncestor(git, root, found.work, tip)))
		return base;
	const fork = await mergeBaseOf(git, root, base, tip);
	// The work has taken in the base since.
	if (fork !== undefined && (await isAncestor(git, root, landed, fork))) return base;
	const tree = await treeOf(git, root, base);
	return scratchCommit(git, root, {tree, parents: [base, found.work], message: 'Base with landed work\n'});
};
