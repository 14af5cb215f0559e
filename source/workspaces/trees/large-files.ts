import type {Git} from '../../ports/git.ts';
import type {ObjectsAlone} from './scratch-repository.ts';

/** A file whose change is too large to show at once. */
export type LargeFile = {
	readonly path: string;
	readonly added: number;
	readonly deleted: number;
	/** The beginning of its patch. */
	readonly beginning: string;
};

/** A changed file, by its names and its contents before and after. */
type Contents = {readonly paths: readonly string[]; readonly blobs: readonly string[]};

type Search = {
	readonly cwd: string;
	readonly env: ObjectsAlone;
	/** Changed files that git shows as text. */
	readonly files: readonly Contents[];
	/** A patch with more bytes is large. */
	readonly largeBytes: number;
	/** Returns the patch of a file, or as much of it as the limit in bytes lets. */
	readonly readPatch: (paths: readonly string[], limit: number) => Promise<string>;
};

/** Maximum large files that are found. Others stay in the patch, which is cut. */
const maxFiles = 50;

/** Finds the files whose patch is large. Only files with enough bytes are compared. */
export const findLargeFiles = async (
	git: Git,
	{cwd, env, files, largeBytes, readPatch}: Search,
): Promise<readonly {readonly paths: readonly string[]; readonly patch: string}[]> => {
	const sizes = await readSizes(git, cwd, env, [...new Set(files.flatMap(({blobs}) => blobs))]);
	const found: {paths: readonly string[]; patch: string}[] = [];
	for (const {paths, blobs} of files) {
		const size = blobs.reduce((sum, blob) => sum + (sizes.get(blob) ?? 0), 0);
		// Each line has a sign, so a patch can be twice as long as what it changes.
		if (size * 2 <= largeBytes || found.length === maxFiles) continue;
		const patch = await readPatch(paths, largeBytes + 1);
		if (patch.length > largeBytes) found.push({paths, patch});
	}
	return found;
};

const readSizes = async (
	git: Git,
	cwd: string,
	env: ObjectsAlone,
	blobs: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
	const input = blobs.map(blob => `${blob}\n`).join('');
	const answer = await git.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {cwd, env, input});
	return new Map(
		answer.split('\n').map(line => {
			const [blob = '', size] = line.split(' ');
			return [blob, Number(size) || 0];
		}),
	);
};
