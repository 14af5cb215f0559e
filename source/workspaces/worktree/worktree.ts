import {existsSync} from 'node:fs';
import {dirname} from 'node:path';
import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import {isName} from '../../domain/ids.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {type Base, currentBase, readBase, recordBase} from '../merge/base.ts';
import {fastForward} from '../merge/fast-forward.ts';
import {findLanded} from '../merge/landed.ts';
import {listSetUpLinks} from '../trees/ignored-links.ts';
import {resolve, splitNul} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {listSubmodules} from '../trees/submodules.ts';
import {listCheckouts} from './checkouts.ts';
import {findDamage} from './damage.ts';
import {removeCheckout} from './remove-checkout.ts';
import {isSoundWorktree} from './sound-worktree.ts';
import {readyBranch} from './trace-branch.ts';
import {readTraceTip} from './trace-tip.ts';
import {unsavedIn} from './unsaved.ts';
import {
	findLink,
	inspectWorktree,
	makingMark,
	type TraceLocation,
	worktreePath,
	worktreesFolder,
} from './worktree-state.ts';

/** The checkout in which a trace's isolated work is done (docs/rules.md §6). */
export type Worktree = {
	/** Absolute. */
	readonly path: string;
	/** Short name: `hive/<traceId>`. */
	readonly branch: string;
	/** Short name of the branch that it will be merged into; empty when it was made from a detached HEAD. */
	readonly base: string;
	/** True if this call made it. */
	readonly created: boolean;
	/** Ref that keeps an earlier branch of the trace when a new branch took its name. */
	readonly kept?: string;
};

const ensuring = new Map<string, Promise<Outcome<Worktree>>>();

/**
 * Returns the trace's worktree, and makes it when there is none. An existing one is reused untouched, dirty
 * or not. Calls of one process for one trace share the work. Between processes the dispatcher's lock excludes
 * it (docs/architecture.md §3), so a half-made worktree was left by a crash. Refused with `not_a_repository`,
 * `no_commit`, and `wrong_status` when something else is in the way.
 */
export const ensureWorktree = async (
	{git, failpoint = () => {}}: {readonly git: Git; readonly failpoint?: Failpoint},
	location: TraceLocation,
): Promise<Outcome<Worktree>> => {
	const path = worktreePath(location);
	const ensured = ensuring.get(path) ?? ensure(git, location, failpoint).finally(() => ensuring.delete(path));
	ensuring.set(path, ensured);
	return ensured;
};

/** Returns the trace's worktree, or undefined when there is none that is complete. */
export const findWorktree = async (git: Git, location: TraceLocation): Promise<Worktree | undefined> => {
	const {state} = await inspectWorktree(git, location);
	if (state !== 'whole') return undefined;
	return describe(location, await readBase(git, location.root, location.traceId), {created: false});
};

/** Lists every trace that has a worktree under this root, in git's order. Links in paths are resolved. */
export const listWorktrees = async (git: Git, root: string): Promise<{traceId: string; path: string}[]> => {
	const top = await git.run(['rev-parse', '--show-toplevel'], {cwd: root});
	const folder = `${top}/${worktreesFolder}/`;
	return (await listCheckouts(git, root))
		.filter(({path, missing}) => path.startsWith(folder) && !missing)
		.map(({path}) => ({traceId: path.slice(folder.length), path}))
		.filter(({traceId}) => isName(traceId));
};

/**
 * Removes the trace's worktree if git has everything in it. It stays when it has uncommitted files, ignored
 * files outside `disposable`, or commits that no ref has. The branch stays. Returns false when there was no
 * worktree.
 */
export const removeWorktree = async (
	git: Git,
	location: TraceLocation & {readonly disposable: readonly string[]},
): Promise<Outcome<boolean>> => {
	const path = worktreePath(location);
	const removable = await isRemovable(git, location);
	if (!removable.ok || !removable.value) return removable;
	// Git would treat set-up links as uncommitted work, and refuses to remove a worktree with submodules.
	const [links, submodules] = await Promise.all([listSetUpLinks(git, path), listSubmodules(git, path)]);
	const force = links.length + submodules.length > 0;
	const stays = await removeCheckout(git, location.root, path, {force});
	return stays === undefined ? accepted(true) : remains(path, stays);
};

/** Tells whether `removeWorktree` would remove it, or why not; false when there is none. Changes nothing. */
export const isRemovable = async (
	git: Git,
	location: TraceLocation & {readonly disposable: readonly string[]},
): Promise<Outcome<boolean>> => {
	const path = worktreePath(location);
	const {state} = await inspectWorktree(git, location);
	if (state === 'none' || state === 'missing') return accepted(false);
	if (state !== 'whole') return inTheWay(path, 'it is not the worktree that git has on record');
	const unsaved = await unsavedIn(git, path, {disposable: location.disposable, twin: location.root});
	return unsaved.length > 0 ? holds(path, unsaved) : accepted(true);
};

const ensure = async (
	git: Git,
	location: TraceLocation,
	failpoint: Failpoint,
): Promise<Outcome<Worktree>> => {
	const path = worktreePath(location);
	const link = findLink([dirname(dirname(path)), dirname(path), path]);
	if (link !== undefined) return inTheWay(link, 'it is a symbolic link');
	const current = await currentBase(git, location.root);
	if (!current) return withoutCommit(git, location.root);
	const recorded = await readBase(git, location.root, location.traceId);
	const base = recorded?.commit ? recorded : current;
	if (base === recorded && (await isSoundWorktree(git, location)))
		return accepted(describe(location, base, {created: false}));
	if (base !== recorded) await recordBase(git, location.root, location.traceId, base);
	if (await isNew(git, location)) return make(git, location, base, failpoint);
	const found = await inspectWorktree(git, location);
	if (found.state === 'whole') {
		const damage = await moveOn(git, location, base);
		return damage ?? accepted(describe(location, base, {created: false}));
	}
	if (found.state === 'foreign') {
		const path = worktreePath(location);
		return (await findDamage(git, path)) ?? inTheWay(path, 'git has another worktree on record there');
	}
	if (found.elsewhere)
		return inTheWay(found.elsewhere, `it has the branch ${refsOf(location.traceId).branch}`);
	const finished =
		found.state === 'half-made' && found.opens ? await finish(git, location, base, failpoint) : undefined;
	return finished ?? make(git, location, base, failpoint);
};

/**
 * True if the trace has neither a folder nor a branch. Then nothing is in the way, and no other checkout has
 * the branch.
 */
const isNew = async (git: Git, location: TraceLocation): Promise<boolean> => {
	if (existsSync(worktreePath(location))) return false;
	return (await resolve(git, location.root, refsOf(location.traceId).head)) === undefined;
};

/**
 * Moves a worktree on to the base when its work is merged and it has nothing newer. Later work is then on a
 * new branch (docs/architecture.md §6). When git finds a file in the way, the worktree stays where it was.
 * Returns what has to be repaired before work can start there.
 */
const moveOn = async (git: Git, location: TraceLocation, base: Base): Promise<Refused | undefined> => {
	const tip = await readTraceTip(git, location);
	if (!tip.ok) return tip.refusal.code === 'repository_damaged' ? tip : undefined;
	if (tip.value?.worktree === undefined) return undefined;
	const {worktree, head} = tip.value;
	if (await findLanded(git, location, base, tip.value))
		await fastForward(git, worktree, {from: head, to: base.commit});
	return undefined;
};

const withoutCommit = async (git: Git, root: string): Promise<Refused> => {
	const {exitCode} = await git.attempt(['rev-parse', '--git-dir'], {cwd: root});
	if (exitCode === 0) return refuse('no_commit');
	return (await findDamage(git, root)) ?? refuse('not_a_repository');
};

/**
 * Completes a worktree whose creation was cut short by a crash, after checking that git alone wrote what is
 * there. A git process that outlived the crash may still be writing, so this waits for it. If the index stays
 * locked, no process is left to release it, and the worktree has to be made again.
 */
const finish = async (
	git: Git,
	location: TraceLocation,
	base: Base,
	failpoint: Failpoint,
): Promise<Outcome<Worktree> | undefined> => {
	const path = worktreePath(location);
	const strange = await git.withIndexCopy(path, async env => {
		await git.run(['read-tree', refsOf(location.traceId).head], {cwd: path, env});
		return splitNul(await git.run(['ls-files', '--others', '-z'], {cwd: path, env}));
	});
	if (strange.length > 0) return holds(path, strange);
	if ((await git.attempt(fill, {cwd: path})).exitCode === 0)
		return unlock(git, location, base, failpoint, {created: true});
	await git.run(['worktree', 'remove', '--force', '--force', '--', path], {cwd: location.root});
	return undefined;
};

const fill = ['-c', 'checkout.workers=2', 'read-tree', '--reset', '-u', 'HEAD'];

const make = async (
	git: Git,
	location: TraceLocation,
	base: Base,
	failpoint: Failpoint,
): Promise<Outcome<Worktree>> => {
	const {root} = location;
	if (await resolve(git, root, 'refs/heads/hive')) return inTheWay('hive', 'a branch has that name');
	const kept = await readyBranch(git, location, base);
	const refused = await add(git, location);
	if (refused) return refused;
	failpoint('worktree.added');
	await git.run(fill, {cwd: worktreePath(location)});
	return unlock(git, location, base, failpoint, {created: true, ...(kept === undefined ? {} : {kept})});
};

/**
 * Adds the worktree. `--force` given twice replaces a record whose folder is gone or empty, even a locked
 * one. Git refuses a folder with files.
 */
const add = async (git: Git, location: TraceLocation): Promise<Refused | undefined> => {
	const path = worktreePath(location);
	const quietly = ['worktree', 'add', '--quiet', '--no-checkout', '--force', '--force'];
	const marked = [...quietly, '--lock', '--reason', makingMark];
	const args = [...marked, '--', path, refsOf(location.traceId).branch];
	const {exitCode, stderr} = await git.attempt(args, {cwd: location.root});
	return exitCode === 0 ? undefined : inTheWay(path, stderr.trim());
};

const unlock = async (
	git: Git,
	location: TraceLocation,
	base: Base,
	failpoint: Failpoint,
	made: Pick<Worktree, 'created' | 'kept'>,
): Promise<Outcome<Worktree>> => {
	await git.run(['worktree', 'unlock', '--', worktreePath(location)], {cwd: location.root});
	failpoint('worktree.made');
	return accepted(describe(location, base, made));
};

const describe = (
	location: TraceLocation,
	base: Base | undefined,
	made: Pick<Worktree, 'created' | 'kept'>,
): Worktree => ({
	path: worktreePath(location),
	branch: refsOf(location.traceId).branch,
	base: base?.name ?? '',
	...made,
});

const inTheWay = (what: string, why: string): Refused =>
	refuse('wrong_status', {
		message: `"${what}" is in the way of the trace's worktree: ${why}.`,
		hint: 'Move it aside, then try again.',
	});

const remains = (path: string, why: string): Refused =>
	refuse('wrong_status', {
		message: `The worktree ${path} could not be removed: ${why}.`,
		hint: 'Fix the named problem, then remove it with "hive prune" or "hive purge".',
	});

const holds = (path: string, unsaved: readonly string[]): Refused =>
	refuse('wrong_status', {
		message: `The worktree ${path} holds files that are nowhere else; it was left as it is.`,
		hint: 'Commit, move or delete the listed files, then try again.',
		details: unsaved.map(file => ({path: file, message: 'is not in git'})),
	});
