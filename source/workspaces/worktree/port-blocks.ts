import {createHash} from 'node:crypto';
import {lstatSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {errorCode} from '../../domain/error-code.ts';
import {HiveError} from '../../domain/errors.ts';
import {parseObject} from '../../domain/json.ts';
import {createSerialQueue} from '../../domain/serial-queue.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import type {Lock} from '../../ports/lock.ts';

/** The first of ten ports, or why there is none. */
export type ClaimedPorts = {readonly first: number} | {readonly problem: string};

/**
 * Allocates blocks of ten ports. Each belongs to one checkout of this machine as long as that checkout exists
 * (docs/architecture.md §5).
 */
export type PortBlocks = {
	/** Returns the block of the checkout (an absolute path that exists). The first claim allocates it. */
	readonly claim: (checkout: string) => Promise<ClaimedPorts>;
	/** First ports by checkout. Checkouts that have no block, or whose block is not known, are left out. */
	readonly find: (checkouts: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};

type BlockPorts = {
	readonly files: Files;
	readonly clock: Clock;
	/** Excludes other writers of the file of claims, in all processes. */
	readonly lock: Lock;
};

/** @param file the claims of all colonies of this machine: paths of checkouts by first port */
export const createPortBlocks = ({files, clock, lock}: BlockPorts, file: string): PortBlocks => {
	let known: {readonly text: string | undefined; readonly claims: Claims} | undefined;
	const read = async (): Promise<Claims> => {
		const text = await files.read(file);
		if (known === undefined || known.text !== text) known = {text, claims: parseClaims(file, text)};
		return known.claims;
	};
	const claimLocked = async (checkout: string): Promise<ClaimedPorts> => {
		const claims = await read();
		const own = blockOf(claims, checkout);
		if (own !== undefined) return {first: own};
		const first = chooseBlock(claims, checkout);
		if (first === undefined)
			return {problem: `all ${blocks} blocks of ports in ${file} belong to existing worktrees`};
		const claimed = new Map(isDue(claims) ? [...claims].filter(([, path]) => isThere(path)) : claims);
		const text = renderClaims(claimed.set(first, checkout));
		await files.write(file, text, {mode: 0o600});
		known = {text, claims: claimed};
		return {first};
	};
	const claim = async (checkout: string): Promise<ClaimedPorts> => {
		const path = realpathSync.native(checkout);
		// No other claim can take the block of an existing checkout, so this needs no lock.
		const own = blockOf(await read(), path);
		if (own !== undefined) return {first: own};
		if (!(await taken(clock, lock)))
			return {problem: `another process has kept ${file} locked for ${lockTimeoutMs / 1000} s`};
		try {
			return await claimLocked(path);
		} finally {
			lock.release();
		}
	};
	const queue = createSerialQueue();
	return {
		claim: checkout => queue(() => claim(checkout).catch(problemOf)),
		find: async checkouts => {
			const claims = await read().catch((): Claims => new Map());
			const firsts = new Map([...claims].map(([first, path]) => [path, first]));
			const found = checkouts.map(checkout => [checkout, firsts.get(pathOf(checkout))] as const);
			return new Map(found.flatMap(([checkout, first]) => (first === undefined ? [] : [[checkout, first]])));
		},
	};
};

/** Paths of checkouts by first port. */
type Claims = ReadonlyMap<number, string>;

/** Below the ephemeral ports of operating systems. */
const firstPort = 20_000;
const size = 10;
const blocks = 1000;

const blockOf = (claims: Claims, checkout: string): number | undefined => {
	for (const [first, path] of claims) if (path === checkout) return first;
	return undefined;
};

/**
 * With many claims, those of missing checkouts are dropped only now and then. Checking each at every claim
 * would make a claim slower with every worktree.
 */
const isDue = ({size}: Claims): boolean => size < many || size % many === 0;

const many = 50;

/**
 * Derives the block from the path, so it stays the same. If another existing checkout has it, takes the next
 * free block.
 */
const chooseBlock = (claims: Claims, checkout: string): number | undefined => {
	const start = createHash('sha256').update(checkout).digest().readUInt32BE() % blocks;
	for (let index = start; index < start + blocks; index += 1) {
		const first = firstPort + (index % blocks) * size;
		const holder = claims.get(first);
		if (holder === undefined || !isThere(holder)) return first;
	}
	return undefined;
};

/** The path as it is claimed, with links resolved. A missing checkout has no such path. */
const pathOf = (checkout: string): string => {
	try {
		return realpathSync.native(checkout);
	} catch {
		return '';
	}
};

/** A checkout that cannot be examined counts as existing. */
const isThere = (checkout: string): boolean => {
	try {
		lstatSync(join(checkout, '.git'));
		return true;
	} catch (error) {
		return !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
	}
};

/** An empty file counts as no claims: a power cut may leave one, and no server survives that. */
const parseClaims = (file: string, text = ''): Claims => {
	if (text.trim() === '') return new Map();
	const entries = Object.entries(parseObject(text) ?? {}).map(
		([first, path]) => [Number(first), path] as const,
	);
	if (entries.length > 0 && entries.every(isClaim)) return new Map(entries);
	throw new HiveError('internal', {
		message: `${file} is not as hive writes it.`,
		hint: 'Remove it when no agent is at work: each worktree then gets a new block.',
	});
};

const isClaim = (entry: readonly [number, unknown]): entry is readonly [number, string] =>
	Number.isSafeInteger(entry[0]) && typeof entry[1] === 'string';

const renderClaims = (claims: Claims): string =>
	`${JSON.stringify(Object.fromEntries(claims), undefined, 2)}\n`;

const lockTimeoutMs = 5000;
const retryDelayMs = 5;

/** Waits for the lock, which is usually held for a moment; returns false after the timeout. */
const taken = async (clock: Clock, lock: Lock): Promise<boolean> => {
	const deadline = clock.elapsed() + lockTimeoutMs;
	while (!lock.take()) {
		if (clock.elapsed() > deadline) return false;
		await new Promise<void>(resolve => clock.after(retryDelayMs, resolve));
	}
	return true;
};

const problemOf = (error: unknown): ClaimedPorts => {
	if (!(error instanceof HiveError)) throw error;
	return {problem: [error.message, error.refusal.hint].join(' ')};
};
