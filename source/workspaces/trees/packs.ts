import {HiveError} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';

type Selection = {
	/** Ids of the commits to be packed with all that they need. */
	readonly commits: readonly string[];
	/** Ids of those that whoever unpacks has already. */
	readonly without: readonly string[];
	/** Bytes that a pack may have. */
	readonly maxBytes: number;
};

/** Everything that the commits need beyond the others, in base64; nothing when that is too much. */
export const packCommits = async (
	git: Git,
	root: string,
	{commits, without, maxBytes}: Selection,
): Promise<string | undefined> => {
	const pack = ['pack-objects', '--revs', '--thin', '--delta-base-offset', '--stdout', '--quiet'];
	const {exitCode, stdout, stderr, truncated} = await git.attempt(pack, {
		cwd: root,
		input: `${[...commits, '--not', ...without].join('\n')}\n`,
		asBytes: true,
		maxBytes,
	});
	if (truncated) return undefined;
	if (exitCode !== 0)
		throw new HiveError('internal', {
			message: `git pack-objects failed: ${stderr.trim() || `exit ${exitCode}`}`,
		});
	return Buffer.from(stdout, 'latin1').toString('base64');
};

/** Commits that a pack of these rests on, the first of them. */
export const readBoundary = async (
	git: Git,
	root: string,
	{commits, without}: Omit<Selection, 'maxBytes'>,
): Promise<string[]> => {
	const input = [...commits, ...without.map(commit => `^${commit}`)].join('\n');
	const listed = await git.run(['rev-list', '--boundary', '--stdin'], {cwd: root, input: `${input}\n`});
	const boundary = listed.split('\n').filter(line => line.startsWith('-'));
	return boundary.slice(0, mostNeeds).map(line => line.slice(1));
};

const mostNeeds = 20;

/**
 * Takes the objects of a pack into the repository, where no ref names them yet. False when it rests on others
 * that are not there, or is damaged.
 */
export const unpackCommits = async (git: Git, root: string, pack: string): Promise<boolean> => {
	const index = ['index-pack', '--stdin', '--fix-thin'];
	return (await git.attempt(index, {cwd: root, input: Buffer.from(pack, 'base64')})).exitCode === 0;
};

/** Whether the repository has the commits with all that they need. */
export const hasCommits = async (git: Git, root: string, commits: readonly string[]): Promise<boolean> => {
	const walk = ['rev-list', '--objects', '--quiet', '--stdin', '--not', '--all'];
	return (await git.attempt(walk, {cwd: root, input: `${commits.join('\n')}\n`})).exitCode === 0;
};
