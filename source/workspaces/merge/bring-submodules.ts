import {join} from 'node:path';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {splitNul} from '../trees/objects.ts';
import {packCommits, unpackCommits} from '../trees/packs.ts';
import {refsOf} from '../trees/refs.ts';
import {folderOf, isOwnRepository, missingIn} from '../trees/submodules.ts';
import type {TraceTip} from '../worktree/trace-tip.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';

type Work = {readonly fork: string; readonly tip: TraceTip};

/** A submodule commit that the work refers to and that only its worktree has. */
type Lone = {readonly path: string; readonly commit: string; readonly from: string; readonly to: string};

/** Maximum bytes of the objects of one submodule. */
const maxPackBytes = 256 * 1024 * 1024;

/**
 * Copies submodule commits that the work refers to, and that no other repository has, into the submodules of
 * the checkout. A ref of the trace keeps them. Refused, with the names, if the checkout lacks such a
 * submodule. May be repeated.
 */
export const bringSubmodules = async (
	git: Git,
	location: TraceLocation,
	work: Work,
): Promise<Outcome<void>> => {
	const lone = await findLone(git, location, work);
	const homeless = await missingHomes(git, lone);
	if (homeless.length > 0) return refuseLone(location, homeless);
	for (const one of lone) if (!(await bring(git, location, one))) return refuseLone(location, [one]);
	return accepted(undefined);
};

/** Lists the submodule commits that would be lost with the worktree. */
const findLone = async (git: Git, {root}: TraceLocation, {fork, tip}: Work): Promise<Lone[]> => {
	const {worktree} = tip;
	if (worktree === undefined) return [];
	const listing = [
		'diff-tree',
		'-r',
		'--no-renames',
		'--ignore-submodules=none',
		'--raw',
		'-z',
		fork,
		tip.commit,
	];
	const fields = splitNul(await git.run(listing, {cwd: root}));
	const named = fields.flatMap((path, at) => {
		const [, mode = '', , commit = ''] = at % 2 === 1 ? (fields[at - 1]?.split(' ') ?? []) : [];
		return mode === '160000' ? [{path, commit}] : [];
	});
	const found = await Promise.all(
		named.map(async ({path, commit}) => {
			const from = await folderOf(worktree, path);
			const to = join(root, path);
			if (from === undefined || (await missingIn(git, from, [commit])).length > 0) return [];
			if ((await missingIn(git, to, [commit])).length === 0) return [];
			const atRemote = [
				'for-each-ref',
				'--count=1',
				`--contains=${commit}`,
				'--format=%(refname)',
				'refs/remotes',
			];
			const isElsewhere = (await git.attempt(atRemote, {cwd: from})).stdout.trim() !== '';
			return isElsewhere ? [] : [{path, commit, from, to}];
		}),
	);
	return found.flat();
};

const missingHomes = async (git: Git, lone: readonly Lone[]): Promise<Lone[]> => {
	const haveHomes = await Promise.all(lone.map(({to}) => isOwnRepository(git, to)));
	return lone.filter((_, index) => !haveHomes[index]);
};

const bring = async (git: Git, {traceId}: TraceLocation, {from, to, commit}: Lone): Promise<boolean> => {
	const listed = await git.run(['for-each-ref', '--format=%(objectname)'], {cwd: to});
	const known = [...new Set(listed.split('\n').filter(Boolean))];
	const strange = new Set(await missingIn(git, from, known));
	const without = known.filter(id => !strange.has(id));
	const pack = await packCommits(git, from, {commits: [commit], without, maxBytes: maxPackBytes});
	if (pack === undefined) return false;
	const unpack = async () => {
		if (!(await unpackCommits(git, to, pack))) return {value: false, ids: []};
		await git.run(['update-ref', refsOf(traceId).keep(commit.slice(0, 12)), commit], {cwd: to});
		return {value: true, ids: [commit]};
	};
	return writeBesideCleanUp(git, to, unpack, {makesPacks: true});
};

const refuseLone = ({traceId}: TraceLocation, lone: readonly Lone[]) =>
	refuse('merge_refused', {
		message: `The work of ${traceId} names commits of submodules that are only in its worktree; nothing was changed.`,
		hint: `Push them from .hive/worktrees/${traceId}, or run "git submodule update --init" in the checkout, then try again.`,
		details: lone.map(({path, commit}) => ({
			path,
			message: `names ${commit.slice(0, 12)}, which is nowhere else`,
		})),
	});
