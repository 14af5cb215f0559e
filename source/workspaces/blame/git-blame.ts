import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {parseQuotedPath} from '../../domain/quoted-path.ts';
import type {Git, GitOptions} from '../../ports/git.ts';

/** A line of a file, and the commit that brought it there. */
export type BlamedLine = {
	/** Its number in the file, from 1. */
	readonly line: number;
	readonly text: string;
	/** `uncommitted` if no commit has the line. */
	readonly commit: string;
	/** Path of the file in that commit, and the number of the line there. */
	readonly path: string;
	readonly there: number;
};

/** Line numbers from 1; both ends are inclusive. */
export type LineRange = {readonly from: number; readonly to: number};

export type BlameRequest = {
	readonly path: string;
	/** Default: all lines. */
	readonly ranges?: readonly LineRange[];
	/** Default: the file as it is on disk. */
	readonly commit?: string;
	/** By commit: the one that is taken for its parent. */
	readonly parents?: ReadonlyMap<string, string>;
};

/** Stands for the commit of a line that is not committed. */
export const uncommitted = '0'.repeat(40);

/** Maximum bytes of git's answer, which has each line with its origin. */
const maxBytes = 64 * 1024 * 1024;

/** Maximum ranges of one call. With more, all lines are read, and those outside are dropped. */
const maxRanges = 200;

/** Settings and options with which the answer depends on the history alone. */
const historyAlone = ['-c', 'blame.ignoreRevsFile=', 'blame', '--porcelain', '--no-textconv'];

/**
 * Returns the origin of lines. It follows only first parents, so that a line belongs to the commit that
 * brought it to the branch, whatever was merged there.
 */
export const blameLines = async (
	git: Git,
	{path, ranges = [], commit, parents = new Map()}: BlameRequest,
	options: Pick<GitOptions, 'cwd' | 'env'>,
): Promise<Outcome<readonly BlamedLine[]>> => {
	const few = ranges.length > maxRanges ? [] : ranges;
	const args = [
		'--first-parent',
		...few.map(({from, to}) => `-L${from},${to}`),
		...(commit === undefined ? [] : [commit]),
		...['--', path],
	];
	const blame = async (own: readonly string[]) =>
		git.attempt([...own, ...args], {...options, asBytes: true, maxBytes});
	const {exitCode, stdout, stderr, truncated} =
		parents.size === 0
			? await blame(historyAlone)
			: await git.withScratch(options.cwd, async folder => {
					const list = join(folder, 'parents');
					await writeFile(list, [...parents].map(pair => `${pair.join(' ')}\n`).join(''));
					return blame([...historyAlone, '-S', list]);
				});
	if (truncated)
		return refuse('usage', {
			message: `${path} is too long to explain as a whole.`,
			hint: 'Name the lines: "hive blame <file>:<line>-<line>".',
		});
	if (exitCode !== 0) return refuseBlame(path, stderr);
	const lines = readPorcelain(stdout);
	if (few.length === ranges.length) return accepted(lines);
	const asked = new Set(ranges.flatMap(({from, to}) => numbersIn(from, to)));
	return accepted(lines.filter(({line}) => asked.has(line)));
};

const numbersIn = (from: number, to: number): number[] =>
	Array.from({length: to - from + 1}, (_, index) => from + index);

const refuseBlame = (path: string, stderr: string) => {
	const [, count] = /has only (\d+) lines?/.exec(stderr) ?? [];
	if (count !== undefined)
		return refuse('usage', {
			message: `${path} has only ${count} ${count === '1' ? 'line' : 'lines'}.`,
			hint: 'Name lines that the file has.',
		});
	return refuse('file_not_found', {
		message: `Git has no history of ${path}.`,
		hint: 'Name a file that is committed on this branch.',
	});
};

/**
 * Parses git's answer, one character per byte. The facts of a commit follow its first line only. The text of
 * a line comes after a tab, so no content can look like a fact.
 */
const readPorcelain = (porcelain: string): readonly BlamedLine[] => {
	const lines: BlamedLine[] = [];
	const paths = new Map<string, string>();
	let at = {commit: '', there: 0, line: 0};
	for (const row of rowsOf(porcelain)) {
		const [, id, there, line] = /^([0-9a-f]{40,64}) (\d+) (\d+)/.exec(row) ?? [];
		if (row.startsWith('\t')) {
			const {commit} = at;
			lines.push({...at, text: decode(row.slice(1)), path: paths.get(commit) ?? ''});
		} else if (id !== undefined) {
			at = {commit: /^0+$/.test(id) ? uncommitted : id, there: Number(there), line: Number(line)};
		} else if (row.startsWith('filename ')) {
			paths.set(at.commit, parseQuotedPath(decode(row.slice('filename '.length)), 0));
		}
	}
	return lines;
};

/** Yields rows one by one, since a list of all rows would double the memory. */
function* rowsOf(text: string): Generator<string> {
	for (let start = 0; start < text.length; ) {
		const end = text.indexOf('\n', start);
		yield text.slice(start, end < 0 ? undefined : end);
		start = end < 0 ? text.length : end + 1;
	}
}

const decode = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** Joins line numbers into ranges. They must be in order. */
export const rangesOf = (numbers: readonly number[]): readonly LineRange[] => {
	const ranges: {from: number; to: number}[] = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last !== undefined && number <= last.to + 1) last.to = Math.max(last.to, number);
		else ranges.push({from: number, to: number});
	}
	return ranges;
};
