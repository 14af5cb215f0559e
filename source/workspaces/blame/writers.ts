import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {withObjectsAlone, withScratchObjects} from '../trees/scratch-repository.ts';
import {blameLines, rangesOf} from './git-blame.ts';
import {chainOf, type Link, type WorkingRun, type Writer} from './run-chain.ts';

/** Lines that a commit of a trace brought, and the runs that its content may come from. */
export type WrittenLines = {
	readonly commit: string;
	/** The state before the commit on its branch; empty if there is none. */
	readonly parent: string;
	readonly tree: string;
	/** The file and the line numbers in that commit. */
	readonly path: string;
	readonly lines: readonly number[];
	readonly runs: readonly WorkingRun[];
};

/** Returns the writer of each line, by line number; the lists are in the order of the requests. */
export const findWriters = async (
	git: Git,
	root: string,
	requests: readonly WrittenLines[],
): Promise<Outcome<readonly ReadonlyMap<number, Writer>[]>> => {
	const objects = await readObjects(git, root, requests.flatMap(objectsOf));
	const plans = requests.map(request => {
		const chain = chainOf(request.runs, request.tree, tree => objects.has(whole(tree)));
		return {request, chain, only: onlyWriter(request, chain, objects)};
	});
	const open = plans.flatMap(({request, chain, only}) => (only === undefined ? [{request, chain}] : []));
	const followed = await followLines(git, root, open);
	if (!followed.ok) return followed;
	const rest = [...followed.value];
	return accepted(
		plans.map(({request, only}) => {
			if (only === undefined) return rest.shift() ?? new Map();
			return new Map(request.lines.map(line => [line, only]));
		}),
	);
};

const whole = (tree: string): string => `${tree}^{tree}`;
const fileIn = (tree: string, path: string): string => `${tree}:${path}`;

const objectsOf = ({runs, tree, parent, path}: WrittenLines): readonly string[] => {
	const trees = runs.flatMap(run => (run.trees === undefined ? [] : [run.trees.before, run.trees.after]));
	const files = [...trees, tree, ...(parent === '' ? [] : [parent])].map(one => fileIn(one, path));
	return [...trees.map(whole), ...files];
};

/** Returns the ids of those objects that git has, by the words that name them. */
const readObjects = async (
	git: Git,
	cwd: string,
	names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
	const asked = [...new Set(names)];
	if (asked.length === 0) return new Map();
	const input = asked.map(name => `${name}\0`).join('');
	const answers = (await git.run(['cat-file', '-z', '--batch-check=%(objectname)'], {cwd, input})).split(
		'\n',
	);
	// The answer for a missing object repeats its name, which may contain a newline.
	if (answers.length !== asked.length) return readOneByOne(git, cwd, asked);
	return new Map(
		asked.flatMap((name, index): [string, string][] => {
			const id = answers[index] ?? '';
			return isId(id) ? [[name, id]] : [];
		}),
	);
};

const readOneByOne = async (git: Git, cwd: string, names: readonly string[]) => {
	const found = new Map<string, string>();
	for (const name of names) {
		const {exitCode, stdout} = await git.attempt(['rev-parse', '--verify', '--end-of-options', name], {cwd});
		if (exitCode === 0) found.set(name, stdout.trim());
	}
	return found;
};

const isId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/**
 * The writer of all lines, if the file changed only once between the state before the commit and the commit.
 * Most files need no more than this.
 */
const onlyWriter = (
	{parent, path}: WrittenLines,
	chain: readonly Link[],
	objects: ReadonlyMap<string, string>,
): Writer | undefined => {
	let blob = parent === '' ? undefined : objects.get(fileIn(parent, path));
	let only: Writer | undefined;
	for (const {tree, writer} of chain) {
		const now = objects.get(fileIn(tree, path));
		if (now === blob) continue;
		if (only !== undefined) return undefined;
		[only, blob] = [writer, now];
	}
	return only;
};

type Open = {readonly request: WrittenLines; readonly chain: readonly Link[]};

/** Calls of git that run at the same time. */
const parallel = 4;

/** Follows lines through a history in which each state of a chain is a commit on top of the one before. */
const followLines = async (
	git: Git,
	root: string,
	open: readonly Open[],
): Promise<Outcome<readonly ReadonlyMap<number, Writer>[]>> => {
	if (open.length === 0) return accepted([]);
	return withScratchObjects(git, root, objects =>
		withObjectsAlone(
			git,
			root,
			async env => {
				const commits = await writeChains(git, root, open, env);
				const found: ReadonlyMap<number, Writer>[] = [];
				for (let at = 0; at < open.length; at += parallel) {
					const some = await Promise.all(
						open.slice(at, at + parallel).map(async ({request, chain}, index) => {
							const ids = commits[at + index] ?? [];
							const ranges = rangesOf(request.lines);
							const blame = {path: request.path, ranges, commit: ids.at(-1) ?? ''};
							const lines = await blameLines(git, blame, {cwd: root, env});
							if (!lines.ok) return lines;
							const writers = new Map(ids.map((id, link) => [id, chain[link]?.writer]));
							return accepted(
								new Map(
									lines.value.map(({line, commit}) => [
										line,
										writers.get(commit) ?? ({by: 'no run'} as const),
									]),
								),
							);
						}),
					);
					for (const one of some) {
						if (!one.ok) return one;
						found.push(one.value);
					}
				}
				return accepted(found);
			},
			objects,
		),
	);
};

/** Writes every chain with one process. Returns the commit of each link. */
const writeChains = async (
	git: Git,
	cwd: string,
	open: readonly Open[],
	env: Readonly<Record<string, string>>,
): Promise<readonly (readonly string[])[]> => {
	const stream = ['feature done\n'];
	let mark = 0;
	for (const [index, {chain}] of open.entries()) {
		for (const [at, {tree}] of chain.entries()) {
			mark += 1;
			stream.push(
				`commit refs/heads/chain-${index}\nmark :${mark}\ncommitter hive <hive@localhost> 0 +0000\ndata 0\n`,
				at === 0 ? '' : `from :${mark - 1}\n`,
				`M 040000 ${tree} \n\nget-mark :${mark}\n`,
			);
		}
	}
	stream.push('done\n');
	const args = ['fast-import', '--quiet', '--done'];
	const ids = (await git.run(args, {cwd, env, input: stream.join('')})).split('\n');
	let used = 0;
	return open.map(({chain}) => {
		used += chain.length;
		return ids.slice(used - chain.length, used);
	});
};
