import {lstat} from 'node:fs/promises';
import type {Git} from '../../ports/git.ts';
import {splitNul} from './objects.ts';
import {diskPath, pathInput, pathText} from './paths.ts';

/**
 * Among the paths that a trace's work changes, finds those whose bytes did not pass through a required
 * filter. That filter is set in the repository alone, and hive leaves out what is not accepted
 * (docs/reliability.md I17).
 */
export const findUnfiltered = async (
	git: Git,
	checkout: string,
	{fork, tip}: {readonly fork: string; readonly tip: string},
): Promise<string[]> => {
	const names = await listLeftOutFilters(git, checkout);
	if (names.size === 0) return [];
	const listing = ['diff-tree', '-r', '--no-renames', '--diff-filter=AMT', '--raw', '-z', fork, tip];
	const fields = splitNul(await git.run(listing, {cwd: checkout, asBytes: true}));
	const ids = new Map(
		fields.flatMap((path, at) => (at % 2 === 1 ? [[path, fields[at - 1]?.split(' ')[3] ?? '']] : [])),
	);
	const input = pathInput([...ids.keys()]);
	const attributes = await git.run(['check-attr', '-z', '--stdin', 'filter'], {
		...{cwd: checkout, input, asBytes: true},
	});
	const answers = attributes.split('\0');
	const filtered = answers.filter((_, at) => at % 3 === 0 && names.has(answers[at + 2] ?? ''));
	const areRaw = await Promise.all(filtered.map(path => isRaw(git, checkout, path, ids.get(path) ?? '')));
	return filtered.filter((_, index) => areRaw[index]).map(pathText);
};

/** Names of required filters with a setting that was left out. */
const listLeftOutFilters = async (git: Git, checkout: string): Promise<ReadonlySet<string>> => {
	const [leftOut, settings] = await Promise.all([git.leftOut(checkout), git.settings(checkout)]);
	const names = leftOut.flatMap(key => /^filter\.(.*)\.(?:clean|process|required)$/.exec(key)?.[1] ?? []);
	const required = (name: string) =>
		settings.findLast(({key}) => key === `filter.${name}.required`)?.value ?? 'false';
	return new Set(names.filter(name => !/^(?:false|no|off|0|)$/i.test(required(name))));
};

/**
 * True if the object has the file's raw bytes. A run may have called git itself, with the filter. Without a
 * file to compare with, counts as raw.
 */
const isRaw = async (git: Git, checkout: string, path: string, id: string): Promise<boolean> => {
	const stats = await lstat(diskPath(checkout, path)).catch(() => undefined);
	if (!stats?.isFile()) return stats === undefined;
	const raw = ['hash-object', '--no-filters', '--stdin-paths'];
	const {exitCode, stdout} = await git.attempt(raw, {
		...{cwd: checkout, input: Buffer.from(`${path}\n`, 'latin1')},
	});
	return exitCode !== 0 || stdout.trim() === id;
};
