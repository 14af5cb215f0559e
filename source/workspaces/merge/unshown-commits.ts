import type {UnshownCommit} from '../../domain/overlooked.ts';
import type {Git} from '../../ports/git.ts';
import {splitNul} from '../trees/objects.ts';
import {type ObjectsAlone, withObjectsAlone} from '../trees/scratch-repository.ts';

type History = {
	/** The newest commit of the base, and the commit at which the work diverges from it. */
	readonly base: string;
	readonly fork: string;
	/** The newest commit that lands with the merge, and the commit at which the diff ends. */
	readonly head: string;
	readonly work: string;
};

type Commit = UnshownCommit & {readonly committer: string};

/** Maximum commits that are examined; further ones are listed without that. */
const maxExaminedCommits = 200;
const maxListedCommits = 1000;
const maxTextBytes = 1024 * 1024;

/**
 * Finds commits that land with a merge and contain what its diff does not show. That is an author other than
 * the approving person, a path that is gone at the end, or lines that neither side of the diff has. For
 * example, they would publish a secret that was added and removed again.
 */
export const findUnshownCommits = async (
	git: Git,
	root: string,
	{base, fork, head, work}: History,
): Promise<readonly UnshownCommit[]> => {
	if (head === '' || head === fork) return [];
	const person = await identityOf(git, root);
	return withObjectsAlone(git, root, async env => {
		const commits = await listCommits(git, root, base, head, env);
		if (commits.length === 0) return [];
		const read = createReader(git, root, env);
		const [before, after] = await Promise.all([fork, work].map(tree => listTree(git, root, tree, env)));
		const found: UnshownCommit[] = [];
		for (const [index, {committer, ...commit}] of commits.entries()) {
			const isOthers = commit.author !== person || committer !== person;
			const isUnshown =
				isOthers ||
				index >= maxExaminedCommits ||
				(await holdsMore(await listBlobs(git, root, commit.sha, env), [before, after], read));
			if (isUnshown) found.push(commit);
		}
		return found;
	});
};

/** The approving person, as git would name them in a commit. */
const identityOf = async (git: Git, cwd: string): Promise<string> => {
	const {exitCode, stdout} = await git.attempt(['var', 'GIT_AUTHOR_IDENT'], {cwd});
	return exitCode === 0 ? stdout.replace(/ \d+ [+-]\d+\s*$/, '') : 'hive <hive@localhost>';
};

const listCommits = async (
	git: Git,
	cwd: string,
	base: string,
	head: string,
	env: ObjectsAlone,
): Promise<readonly Commit[]> => {
	const format = '--format=%H%x00%an <%ae>%x00%cn <%ce>%x00%s%x00';
	const args = [
		'rev-list',
		'--no-commit-header',
		`--max-count=${maxListedCommits}`,
		format,
		head,
		'--not',
		base,
	];
	const fields = (await git.run(args, {cwd, env})).split('\0');
	return Array.from({length: Math.floor(fields.length / 4)}, (_, at) => {
		const [sha = '', author = '', committer = '', subject = ''] = fields.slice(4 * at, 4 * at + 4);
		return {sha: sha.trim(), author, committer, subject};
	});
};

/** Blobs by path. */
type Blobs = ReadonlyMap<string, string>;

/** Lists the blobs that a commit has and none of its parents. */
const listBlobs = async (git: Git, cwd: string, commit: string, env: ObjectsAlone): Promise<Blobs> => {
	const args = ['diff-tree', '-r', '-c', '--root', '--no-commit-id', '--raw', '--no-renames', '-z', commit];
	const fields = splitNul(await git.run(args, {cwd, env, asBytes: true}));
	const blobs = new Map<string, string>();
	for (let at = 0; at + 1 < fields.length; at += 2) {
		// The format is `::old old new id id id MM` for a merge, and `:old new id id M` for any other commit.
		const facts = fields[at] ?? '';
		const parents = /^:+/.exec(facts)?.[0].length ?? 1;
		const parts = facts.slice(parents).split(' ');
		const [mode = '', id = ''] = [parts[parents], parts[2 * parents + 1]];
		if (!/^0+$/.test(mode) && mode !== '160000') blobs.set(fields[at + 1] ?? '', id);
	}
	return blobs;
};

const listTree = async (git: Git, cwd: string, tree: string, env: ObjectsAlone): Promise<Blobs> => {
	const lines = splitNul(
		await git.run(['ls-tree', '-r', '-z', '--full-tree', tree], {cwd, env, asBytes: true}),
	);
	return new Map(
		lines.map(line => {
			const [facts = '', path = ''] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
			return [path, facts.split(' ')[2] ?? ''];
		}),
	);
};

type Read = (blob: string) => Promise<ReadonlySet<string> | undefined>;

const createReader = (git: Git, cwd: string, env: ObjectsAlone): Read => {
	const known = new Map<string, Promise<ReadonlySet<string> | undefined>>();
	const read: Read = async blob => {
		const options = {cwd, env, asBytes: true, maxBytes: maxTextBytes};
		const {exitCode, stdout, truncated} = await git.attempt(['cat-file', 'blob', blob], options);
		return exitCode !== 0 || truncated ? undefined : new Set(stdout.split('\n'));
	};
	return blob => {
		const found = known.get(blob) ?? read(blob);
		known.set(blob, found);
		return found;
	};
};

/**
 * True if a path is in neither side, or a text has lines that neither version has. A blob that cannot be read
 * counts as true.
 */
const holdsMore = async (
	blobs: Blobs,
	sides: readonly (Blobs | undefined)[],
	read: Read,
): Promise<boolean> => {
	for (const [path, blob] of blobs) {
		const versions = sides.flatMap(side => side?.get(path) ?? []);
		if (versions.length === 0) return true;
		if (versions.includes(blob)) continue;
		const [own, ...shown] = await Promise.all([blob, ...versions].map(read));
		if (own === undefined) return true;
		for (const line of own) if (!shown.some(lines => lines?.has(line))) return true;
	}
	return false;
};
