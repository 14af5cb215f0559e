import {closeSync, constants, existsSync, openSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {errorCode} from '../../domain/error-code.ts';
import type {Git} from '../../ports/git.ts';

/** A ref as read from git's files. */
export type FoundRef = {
	/** Full name of the ref that has the commit: for a symbolic ref, its target. */
	readonly name: string;
	/** Absent when there is no such ref. */
	readonly id?: string;
};

/**
 * Reads a ref, or the HEAD of the checkout, from git's own files, as git does. The ref's file comes before
 * the packed refs, since git removes the file after packing it. Undefined if only git can tell: another ref
 * store, a link, or another format.
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

/** True for HEAD and refs that all worktrees share, but not for other forms of a revision. */
const isPlainName = (ref: string): boolean =>
	ref === 'HEAD' ||
	(/^refs\/(?:heads|tags|remotes|hive)\/[\w./+-]+$/.test(ref) && !/\/\.|\.\.|\/\/|\/$|\.lock$/.test(ref));

const maxChainLength = 5;

const follow = (common: string, name: string, text: string | undefined, links = 0): FoundRef | undefined => {
	const id = text === undefined ? readPacked(common, name) : oidIn(text);
	if (id !== undefined) return {name, id};
	if (text === undefined) return existsSync(join(common, 'reftable')) ? undefined : {name};
	const [, next = ''] = /^ref: (refs\/\S+)\n$/.exec(text) ?? [];
	if (!isPlainName(next) || links === maxChainLength) return undefined;
	return follow(common, next, readText(join(common, next)), links + 1);
};

const oidIn = (text: string): string | undefined => /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1];

const readPacked = (common: string, name: string): string | undefined => {
	const packed = read(join(common, 'packed-refs'));
	const at = packed?.indexOf(` ${name}\n`) ?? -1;
	if (packed === undefined || at < 0) return undefined;
	return oidIn(`${packed.toString('latin1', packed.lastIndexOf('\n', at) + 1, at)}\n`) ?? notPlain(name);
};

const notPlain = (name: string): never => {
	throw new Error(`${name} is not packed as it should be.`);
};

const readText = (path: string): string | undefined => read(path)?.toString();

/** Undefined if the file does not exist; throws if it is not a regular file. */
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

/** If a folder is in the place of a ref, it has refs with longer names, and the ref itself may be packed. */
const isMissing = (error: unknown): boolean =>
	['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '');
