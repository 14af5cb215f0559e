import {accepted, type Detail, type Outcome, refuse} from '../../domain/errors.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {readBase} from '../merge/base.ts';
import {findMerge} from '../merge/landed.ts';
import {listKept, onlyKept} from '../trees/kept-trees.ts';
import {resolve} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {removeCheckout} from './remove-checkout.ts';
import {unsavedIn} from './unsaved.ts';
import {inspectWorktree, type TraceLocation, worktreePath, worktreesFolder} from './worktree-state.ts';

type DisposableLocation = TraceLocation & {readonly disposable: readonly string[]};

/**
 * Lists paths that exist only in the trace's worktree, branch and kept files. After a complete merge, only
 * the worktree has to be checked.
 */
export const findUnmerged = async (git: Git, location: DisposableLocation): Promise<Detail[]> => {
	const {root, traceId, disposable} = location;
	const {branch, head, left} = refsOf(traceId);
	const {state} = await inspectWorktree(git, location);
	const unsaved =
		state === 'whole' ? await unsavedIn(git, worktreePath(location), {disposable, twin: root}) : [];
	const inWorktree = unsaved.map(path => ({path, message: 'is only in the worktree'}));
	if ((await findMerge(git, location)) !== undefined) return inWorktree;
	const isLeft = (await resolve(git, root, left)) !== undefined;
	const tip = isLeft ? undefined : await resolve(git, root, head);
	const onBranch = tip === undefined ? [] : await onlyKept(git, root, {commit: tip}, branch);
	const details = [...inWorktree, ...onBranch.map(path => ({path, message: `is only on ${branch}`}))];
	for (const kept of await listKept(git, root, traceId)) {
		const paths = await onlyKept(git, root, kept, isLeft ? undefined : branch);
		details.push(...paths.map(path => ({path, message: `is only in ${kept.ref}`})));
	}
	return details.filter(({path}, index) => details.findIndex(other => other.path === path) === index);
};

/** Refused with `wrong_status` when something that hive did not make is at the worktree's path. */
export const expectOurs = async (git: Git, location: TraceLocation): Promise<Outcome<void>> => {
	const {state} = await inspectWorktree(git, location);
	return state === 'foreign' ? notOurs(worktreePath(location)) : accepted(undefined);
};

/**
 * Removes the worktree that hive made for the trace, its branch, and all its refs under `refs/hive`, with any
 * content. A branch that was left for a pull request, or is checked out elsewhere, stays. If another checkout
 * of the colony has a trace of the same name, its refs under `refs/hive` stay with its worktree. Returns what
 * was removed. Refused with `wrong_status` when something that hive did not make is at the worktree's path.
 */
export const forgetTrace = async (
	git: Git,
	location: TraceLocation,
	failpoint: Failpoint = () => {},
): Promise<Outcome<readonly string[]>> => {
	const {root, traceId} = location;
	const {branch, head, left} = refsOf(traceId);
	const path = worktreePath(location);
	const {state, elsewhere} = await inspectWorktree(git, location);
	if (state === 'foreign') return notOurs(path);
	const stays = state === 'none' ? undefined : await removeCheckout(git, root, path, {force: true});
	if (stays !== undefined) return notRemoved(path, stays);
	failpoint('purge.worktreeRemoved');
	const isOurs = elsewhere === undefined && (await resolve(git, root, left)) === undefined;
	const goes = isOurs && (await resolve(git, root, head)) !== undefined;
	const isShared = elsewhere?.endsWith(`/${worktreesFolder}/${traceId}`);
	const refs = [...(goes ? [head] : []), ...(isShared ? [] : await refsUnderHive(git, location))];
	for (const ref of refs) await git.run(['update-ref', '--no-deref', '-d', ref], {cwd: root});
	return accepted([...(state === 'none' ? [] : [path]), ...refs.map(ref => (ref === head ? branch : ref))]);
};

const refsUnderHive = async (git: Git, {root, traceId}: TraceLocation): Promise<string[]> => {
	const {base, merged, left, landed, journal, work, keep, run} = refsOf(traceId);
	const patterns = [merged, left, landed, journal, work, keep(''), run('')];
	const listed = await git.run(['for-each-ref', '--format=%(refname)', ...patterns], {cwd: root});
	// Git does not list a symbolic ref whose branch is gone.
	const hasBase = (await readBase(git, root, traceId)) !== undefined;
	return [...(hasBase ? [base] : []), ...listed.split('\n').filter(Boolean)];
};

const notRemoved = (path: string, why: string) =>
	refuse('wrong_status', {
		message: `The worktree ${path} could not be removed: ${why}.`,
		hint: 'Fix the named problem, then run the same command again: it continues from there.',
	});

const notOurs = (path: string) =>
	refuse('wrong_status', {
		message: `"${path}" is not the worktree that git has on record; nothing was removed.`,
		hint: 'Move it aside, then try again.',
	});
