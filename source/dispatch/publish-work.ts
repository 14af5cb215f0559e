import {isDeepStrictEqual} from 'node:util';
import type {Trace} from '../domain/trace.ts';
import {expectOwnTrace} from '../ledger/fencing.ts';
import {changeHistory, changeReplica, putPack, readHistory, readReplica} from '../ledger/replicas.ts';
import type {Bus} from '../ports/bus.ts';
import type {Git} from '../ports/git.ts';
import {readBase} from '../workspaces/merge/base.ts';
import {hasCommit} from '../workspaces/trees/objects.ts';
import {packCommits, readBoundary} from '../workspaces/trees/packs.ts';
import {listTraceRefs} from '../workspaces/trees/trace-refs.ts';

type Ports = {
	readonly bus: Bus;
	readonly git: Git;
	readonly checkout: string;
	/** Maximum bytes of the objects of a trace, and of the additions to its base; default 64 MiB. */
	readonly maxBytes?: number;
};

/** Maximum number of packs of a history before they are combined into one. */
const maxPacks = 16;

/**
 * Stores the trace's work for other machines, if the log is shared (docs/architecture.md §5). Idempotent.
 * Returns false if the work is too large. Throws `elsewhere` if another checkout took the trace.
 */
export const publishWork = async (
	{bus, git, checkout, maxBytes = 64 * 1024 * 1024}: Ports,
	root: string,
	trace: Trace,
): Promise<boolean> => {
	if (!bus.isShared) return true;
	const {traceId} = trace;
	const made = new Set<string>();
	let fits = true;
	await changeReplica(bus, traceId, async kept => {
		await expectOwnTrace(bus, trace, checkout);
		const refs = await listTraceRefs(git, {root, traceId});
		const {name = '', commit = ''} = (await readBase(git, root, traceId)) ?? {};
		const own = {place: checkout, history: checkout, base: {name, commit}, refs};
		const isKept = kept !== undefined && isDeepStrictEqual({...kept, ...own}, kept);
		if (Object.keys(refs).length === 0 || isKept) return undefined;
		const remote = await remoteCommits(git, root);
		const publishing = {bus, git, checkout, maxBytes};
		const hasBase = commit === '' || (await publishHistory(publishing, root, commit, remote));
		const without = commit === '' ? remote : [...remote, commit];
		const commits = Object.values(refs);
		const packed = hasBase ? await packCommits(git, root, {commits, without, maxBytes}) : undefined;
		fits = packed !== undefined;
		if (packed === undefined) return undefined;
		const pack = await putPack(bus, traceId, packed);
		made.add(pack);
		return {...own, pack, needs: await readBoundary(git, root, {commits, without})};
	});
	// A pack from an attempt that lost the compare-and-set is not referenced, so remove it.
	const kept = await readReplica(bus, traceId);
	for (const pack of made) if (pack !== kept?.pack) await bus.blobs.remove(pack);
	return fits;
};

/**
 * Stores the bases once for all traces, without the commits that a remote branch has. Returns false if that
 * is too large.
 */
const publishHistory = async (
	{bus, git, checkout, maxBytes}: Required<Ports>,
	root: string,
	commit: string,
	remote: readonly string[],
): Promise<boolean> => {
	const isMissing = async (without: readonly string[]): Promise<boolean> => {
		const walk = ['rev-list', '--max-count=1', commit, '--stdin'];
		return (await git.run(walk, {cwd: root, input: without.map(id => `^${id}\n`).join('')})) !== '';
	};
	const known = await presentIn(git, root, (await readHistory(bus, checkout))?.commits ?? []);
	if (!(await isMissing([...remote, ...known]))) return true;
	return changeHistory(bus, checkout, async ({commits: former, packs} = {commits: [], packs: []}) => {
		const commits = await presentIn(git, root, former);
		const goesOn = commits.length === former.length && packs.length < maxPacks;
		const all = await independent(git, root, [...commits, commit]);
		const selection = goesOn
			? {commits: [commit], without: [...remote, ...commits]}
			: {commits: all, without: remote};
		const packed = await packCommits(git, root, {...selection, maxBytes});
		if (packed === undefined) return undefined;
		return {commits: all, packs: [...(goesOn ? packs : []), await putPack(bus, checkout, packed)]};
	});
};

const presentIn = async (git: Git, root: string, commits: readonly string[]): Promise<string[]> => {
	const areThere = await Promise.all(commits.map(commit => hasCommit(git, root, commit)));
	return commits.filter((_, index) => areThere[index]);
};

/** The commits that are not reachable from another of them. */
const independent = async (git: Git, root: string, commits: readonly string[]): Promise<string[]> =>
	(await git.run(['merge-base', '--independent', ...commits], {cwd: root})).split('\n');

/** Commits of remote branches, which other machines can fetch from there. */
const remoteCommits = async (git: Git, root: string): Promise<string[]> => {
	const listed = await git.run(['for-each-ref', '--format=%(objectname)', 'refs/remotes'], {cwd: root});
	return [...new Set(listed.split('\n').filter(Boolean))];
};
