import {readFile} from 'node:fs/promises';
import {dirname, join, resolve as pathFrom} from 'node:path';
import {type Refused, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {resolve} from '../trees/objects.ts';
import {pathExists} from '../trees/path-exists.ts';
import {refsOf} from '../trees/refs.ts';
import {refuseBare} from './bare-repository.ts';
import {worktreesFolder} from './worktree-state.ts';

/** Damage that a bee can leave behind and that keeps git from working in a checkout. */
type Damage = {
	readonly message: string;
	/** The remedy, as the beginning of a sentence. */
	readonly mend: string;
	readonly reason?: string;
	/** Set if nothing that a run left is at risk. */
	readonly isHarmless?: true;
};

type Checkout = {
	/** Root folder of its files. */
	readonly top: string;
	/** Git's folders: of the checkout (`own`), and of the repository (`common`). */
	readonly own: string;
	readonly common: string;
	/** The trace whose worktree it is. */
	readonly trace?: {readonly traceId: string; readonly root: string};
};

/**
 * Returns why git does not work in a folder, and the remedy (docs/reliability.md §5); undefined when no cause
 * is found. Call it only after git has failed: it starts several processes.
 *
 * @param errorOutput error output of git, if there is any
 */
export const findDamage = async (
	git: Git,
	folder: string,
	errorOutput = '',
): Promise<Refused | undefined> => {
	const checkout = await locate(folder);
	if (checkout === undefined) return undefined;
	const locked = lockDamage(errorOutput);
	if (locked !== undefined) return damaged(locked, checkout);
	if (await isContainer(git, checkout)) return refuseBare(git, checkout.top);
	for (const findCause of [
		trustDamage,
		linkDamage,
		configDamage,
		headDamage,
		branchDamage,
		indexDamage,
		otherDamage,
	]) {
		const damage = await findCause(git, checkout);
		if (damage !== undefined) return damaged(damage, checkout);
	}
	return undefined;
};

const damaged = ({message, mend, reason, isHarmless}: Damage, {top}: Checkout): Refused =>
	refuse('repository_damaged', {
		message,
		hint: `${mend}, then try again.${isHarmless ? '' : ' "hive restore" brings back what a run left.'}`,
		...(reason === undefined ? {} : {details: [{path: top, message: reason}]}),
	});

const locate = async (folder: string): Promise<Checkout | undefined> => {
	const trace = traceAround(folder);
	const top =
		trace === undefined ? await topAround(folder) : `${trace.root}/${worktreesFolder}/${trace.traceId}`;
	if (top === undefined || !(await pathExists(top))) return undefined;
	const link = join(top, '.git');
	const text = await readText(link);
	if (text === undefined) return {top, own: link, common: link, ...(trace && {trace})};
	const own = pathFrom(top, text.trim().slice('gitdir: '.length));
	const common = pathFrom(own, (await readText(join(own, 'commondir')))?.trim() ?? '.');
	return {top, own, common, ...(trace && {trace})};
};

/**
 * The trace whose worktree contains the folder. Without its `.git` file, git would take a worktree for a part
 * of the root.
 */
const traceAround = (folder: string): Checkout['trace'] => {
	const [root = '', below] = `${folder}/`.split(`/${worktreesFolder}/`);
	const traceId = below?.slice(0, below.indexOf('/'));
	return traceId ? {traceId, root} : undefined;
};

const topAround = async (folder: string): Promise<string | undefined> => {
	if (await pathExists(join(folder, '.git'))) return folder;
	return folder === dirname(folder) ? undefined : topAround(dirname(folder));
};

/** Damage by a stale lock file. Git waits for a lock only a moment, and hive two seconds. */
const lockDamage = (errorOutput: string): Damage | undefined => {
	const [, file] = /Unable to create '([^']+\.lock)': File exists/.exec(errorOutput) ?? [];
	if (file === undefined) return undefined;
	return {
		message: `${file} exists, so a git command is running, or was interrupted.`,
		mend: `If none is running, remove it with "rm '${file}'"`,
	};
};

/**
 * True if the folder's `.git` leads to a bare repository, with worktrees beside it. In a `.git` folder,
 * `core.bare` is a fault.
 */
const isContainer = async (git: Git, {top, own, common}: Checkout): Promise<boolean> => {
	if (own !== common || own === join(top, '.git')) return false;
	return (await git.attempt(['rev-parse', '--is-bare-repository'], {cwd: top})).stdout.trim() === 'true';
};

/** Git refuses a repository that another user owns; its error output says how to allow it. */
const trustDamage = async (git: Git, {top}: Checkout): Promise<Damage | undefined> => {
	const {stderr} = await opens(git, top);
	const [, allow] = /^\s*(git config --global --add safe\.directory .+)$/m.exec(stderr) ?? [];
	if (allow === undefined) return undefined;
	return {
		message: `Git refuses to open ${top}, since it belongs to another user.`,
		mend: `If you trust what is in it, run "${allow.trim()}"`,
		isHarmless: true,
	};
};

const linkDamage = async (_: Git, {top, own, trace}: Checkout): Promise<Damage | undefined> => {
	if (trace === undefined) return undefined;
	const link = join(top, '.git');
	const repair = `git -C '${trace.root}' worktree repair`;
	if (!(await pathExists(link)))
		return {message: `The worktree ${top} has lost its .git file.`, mend: `Make it again with "${repair}"`};
	if (own === link)
		return {
			message: `The worktree ${top} was made a repository of its own.`,
			mend: `Move its .git folder out and bring its link back with "${repair}"`,
		};
	if (await pathExists(own)) return undefined;
	return {
		message: `Git has lost its record of the worktree ${top}: ${own} is gone.`,
		mend: 'Move the folder aside: the worktree is made anew from what its last run left',
	};
};

const configDamage = async (git: Git, {top, own, common}: Checkout): Promise<Damage | undefined> => {
	for (const file of [join(common, 'config'), join(own, 'config.worktree')]) {
		if (!(await pathExists(file))) continue;
		// Run in a folder outside any repository: git does not start in one whose configuration it cannot read.
		const ask = async (...args: string[]) => git.attempt(['config', '--file', file, ...args], {cwd: '/'});
		const all = await ask('--list');
		if (all.exitCode !== 0)
			return {
				message: `Git cannot read the settings in ${file}.`,
				mend: 'Fix the file',
				reason: formatErrorOutput(all),
			};
		if ((await ask('--type=bool', '--get', 'core.bare')).stdout.trim() === 'true')
			return {
				message: `core.bare is set in ${file}, so git finds no files in ${top}.`,
				mend: `Set it back with "git config --file '${file}' core.bare false"`,
			};
		if (Number((await ask('--get', 'core.repositoryformatversion')).stdout) > 1)
			return {
				message: `core.repositoryformatversion in ${file} is one that git does not know.`,
				mend: `Set it back with "git config --file '${file}' core.repositoryformatversion 0"`,
			};
	}
	return undefined;
};

const headDamage = async (_: Git, {own, common, trace}: Checkout): Promise<Damage | undefined> => {
	for (const folder of [common, own]) {
		const file = join(folder, 'HEAD');
		if (isHead((await readText(file)) ?? '')) continue;
		const isOfTrace = trace !== undefined && folder === own;
		const head = isOfTrace ? refsOf(trace.traceId).head : 'refs/heads/<branch>';
		return {
			message: `${file}, which says what is checked out, is broken.`,
			mend: `Write it again with "echo 'ref: ${head}' >'${file}'"`,
		};
	}
	return undefined;
};

const isHead = (text: string): boolean => /^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(text);

/**
 * Damage by a deleted branch: an agent can delete the branch that it is on. Its work is still in the
 * worktree.
 */
const branchDamage = async (git: Git, {top, trace}: Checkout): Promise<Damage | undefined> => {
	if (trace === undefined) return undefined;
	const {branch, head, work, base} = refsOf(trace.traceId);
	if ((await resolve(git, trace.root, head)) !== undefined) return undefined;
	const at = (await resolve(git, top, 'HEAD')) ?? ((await resolve(git, trace.root, work)) ? work : base);
	return {
		message: `The worktree ${top} has lost its branch ${branch}; nothing was changed.`,
		mend: `Make it again with "git branch ${branch} ${at}"`,
	};
};

const indexDamage = async (git: Git, {top, own}: Checkout): Promise<Damage | undefined> => {
	const {exitCode} = await git.attempt(['ls-files', '--stage', '-z'], {cwd: top, maxBytes: 1});
	if (exitCode === 0) return undefined;
	const file = join(own, 'index');
	return (await opens(git, top)).exitCode === 0
		? {
				message: `Git cannot read its index ${file}.`,
				mend: `Make it again with "rm '${file}' && git -C '${top}' reset --quiet", which touches no file`,
			}
		: undefined;
};

const otherDamage = async (git: Git, {top, common}: Checkout): Promise<Damage | undefined> => {
	const opened = await opens(git, top);
	return opened.exitCode === 0
		? undefined
		: {
				message: `Git can no longer open ${top}.`,
				mend: `Fix ${common}`,
				reason: formatErrorOutput(opened),
			};
};

const opens = (git: Git, top: string) => git.attempt(['rev-parse', '--git-dir'], {cwd: top});

const formatErrorOutput = ({stderr}: {readonly stderr: string}): string => stderr.trim();

const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
