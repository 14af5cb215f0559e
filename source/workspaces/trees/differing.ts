import type {Differing} from '../../domain/overlooked.ts';
import type {Trees} from '../../domain/run.ts';
import type {Git} from '../../ports/git.ts';
import {isAncestor, splitNul} from './objects.ts';
import {pathText} from './paths.ts';
import {type ObjectsAlone, withObjectsAlone} from './scratch-repository.ts';

type Compared = {
	/** The newest commit of the base, and the commit at which the work diverges from it. */
	readonly base: string;
	readonly fork: string;
	/** The tree of the merge. */
	readonly tree: string;
	/** Tree of all files of the work as they are now. */
	readonly work: string;
	/**
	 * Trees of each run in the worktree that no gate has taken yet, in order. Undefined for a run whose trees
	 * are not known.
	 */
	readonly runs: readonly (Trees | undefined)[];
	/** The base when the trace began, if known. */
	readonly start: string | undefined;
};

/** By path: mode and object as text; empty if there is none. */
type Entries = ReadonlyMap<string, {readonly before: string; readonly after: string}>;

/**
 * Finds paths that the runs of a trace changed and its merge does not, or the reverse. Causes: an agent moved
 * its branch back past the base, or a person edited the worktree. Or the base was rewound, so that dropped
 * work comes back. A path that the base has as the runs left it does not differ.
 */
export const findDiffering = async (
	git: Git,
	root: string,
	compared: Compared,
): Promise<readonly Differing[]> =>
	withObjectsAlone(git, root, async env => {
		const byRuns = await changesOfRuns(git, root, knownTrees(compared), env);
		const byMerge = await listChanges(git, root, compared.base, compared.tree, env);
		if (byRuns === undefined || byMerge === undefined) return [];
		const left = [...byRuns.keys()].filter(path => !byMerge.has(path));
		const [inBase, inFork, mayFollow] = await Promise.all([
			readEntries(git, root, {tree: compared.base, paths: left}, env),
			readEntries(git, root, {tree: compared.fork, paths: left}, env),
			followsStart(git, root, compared),
		]);
		const dropped = left.filter(path => {
			const after = byRuns.get(path)?.after ?? '';
			// A run that merged a newer base took its files from there.
			const isOfBase = mayFollow && after === (inFork.get(path) ?? '');
			return after !== (inBase.get(path) ?? '') && !isOfBase;
		});
		const added = [...byMerge.keys()].filter(path => !byRuns.has(path));
		return [
			...dropped.map(path => ({path: pathText(path), in: 'runs'}) as const),
			...added.map(path => ({path: pathText(path), in: 'merge'}) as const),
		];
	});

/**
 * Fills in unknown trees. If runs with unknown trees ended between two others, the whole change between those
 * counts as theirs.
 */
const knownTrees = ({runs, fork, work}: Compared): readonly Trees[] =>
	runs.flatMap((trees, at) => {
		if (trees !== undefined) return [trees];
		const before = runs.slice(0, at).findLast(known => known !== undefined)?.after ?? fork;
		return [{before, after: runs.slice(at).find(known => known !== undefined)?.before ?? work}];
	});

const followsStart = async (git: Git, root: string, {start, fork}: Compared): Promise<boolean> =>
	start !== undefined && (await isAncestor(git, root, start, fork));

/**
 * For each path: its state before the first run that changed it, and after the last one. Leaves out paths
 * that ended as they began.
 */
const changesOfRuns = async (
	git: Git,
	root: string,
	runs: readonly Trees[],
	env: ObjectsAlone,
): Promise<Entries | undefined> => {
	const all = new Map<string, {before: string; after: string}>();
	for (const {before, after} of runs) {
		const changes = await listChanges(git, root, before, after, env);
		if (changes === undefined) return undefined;
		for (const [path, entry] of changes)
			all.set(path, {before: all.get(path)?.before ?? entry.before, after: entry.after});
	}
	return new Map([...all].filter(([, {before, after}]) => before !== after));
};

/** Undefined when git no longer has one of the two. */
const listChanges = async (
	git: Git,
	cwd: string,
	before: string,
	after: string,
	env: ObjectsAlone,
): Promise<Entries | undefined> => {
	if (before === after) return new Map();
	const args = ['diff-tree', '-r', '--raw', '--no-renames', '--ignore-submodules=none', '-z', before, after];
	const {exitCode, stdout} = await git.attempt(args, {cwd, env, asBytes: true});
	if (exitCode !== 0) return undefined;
	const fields = splitNul(stdout);
	return new Map(
		fields.flatMap((path, at) => {
			if (at % 2 === 0) return [];
			const [oldMode = '', newMode = '', oldId = '', newId = ''] = fields[at - 1]?.slice(1).split(' ') ?? [];
			return [[path, {before: entryOf(oldMode, oldId), after: entryOf(newMode, newId)}] as const];
		}),
	);
};

const entryOf = (mode: string, id: string): string => (/^0+$/.test(mode) ? '' : `${mode} ${id}`);

/** Paths per call, since an argument list has a maximum length. */
const maxPaths = 500;

const readEntries = async (
	git: Git,
	cwd: string,
	{tree, paths}: {readonly tree: string; readonly paths: readonly string[]},
	env: ObjectsAlone,
): Promise<ReadonlyMap<string, string>> => {
	const found = new Map<string, string>();
	for (let at = 0; at < paths.length; at += maxPaths) {
		const some = paths.slice(at, at + maxPaths).map(pathText);
		const args = ['ls-tree', '-r', '-z', '--full-tree', tree, '--', ...some];
		const {stdout} = await git.attempt(args, {cwd, env, asBytes: true});
		for (const line of splitNul(stdout)) {
			const [facts = '', path = ''] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
			const [mode = '', , id = ''] = facts.split(' ');
			found.set(path, entryOf(mode, id));
		}
	}
	return found;
};
