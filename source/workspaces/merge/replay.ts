import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import type {Git} from '../../ports/git.ts';
import {committerNow, mergeTrees, scratchCommit, treeOf} from '../trees/objects.ts';
import type {Base} from './base.ts';

/** Maximum number of commits that a landing replays. Each takes several git processes. */
const maxReplayed = 500;

type ReplayRequest = {
	readonly root: string;
	readonly base: Pick<Base, 'name' | 'commit'>;
	/** The newest commit of the work. */
	readonly work: string;
	/** A commit whose history has the base, and what landed of the work before. */
	readonly without: string;
	/** The tree that was approved. */
	readonly tree: string;
};

/** A commit of the work, and its files on top of the base. */
type Replayed = {readonly commit: RawCommit; readonly tree: string};

/**
 * Plans the commits of the work on top of the base, oldest first, without merges and without changes that the
 * base has, as `git rebase` does. Moves no ref and no file. Refused if a commit conflicts, or if the last one
 * has other files than were approved.
 */
export const planReplay = async (
	git: Git,
	{root, base, work, without, tree}: ReplayRequest,
): Promise<Outcome<readonly Replayed[]>> => {
	const list = ['rev-list', '--reverse', '--topo-order', '--no-merges', work, '--not', without];
	const ids = (await git.run(list, {cwd: root})).split('\n').filter(Boolean);
	if (ids.length > maxReplayed)
		return refuseReplay(`The work has ${ids.length} commits, and at most ${maxReplayed} are replayed.`);
	const commits = await readRaw(git, root, ids);
	const parents = await readRaw(git, root, [...new Set(commits.flatMap(({parent}) => parent ?? []))]);
	const treeOfParent = new Map(parents.map(parent => [parent.id, parent.tree]));
	let now = await treeOf(git, root, base.commit);
	const replayed: Replayed[] = [];
	for (const commit of commits) {
		const before = treeOfParent.get(commit.parent ?? '') ?? (await emptyTree(git, root));
		const {tree: after, conflicts} = await pick(git, root, {now, before, after: commit.tree});
		if (conflicts.length > 0)
			return refuseReplay(
				`The commit ${commit.id.slice(0, 7)} "${subjectOf(commit)}" conflicts when it is replayed on ${base.name}.`,
				conflicts.map(path => ({path, message: `conflicts with ${base.name}`})),
			);
		const isOnBase = after === now && commit.tree !== before;
		if (!isOnBase) replayed.push({commit, tree: after});
		now = after;
	}
	if (now === tree && replayed.length > 0) return accepted(replayed);
	return refuseReplay(
		`Replayed one by one on ${base.name}, the commits of the work give other files than those that were approved.`,
	);
};

/**
 * Writes the planned commits onto the base. Each keeps its author, the date of its author and its message;
 * signatures are dropped. The newest gets these trailers. Returns it.
 */
export const writeReplay = async (
	git: Git,
	root: string,
	base: string,
	replayed: readonly Replayed[],
	trailers: string,
): Promise<Outcome<string>> => {
	const committer = Buffer.from(await committerNow(git, root)).toString('latin1');
	let parent = base;
	for (const [index, {commit, tree}] of replayed.entries()) {
		const isTip = index === replayed.length - 1;
		const message = withTrailers(commit.message, isTip ? trailers : '');
		const headers = [
			...[`tree ${tree}`, `parent ${parent}`, commit.author, `committer ${committer}`],
			...(commit.encoding === '' ? [] : [commit.encoding]),
		];
		const input = Buffer.from(`${headers.join('\n')}\n\n${message}`, 'latin1');
		const written = await git.attempt(['hash-object', '-t', 'commit', '-w', '--stdin'], {cwd: root, input});
		if (written.exitCode !== 0)
			return refuseReplay(
				`Git cannot write the commit ${commit.id.slice(0, 7)} "${subjectOf(commit)}" again: ${escapeHidden(written.stderr.trim())}`,
			);
		parent = written.stdout.trim();
	}
	return accepted(parent);
};

/** A commit as git stores it, one character for each byte. */
type RawCommit = {
	readonly id: string;
	readonly tree: string;
	/** The first parent; undefined for a root commit. */
	readonly parent: string | undefined;
	/** Whole header lines; `encoding` may be empty. */
	readonly author: string;
	readonly encoding: string;
	readonly message: string;
};

/** Reads commits with one process, in the order of their ids. */
const readRaw = async (git: Git, cwd: string, ids: readonly string[]): Promise<readonly RawCommit[]> => {
	if (ids.length === 0) return [];
	const input = ids.map(id => `${id}\n`).join('');
	const all = await git.run(['cat-file', '--batch'], {cwd, input, asBytes: true});
	const commits: RawCommit[] = [];
	for (let at = 0; at < all.length; ) {
		const start = all.indexOf('\n', at) + 1;
		const [id = '', , size] = all.slice(at, start - 1).split(' ');
		at = start;
		// The answer for a missing commit has no size.
		if (size === undefined) continue;
		commits.push(parseRaw(id, all.slice(start, start + Number(size))));
		at += Number(size) + 1;
	}
	return commits;
};

const parseRaw = (id: string, raw: string): RawCommit => {
	const end = raw.indexOf('\n\n');
	const headers = (end < 0 ? raw : raw.slice(0, end)).split('\n');
	const line = (name: string) => headers.find(header => header.startsWith(`${name} `)) ?? '';
	return {
		id,
		tree: line('tree').slice('tree '.length),
		parent: line('parent').slice('parent '.length) || undefined,
		author: line('author'),
		encoding: line('encoding'),
		message: end < 0 ? '' : raw.slice(end + 2),
	};
};

const maxSubject = 72;

const subjectOf = ({message}: RawCommit): string => {
	const [subject = ''] = message.split('\n', 1);
	return escapeHidden(Buffer.from(subject, 'latin1').toString()).slice(0, maxSubject);
};

/** Trailers of hive in a replayed message would name another landing, so they are left out. */
const withTrailers = (message: string, trailers: string): string => {
	const lines = message.split('\n').filter(line => !/^Hive-(?:Trace|Merge)\s*:/i.test(line));
	while (lines.at(-1)?.trim() === '') lines.pop();
	if (trailers === '') return `${lines.join('\n')}\n`;
	const last = lines.slice(lines.lastIndexOf('') + 1);
	const endsInTrailers = last.length < lines.length && last.every(line => /^[A-Za-z0-9-]+: /.test(line));
	return [...lines, ...(endsInTrailers ? [] : ['']), trailers, ''].join('\n');
};

type Change = {readonly now: string; readonly before: string; readonly after: string};

/** Applies the change from one tree to another to the present one. */
const pick = async (git: Git, cwd: string, {now, before, after}: Change) => {
	if (now === before || before === after) return {tree: now === before ? after : now, conflicts: []};
	const commit = (tree: string, parents: readonly string[]) =>
		scratchCommit(git, cwd, {tree, parents, message: 'Replay\n'});
	// "git merge-tree --merge-base" came with git 2.40.
	const common = await commit(before, []);
	const [ours, theirs] = await Promise.all([commit(now, [common]), commit(after, [common])]);
	return mergeTrees(git, cwd, ours, theirs);
};

const emptyTree = (git: Git, cwd: string): Promise<string> =>
	git.run(['hash-object', '-t', 'tree', '-w', '--stdin'], {cwd, input: ''});

const refuseReplay = (why: string, details: Refused['refusal']['details'] = []): Refused =>
	refuse('merge_refused', {
		message: `${why} Nothing was changed.`,
		hint: 'Approve with "--strategy merge", or with "--strategy squash" for one commit.',
		details,
	});
