import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {isAncestor, resolve} from '../trees/objects.ts';
import {planAdvance} from './advance.ts';
import type {Base} from './base.ts';
import {carryOver, resumeCarry} from './carry.ts';
import {blocked} from './merge-refusals.ts';
import type {Upstream} from './upstream.ts';

/** Takes the place of a trace's id in the refs of such a move. */
const follower = 'upstream';

/**
 * Moves a base that is behind its upstream up to it, with unsaved changes on top, as a merge does. Returns
 * the base as it is then. A move that a crash cut short is resumed by the next call, for any trace. Refused
 * with `not_shared` if the base has commits that its upstream lacks, and with `merge_refused` if unsaved
 * files are in the way. The caller holds the merge lock.
 */
export const followUpstream = async (
	git: Git,
	root: string,
	found: Base,
	{commit, name}: Upstream,
	failpoint: Failpoint,
): Promise<Outcome<Base>> => {
	const location = {root, traceId: follower};
	const resumed = await resumeCarry(git, location, found, failpoint);
	if (!resumed.ok) return resumed;
	const base = {...found, commit: (await resolve(git, root, found.ref)) ?? found.commit};
	if (base.commit === commit) return accepted(base);
	if (!(await isAncestor(git, root, base.commit, commit))) return notPushed(git, root, base, {commit, name});
	const advance = await planAdvance(git, {root, ref: base.ref, from: base.commit, to: commit});
	if (advance.way === 'blocked') return inTheWay(base, name, blocked(advance));
	if (advance.way === 'ref')
		await git.run(['update-ref', '-m', `hive: follow ${name}`, base.ref, commit, base.commit], {cwd: root});
	else {
		const {checkout, carry} = advance;
		const carried = await carryOver(git, {location, base, checkout}, carry, failpoint);
		if (!carried.ok) return carried;
	}
	return accepted({...base, commit});
};

const inTheWay = ({name}: Base, upstream: string, refused: Refused): Refused =>
	refuse('merge_refused', {
		message: `${name} is behind ${upstream}, and cannot follow it: unsaved files are in the way. Nothing was changed.`,
		hint: 'Commit or move the listed files, then try again.',
		details: refused.refusal.details,
	});

/** hive publishes what was approved, and nothing else that is on the base. */
const notPushed = async (
	git: Git,
	root: string,
	{name, commit: own}: Base,
	{commit, name: upstream}: Pick<Upstream, 'commit' | 'name'>,
): Promise<Refused> => {
	const counted = await git.run(['rev-list', '--count', own, `^${commit}`, '--'], {cwd: root});
	const isBehindToo = !(await isAncestor(git, root, commit, own));
	return refuse('not_shared', {
		message: `${name} has ${counted} ${counted === '1' ? 'commit' : 'commits'} that ${upstream} lacks; nothing was changed.`,
		hint: `hive pushes only what is approved. Push ${counted === '1' ? 'it' : 'them'} with ${isBehindToo ? '"git pull --rebase", then "git push"' : '"git push"'}, then try again.`,
	});
};
