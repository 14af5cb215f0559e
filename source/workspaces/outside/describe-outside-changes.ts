import {createHash} from 'node:crypto';
import {maxOutsideCommitLength, maxOutsideCommits, type OutsideFact} from '../../domain/outside.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {isAncestor, splitNul} from '../trees/objects.ts';
import type {OutsideState} from './outside-state.ts';

/**
 * Asks git about the differences: which branches moved forward, and by which commits. Leaves out merges that
 * hive made or fetched for a shared base, and their files. Removed commits that no branch or tag has are kept
 * under a ref. Starts no process if there is no difference.
 *
 * @param after the state that the differences lead to
 */
export const describeOutsideChanges = async (
	git: Git,
	root: string,
	differences: readonly OutsideFact[],
	after: Pick<OutsideState, 'configuration'>,
): Promise<readonly OutsideFact[]> => {
	const described: OutsideFact[] = [];
	const merges: string[] = [];
	// Sequential, since there may be any number of them.
	for (const fact of differences.filter(isMove)) {
		const {facts, ownMerges} = await describeMove(git, root, fact);
		described.push(...facts);
		merges.push(...ownMerges);
	}
	for (const fact of differences.filter(one => !isMove(one))) {
		if (fact.what !== 'configuration') described.push(await keepLost(git, root, fact));
		else if (!(await isOfMerge(git, root, merges, fact, after))) described.push(fact);
	}
	return described;
};

const isMove = ({what, change}: OutsideFact): boolean => what === 'branch' && change === 'changed';

type DescribedMove = {
	readonly facts: readonly OutsideFact[];
	/** Commits by which hive itself moved the branch. */
	readonly ownMerges: readonly string[];
};

/** Above this number, commits are only counted. */
const maxListedCommits = 1000;

const describeMove = async (git: Git, root: string, fact: OutsideFact): Promise<DescribedMove> => {
	const {before = '', after = ''} = fact;
	if (!(await isAncestor(git, root, before, after)))
		return {facts: [await keepLost(git, root, {...fact, change: 'rewound'})], ownMerges: []};
	const range = ['--first-parent', `--max-count=${maxListedCommits}`, after, `^${before}`];
	const idsOf = async (refs: string): Promise<readonly string[]> =>
		(await git.run(['for-each-ref', '--format=%(objectname)', refs], {cwd: root}))
			.split('\n')
			.filter(Boolean);
	const [log, merged, upstreams] = await Promise.all([
		git.run(['log', '-z', '--format=%H %s', ...range, '--'], {cwd: root}),
		idsOf('refs/hive/merged'),
		idsOf('refs/hive/upstream'),
	]);
	const came = splitNul(log).map(line => ({id: line.slice(0, after.length), line}));
	const own = new Set([...merged, ...(await cameFrom(git, root, {range, came, upstreams}))]);
	const ownMerges = came.map(({id}) => id).filter(id => own.has(id));
	const others = came.filter(({id}) => !own.has(id));
	if (others.length === 0) return {facts: [], ownMerges};
	const listed = others.slice(0, maxOutsideCommits).map(({id, line}) => {
		const subject = line.slice(id.length + 1, id.length + 1 + maxOutsideCommitLength - 8);
		return `${id.slice(0, 7)} ${subject}`;
	});
	return {facts: [{...fact, change: 'forward', commits: listed}], ownMerges};
};

/** Of the commits, those that hive fetched from the upstream of a shared base. */
const cameFrom = async (
	git: Git,
	root: string,
	{
		range,
		came,
		upstreams,
	}: {
		readonly range: readonly string[];
		readonly came: readonly {readonly id: string}[];
		readonly upstreams: readonly string[];
	},
): Promise<readonly string[]> => {
	if (upstreams.length === 0) return [];
	const args = ['rev-list', ...range, ...upstreams.map(id => `^${id}`), '--'];
	const remaining = new Set((await git.run(args, {cwd: root})).split('\n'));
	return came.map(({id}) => id).filter(id => !remaining.has(id));
};

const takesAway: ReadonlySet<OutsideFact['change']> = new Set(['removed', 'rewound', 'changed']);

/** Named by the commit that it keeps, so a repeated step keeps nothing twice. */
const keptRef = (id: string): string => `refs/hive/outside/${id.slice(0, 12)}`;

const keepLost = async (git: Git, root: string, fact: OutsideFact): Promise<OutsideFact> => {
	const {what, change, before} = fact;
	const isRef = what === 'branch' || what === 'tag' || what === 'stash';
	if (!isRef || before === undefined || !takesAway.has(change)) return fact;
	const holders = ['for-each-ref', '--format=%(refname)', `--contains=${before}`, 'refs/heads', 'refs/tags'];
	const held = what === 'branch' ? await git.attempt(holders, {cwd: root}) : undefined;
	// Does not count hive's own branches, since they are deleted when their work is merged.
	if (held?.exitCode === 0 && /^refs\/(?!heads\/hive\/)/m.test(held.stdout)) return fact;
	const kept = keptRef(before);
	const isKept = await writeBesideCleanUp(git, root, async () => {
		const {exitCode} = await git.attempt(['update-ref', kept, before], {cwd: root});
		return {value: exitCode === 0, ids: exitCode === 0 ? [before] : []};
	});
	return isKept ? {...fact, kept} : fact;
};

/** True if the file is as the newest of hive's merges has it: a person approved that. */
const isOfMerge = async (
	git: Git,
	root: string,
	[newest, ...earlier]: readonly string[],
	{name, change}: OutsideFact,
	{configuration}: Pick<OutsideState, 'configuration'>,
): Promise<boolean> => {
	if (newest === undefined) return false;
	const first = earlier.at(-1) ?? newest;
	const {stdout: touched} = await git.attempt(
		['diff-tree', '-r', '--name-only', '-z', `${first}^1`, newest, '--', name],
		{cwd: root},
	);
	if (touched === '') return false;
	const {exitCode, stdout} = await git.attempt(['cat-file', 'blob', `${newest}:${name}`], {
		cwd: root,
		asBytes: true,
	});
	if (exitCode !== 0) return change === 'removed';
	const digest = createHash('sha256').update(Buffer.from(stdout, 'latin1')).digest('hex');
	return configuration[name.slice('.hive/'.length)] === digest;
};
