import {closeSync, constants, existsSync, linkSync, mkdirSync, openSync, readFileSync, rmSync} from 'node:fs';
import {open} from 'node:fs/promises';
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
		return follow(common, ref, readText(join(ref === 'HEAD' ? own : common, ref)));
	} catch {
		return undefined;
	}
};

/**
 * Makes a ref that is not there, in a file of its own as git does: whole and on the disk before it has its name. False, with nothing made,
 * where only git can, or can say why not. A crash leaves no lock.
 * @param to a commit, or the full name of the ref that this one stands for
 */
export const makeRef = async (git: Git, cwd: string, ref: string, to: string): Promise<boolean> => {
	const {common} = await git.folders(cwd);
	const [path, draft] = [join(common, ref), join(common, 'hive', ref.replaceAll('/', '-'))];
	const isFree = async () => {
		const found = await readRef(git, cwd, ref);
		const isMissing = found?.name === ref && found.id === undefined;
		return isMissing && !isPartOfPacked(common, ref) && !existsSync(`${path}.lock`);
	};
	const isWritable =
		/^refs\/(?:heads\/)?hive\//.test(ref) && (oidIn(`${to}\n`) !== undefined || isPlainName(to));
	if (!isWritable || !(await isFree())) return false;
	try {
		for (const file of [path, draft]) mkdirSync(dirname(file), {recursive: true});
		rmSync(draft, {force: true});
		await writeSynced(draft, `${isPlainName(to) ? 'ref: ' : ''}${to}\n`);
		const isMade = await isFree();
		if (isMade) linkSync(draft, path);
		rmSync(draft);
		return isMade;
	} catch {
		return false;
	}
};

/** Removes a ref, with its file alone where no packed one stands behind it. */
export const removeRef = async (git: Git, cwd: string, ref: string): Promise<void> => {
	const found = await readRef(git, cwd, ref);
	if (found !== undefined && found.id === undefined) return;
	const {common} = await git.folders(cwd);
	if (found !== undefined && !read(join(common, 'packed-refs'))?.includes(` ${ref}\n`))
		rmSync(join(common, ref), {force: true});
	else await git.run(['update-ref', '-d', ref], {cwd});
};

/** Neither a revision of another form, nor a ref that each worktree has for itself. */
const isPlainName = (ref: string): boolean =>
	ref === 'HEAD' ||
	(/^refs\/(?:heads|tags|remotes|hive)\/[\w./+-]+$/.test(ref) && !/\/\.|\.\.|\/\/|\/$|\.lock$/.test(ref));

const longestChain = 5;

const follow = (common: string, name: string, text: string | undefined, links = 0): FoundRef | undefined => {
	const id = text === undefined ? readPacked(common, name) : oidIn(text);
	if (id !== undefined) return {name, id};
	if (text === undefined) return existsSync(join(common, 'reftable')) ? undefined : {name};
	const [, next = ''] = /^ref: (refs\/\S+)\n$/.exec(text) ?? [];
	if (!isPlainName(next) || links === longestChain) return undefined;
	return follow(common, next, readText(join(common, next)), links + 1);
};

const oidIn = (text: string): string | undefined => /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1];

const readPacked = (common: string, name: string): string | undefined => {
	const packed = read(join(common, 'packed-refs'));
	const at = packed?.indexOf(` ${name}\n`) ?? -1;
	if (packed === undefined || at < 0) return undefined;
	return oidIn(`${packed.toString('latin1', packed.lastIndexOf('\n', at) + 1, at)}\n`) ?? notPlain(name);
};

/** Git keeps no ref whose name is that of a folder of others. */
const isPartOfPacked = (common: string, ref: string): boolean => {
	const packed = read(join(common, 'packed-refs'))?.toString('latin1') ?? '';
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

const readText = (path: string): string | undefined => read(path)?.toString();

/** Nothing when there is none; throws for what is no plain file. */
const read = (path: string): Buffer | undefined => {
	let file: number | undefined;
	try {
		file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		return readFileSync(file);
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	} finally {
		if (file !== undefined) closeSync(file);
	}
};

/** A folder in the place of a ref has refs of longer names, and the ref itself may be packed. */
const isMissing = (error: unknown): boolean =>
	['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code));
