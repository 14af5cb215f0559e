import {readFile, stat} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {errorCode} from '../../domain/error-code.ts';
import {HiveError} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';

type Written<Value> = {
	readonly value: Value;
	/** Ids of the new objects that refs name now. What they need is kept with them. */
	readonly ids: readonly string[];
};

type Options = {
	/** Set if the call itself makes packs, so that a new pack does not show a clean-up. */
	readonly makesPacks?: boolean;
};

/**
 * Calls `write`, which writes objects and then sets refs to them. A `git gc --prune=now` that runs meanwhile
 * may have looked at the refs before, and would then delete the objects. So they are put into a pack after
 * the refs are set. A clean-up deletes only packs that it listed before it looked at the refs, so that pack
 * stays. `write` is called again if objects are gone already. Without a clean-up this starts no process.
 */
export const writeBesideCleanUp = async <Value>(
	git: Git,
	cwd: string,
	write: () => Promise<Written<Value>>,
	{makesPacks = false}: Options = {},
): Promise<Value> => {
	const {common} = await git.folders(cwd);
	const before = await lookForCleanUp(common);
	for (let tries = 1; ; tries++) {
		const written = await write().catch((error: unknown) => ({error}));
		const after = await lookForCleanUp(common);
		const isSeen =
			before.isRunning || after.isRunning || (!makesPacks && before.packsChanged !== after.packsChanged);
		if (!isSeen) return valueOrThrow(written);
		if (!('error' in written) && (await packObjects(git, {cwd, common}, written.ids))) return written.value;
		if (tries < maxTries) continue;
		valueOrThrow(written);
		throw new HiveError('internal', {
			message: 'A clean-up of git removed objects that hive had just written.',
			hint: 'Try again when "git gc" has ended.',
		});
	}
};

/** A clean-up removes each object once at most, in one of its two steps. */
const maxTries = 5;

const valueOrThrow = <Value>(written: Written<Value> | {readonly error: unknown}): Value => {
	if ('error' in written) throw written.error;
	return written.value;
};

const lookForCleanUp = async (common: string) => {
	const [isRunning, packs] = await Promise.all([
		isCleanUpRunning(common),
		stat(join(common, 'objects', 'pack')).catch(() => undefined),
	]);
	return {isRunning, packsChanged: packs?.mtimeMs};
};

const hourMs = 60 * 60 * 1000;

/** As git decides it, except that a clean-up that was killed counts for an hour: its programs may go on. */
const isCleanUpRunning = async (common: string): Promise<boolean> => {
	const path = join(common, 'gc.pid');
	const made = await stat(path).catch(() => undefined);
	if (made === undefined) return false;
	const age = Date.now() - made.mtimeMs;
	const [, pid, host] = /^(\d+) (.*)/.exec(await readFile(path, 'utf8').catch(() => '')) ?? [];
	const isDead = pid !== undefined && host === hostname() && !isAlive(Number(pid));
	return age < (isDead ? hourMs : 12 * hourMs);
};

const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return errorCode(error) !== 'ESRCH';
	}
};

/** Returns false if objects are gone, or if the clean-up removed the pack before it was complete. */
const packObjects = async (
	git: Git,
	{cwd, common}: {readonly cwd: string; readonly common: string},
	ids: readonly string[],
): Promise<boolean> => {
	const format = '--format=%(objectname)';
	const refs = (await git.run(['for-each-ref', format], {cwd})).split('\n').filter(Boolean);
	const others = refs.filter(id => !ids.includes(id)).map(id => `^${id}`);
	const walk = ['rev-list', '--objects', '--ignore-missing', '--stdin'];
	const needed = await git.attempt(walk, {cwd, input: `${[...ids, ...others].join('\n')}\n`});
	if (needed.exitCode !== 0) return false;
	const check = ['cat-file', '--batch-check=%(objectname)'];
	const found = await git.run(check, {cwd, input: `${ids.join('\n')}\n`});
	if (found.split('\n').some(line => line.endsWith(' missing'))) return false;
	if (needed.stdout === '') return true;
	const pack = ['pack-objects', '--quiet', '--non-empty', join(common, 'objects', 'pack', 'pack')];
	return (await git.attempt(pack, {cwd, input: needed.stdout})).exitCode === 0;
};
