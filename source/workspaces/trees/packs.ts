import {HiveError} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';

type Selection = {
	/** Ids of the commits to pack, with every object that they need. */
	readonly commits: readonly string[];
	/** Ids of the commits that the receiver already has. */
	readonly without: readonly string[];
	/** Maximum size of the pack, in bytes. */
	readonly maxBytes: number;
};

/**
 * Returns a pack, in base64, of everything that the commits need beyond the others. Returns undefined when
 * the pack would be too large.
 */
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

/** Returns at most 20 boundary commits: commits outside the pack that it directly depends on. */
export const readBoundary = async (
	git: Git,
	root: string,
	{commits, without}: Omit<Selection, 'maxBytes'>,
): Promise<string[]> => {
	const input = [...commits, ...without.map(commit => `^${commit}`)].join('\n');
	const listed = await git.run(['rev-list', '--boundary', '--stdin'], {cwd: root, input: `${input}\n`});
	const boundary = listed.split('\n').filter(line => line.startsWith('-'));
	return boundary.slice(0, maxPrerequisites).map(line => line.slice(1));
};

const maxPrerequisites = 20;

/**
 * Adds the objects of a pack to the repository. No ref names them yet. Returns false if the pack is damaged,
 * or depends on objects that are not there.
 */
export const unpackCommits = async (git: Git, root: string, pack: string): Promise<boolean> => {
	const index = ['index-pack', '--stdin', '--fix-thin'];
	return (await git.attempt(index, {cwd: root, input: Buffer.from(pack, 'base64')})).exitCode === 0;
};

/** True if the repository has the commits with every object that they need. */
export const hasCommits = async (git: Git, root: string, commits: readonly string[]): Promise<boolean> => {
	const walk = ['rev-list', '--objects', '--quiet', '--stdin', '--not', '--all'];
	return (await git.attempt(walk, {cwd: root, input: `${commits.join('\n')}\n`})).exitCode === 0;
};
