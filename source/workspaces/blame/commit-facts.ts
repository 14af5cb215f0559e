import type {Git} from '../../ports/git.ts';

/** Facts of a commit for people, and what may tell which trace made it. */
export type CommitFacts = {
	readonly commit: string;
	readonly tree: string;
	readonly parents: readonly string[];
	readonly author: string;
	/** Time of the commit, RFC 3339. */
	readonly at: string;
	readonly subject: string;
	/** Traces that the message names. Any author can write them. */
	readonly named: readonly string[];
};

/** Reads the facts of commits with one process. */
export const readCommits = async (
	git: Git,
	cwd: string,
	commits: readonly string[],
): Promise<ReadonlyMap<string, CommitFacts>> => {
	if (commits.length === 0) return new Map();
	const format =
		'%H%x00%T%x00%P%x00%an%x00%cI%x00%s%x00%(trailers:key=Hive-Trace,valueonly,separator=%x20)%x00';
	const args = [
		'-c',
		'log.showSignature=false',
		'log',
		'--no-walk=unsorted',
		'--stdin',
		`--format=${format}`,
	];
	const input = commits.map(commit => `${commit}\n`).join('');
	const fields = (await git.run(args, {cwd, input})).split('\0');
	return new Map(
		Array.from({length: Math.floor(fields.length / fieldCount)}, (_, index) => {
			const [id = '', tree = '', parents = '', author = '', at = '', subject = '', named = ''] = fields.slice(
				fieldCount * index,
				fieldCount * (index + 1),
			);
			const commit = id.trim();
			return [commit, {commit, tree, parents: words(parents), author, at, subject, named: words(named)}];
		}),
	);
};

const fieldCount = 7;

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);
