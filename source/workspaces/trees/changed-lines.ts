import type {Git} from '../../ports/git.ts';

/**
 * Line range of the base that a change replaces. For an addition, the lines next to it. Both ends are
 * inclusive.
 */
type Lines = {readonly from: number; readonly to: number};

/** By path: the blob of the content that changes, and the changed lines. */
export type ChangedLines = ReadonlyMap<string, {readonly blob: string; readonly lines: readonly Lines[]}>;

const maxPatchBytes = 4 * 1024 * 1024;

/** Returns what a tree changes in a commit; undefined when git no longer has one of the two. */
export const readChangedLines = async (
	git: Git,
	root: string,
	{commit, tree}: {readonly commit: string; readonly tree: string},
): Promise<ChangedLines | undefined> => {
	const args = [
		'diff-tree',
		'-r',
		'-p',
		'-U0',
		'--ignore-submodules=none',
		'--full-index',
		'--no-renames',
		'--no-color',
	];
	const options = {cwd: root, maxBytes: maxPatchBytes};
	const {exitCode, stdout, truncated} = await git.attempt([...args, commit, tree], options);
	return exitCode === 0 || truncated ? parseChangedLines(stdout) : undefined;
};

/** Parses a patch without context and without renames. */
const parseChangedLines = (patch: string): ChangedLines => {
	const files = new Map<string, {blob: string; lines: Lines[]}>();
	let file: {blob: string; lines: Lines[]} | undefined;
	for (const row of patch.split('\n')) {
		if (row.startsWith('diff --git ')) {
			file = {blob: '', lines: []};
			files.set(pathIn(row), file);
		} else if (row.startsWith('index ') && file !== undefined) {
			file.blob = row.slice('index '.length).split('..', 1)[0] ?? '';
		} else {
			const [, first, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(row) ?? [];
			const from = Number(first);
			if (first !== undefined) file?.lines.push({from, to: from + Math.max(Number(count ?? 1) - 1, 0)});
		}
	}
	return files;
};

/** The row has the same path twice, each with a one-letter prefix. */
const pathIn = (row: string): string => {
	const both = row.slice('diff --git '.length);
	return both.slice((both.length + 1) / 2 + 2).replace(/"$/, '');
};

/** Paths in which both change the same lines of the same content. */
export const sharedPaths = (one: ChangedLines, other: ChangedLines): readonly string[] =>
	[...one].flatMap(([path, {blob, lines}]) => {
		const there = other.get(path);
		if (there?.blob !== blob) return [];
		const isShared = lines.some(({from, to}) =>
			there.lines.some(lines => lines.from <= to && from <= lines.to),
		);
		return isShared ? [path] : [];
	});
