import {constants} from 'node:fs';
import {lstat, mkdir, open, readFile, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Git} from '../ports/git.ts';

/** A ref as git's files have it. */
export type FoundRef = {
	/** Full name of the ref that has the commit: of a symbolic one the ref that it leads to. */
	readonly name: string;
	/** Absent when there is no such ref. */
	readonly id?: string;
};

/**
 * Reads a ref, or the HEAD of the checkout, from git's own files, as git does: the ref's file before the packed ones, since git
 * removes a file after it has packed it. Nothing where only git can tell: another store of refs, a link, another form.
 */
export const readRef = async (git: Git, cwd: string, ref: string): Promise<FoundRef | undefined> => {
	if (!isPlainName(ref)) return undefined;
	try {
		const {own, common} = await git.folders(cwd);
		return await follow(common, ref, await readText(join(ref === 'HEAD' ? own : common, ref)));
	} catch {
		return undefined;
	}
};

/**
 * Makes a ref that is not there, in a file of its own as git does: locked against whoever else makes it, and on the disk before it has its
 * name. False, with nothing made, where only git can, or can say why not.
 * @param to a commit, or the full name of the ref that this one stands for
 */
export const makeRef = async (git: Git, cwd: string, ref: string, to: string): Promise<boolean> => {
	const {common} = await git.folders(cwd);
	const isMissing = async () => {
		const found = await readRef(git, cwd, ref);
		return found?.name === ref && found.id === undefined && !(await isPartOfPacked(common, ref));
	};
	const isWritable =
		/^refs\/(?:heads\/)?hive\//.test(ref) && (oidIn(`${to}\n`) !== undefined || isPlainName(to));
	if (!isWritable || !(await isMissing())) return false;
	const path = join(common, ref);
	const draft = `${path}.lock`;
	try {
		await mkdir(dirname(path), {recursive: true});
		await writeSynced(draft, `${isPlainName(to) ? 'ref: ' : ''}${to}\n`);
	} catch {
		return false;
	}
	try {
		if (!(await isMissing())) throw new Error(`${ref} is there by now.`);
		await rename(draft, path);
		return true;
	} catch {
		await rm(draft, {force: true});
		return false;
	}
};

/** Neither a revision of another form, nor a ref that each worktree has for itself. */
const isPlainName = (ref: string): boolean =>
	ref === 'HEAD' ||
	(/^refs\/(?:heads|tags|remotes|hive)\/[\w./+-]+$/.test(ref) && !/\/\.|\.\.|\/\/|\/$|\.lock$/.test(ref));

const longestChain = 5;

const follow = async (
	common: string,
	name: string,
	text: string | undefined,
	links = 0,
): Promise<FoundRef | undefined> => {
	const id = text === undefined ? await readPacked(common, name) : oidIn(text);
	if (id !== undefined) return {name, id};
	if (text === undefined) return (await isThere(join(common, 'reftable'))) ? undefined : {name};
	const [, next = ''] = /^ref: (refs\/\S+)\n$/.exec(text) ?? [];
	if (!isPlainName(next) || links === longestChain) return undefined;
	return follow(common, next, await readText(join(common, next)), links + 1);
};

const oidIn = (text: string): string | undefined => /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1];

const readPacked = async (common: string, name: string): Promise<string | undefined> => {
	const packed = await read(join(common, 'packed-refs'));
	const at = packed?.indexOf(` ${name}\n`) ?? -1;
	if (packed === undefined || at < 0) return undefined;
	return oidIn(`${packed.toString('latin1', packed.lastIndexOf('\n', at) + 1, at)}\n`) ?? notPlain(name);
};

/** Git keeps no ref whose name is that of a folder of others. */
const isPartOfPacked = async (common: string, ref: string): Promise<boolean> => {
	const packed = (await read(join(common, 'packed-refs')))?.toString('latin1') ?? '';
	const folders = ref.split('/').map((_, index, parts) => parts.slice(0, index).join('/'));
	return packed.includes(` ${ref}/`) || folders.some(folder => packed.includes(` ${folder}\n`));
};

const notPlain = (name: string): never => {
	throw new Error(`${name} is not packed as it should be.`);
};

/** Refuses one that is there. */
const writeSynced = async (path: string, text: string): Promise<void> => {
	const file = await open(path, 'wx');
	try {
		await file.writeFile(text);
		await file.datasync();
	} finally {
		await file.close();
	}
};

const readText = async (path: string): Promise<string | undefined> => (await read(path))?.toString();

/** Nothing when there is none; throws for what is no plain file. */
const read = async (path: string): Promise<Buffer | undefined> => {
	try {
		return await readFile(path, {flag: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK});
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
};

/** A folder in the place of a ref has refs of longer names, and the ref itself may be packed. */
const isMissing = (error: unknown): boolean =>
	['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code));

const isThere = (path: string): Promise<boolean> =>
	lstat(path).then(
		() => true,
		() => false,
	);
