import type {Git} from '../../ports/git.ts';
import {landedPrefix} from '../trees/refs.ts';

/** Facts of a commit for people, and what may tell which trace made it. */
export type CommitFacts = {
	readonly commit: string;
	readonly tree: string;
	readonly parents: readonly string[];
	readonly author: string;
	/** Time of the commit, RFC 3339. */
	readonly at: string;
	readonly subject: string;
	/** Traces that the message names, or a ref for a merge at a forge. Any author or agent can write them. */
	readonly named: readonly string[];
};

/**
 * Reads the facts of commits with one process. It also lists the refs of merges at a forge, whose messages
 * need not name the trace.
 */
export const readCommits = async (
	git: Git,
	cwd: string,
	commits: readonly string[],
): Promise<ReadonlyMap<string, CommitFacts>> => {
	if (commits.length === 0) return new Map();
	const format =
		'%H%x00%T%x00%P%x00%an%x00%cI%x00%s%x00%(trailers:key=Hive-Trace,valueonly,separator=%x20)%x00%S%x00';
	const args = [
		'-c',
		'log.showSignature=false',
		'log',
		'--no-walk=unsorted',
		'--stdin',
		`--format=${format}`,
	];
	const input = commits.map(commit => `${commit}\n`).join('');
	const {exitCode, stdout} = await git.attempt([...args, `--glob=${landedPrefix}`], {cwd, input});
	// A broken ref ends git with an error.
	const fields = (exitCode === 0 ? stdout : await git.run(args, {cwd, input})).split('\0');
	const records = Array.from({length: Math.floor(fields.length / fieldCount)}, (_, index) => {
		const [id = '', tree = '', parents = '', author = '', at = '', subject = '', named = '', source = ''] =
			fields.slice(fieldCount * index, fieldCount * (index + 1));
		const commit = id.trim();
		const facts = {commit, tree, parents: words(parents), author, at, subject, named: words(named)};
		return {facts, source};
	});
	const landed = new Map<string, readonly string[]>();
	for (const {facts, source} of records) {
		const [merge = '', , ...earlier] = facts.parents;
		if (!source.startsWith(landedPrefix)) continue;
		for (const commit of [merge, ...earlier])
			landed.set(commit, [...(landed.get(commit) ?? []), source.slice(landedPrefix.length)]);
	}
	return new Map(
		records
			.filter(({source}) => !source.startsWith(landedPrefix))
			.map(({facts}) => {
				const {commit, named} = facts;
				return [commit, {...facts, named: [...named, ...(landed.get(commit) ?? [])]}];
			}),
	);
};

const fieldCount = 8;

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);
