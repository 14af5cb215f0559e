import {lstatSync, readdirSync} from 'node:fs';
import {readFile, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {HiveError} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {resolve} from '../trees/objects.ts';
import {hasCommits} from '../trees/packs.ts';
import {alternatesOf, type Border, borderPaths} from './border.ts';

/** What was left behind the border, in words for people. */
export type TakenOver = {readonly warnings: readonly string[]};

const nothing: TakenOver = {warnings: []};

/** Maximum bytes of new objects. More would have to be held in memory. */
const maxPackBytes = 1024 ** 3;

/**
 * Takes the objects of a contained run over into the repository, and moves its branch there. Git computes the
 * ids of the objects anew, so none can have a false one. No program of the run may be alive. Idempotent.
 * Throws if the objects are damaged or too large.
 */
export const takeOver = async (
	git: Git,
	folder: string,
	failpoint: Failpoint = () => {},
): Promise<TakenOver> => {
	const border = await readBorder(folder);
	if (border === undefined) return nothing;
	const take = async () => {
		await takeObjects(git, folder, border);
		failpoint('contained.objects');
		const {warnings, commit} = await takeBranch(git, folder, border);
		return {value: warnings, ids: commit === undefined ? [] : [commit]};
	};
	const warnings = await writeBesideCleanUp(git, border.common, take, {makesPacks: true});
	await removeTaken(folder);
	await mendHead(git, folder, border);
	const lost = await otherRefs(folder, border);
	return {warnings: [...warnings, ...(lost.length === 0 ? [] : [formatLost(lost)])]};
};

const readBorder = async (folder: string): Promise<Border | undefined> => {
	try {
		return JSON.parse(await readFile(borderPaths(folder).record, 'utf8')) as Border;
	} catch {
		return undefined;
	}
};

const isFolder = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;

const takeObjects = async (git: Git, folder: string, {common}: Border): Promise<void> => {
	const {git: own, objects} = borderPaths(folder);
	const info = join(objects, 'info');
	if (![own, objects, info, join(objects, 'pack')].every(isFolder))
		throw damaged('its folder of objects was replaced');
	if (!hasObjects(objects)) return;
	const alternates = join(info, 'alternates');
	const kept = await readFile(alternates, 'utf8').catch(() => '');
	// It may name any folder by now. Without it, git lists the run's own objects alone.
	await rm(alternates, {force: true, recursive: true});
	const list = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'];
	const listed = await git.attempt(list, {cwd: common, env: {GIT_OBJECT_DIRECTORY: objects}});
	if (listed.exitCode !== 0) throw damaged(listed.stderr.trim());
	const env = {
		GIT_OBJECT_DIRECTORY: objects,
		GIT_ALTERNATE_OBJECT_DIRECTORIES: [join(common, 'objects'), ...alternatesOf(common)].join(':'),
	};
	const prefix = join(folder, 'taken');
	const packing = ['pack-objects', '--quiet', '--window=0', prefix];
	const packed = await git.attempt(packing, {cwd: common, env, input: listed.stdout});
	if (packed.exitCode !== 0) throw damaged(packed.stderr.trim());
	const pack = `${prefix}-${packed.stdout.trim()}.pack`;
	if ((await stat(pack)).size > maxPackBytes) throw damaged('they are larger than 1 GiB');
	const reading = ['index-pack', '--stdin', '--fix-thin'];
	const taken = await git.attempt(reading, {cwd: common, input: await readFile(pack)});
	if (taken.exitCode !== 0) throw damaged(taken.stderr.trim());
	for (const suffix of ['pack', 'idx', 'rev'])
		await rm(`${prefix}-${packed.stdout.trim()}.${suffix}`, {force: true});
	await writeFile(alternates, kept);
};

/** Removes the objects that are in the repository by now, where git inside finds them too. */
const removeTaken = async (folder: string): Promise<void> => {
	const {objects} = borderPaths(folder);
	for (const name of readdirSync(objects).filter(name => /^[0-9a-f]{2}$/.test(name)))
		await rm(join(objects, name), {recursive: true, force: true});
	for (const name of readdirSync(join(objects, 'pack')))
		await rm(join(objects, 'pack', name), {recursive: true, force: true});
};

const damaged = (why: string): HiveError =>
	new HiveError('wrong_status', {
		message: `The git objects that the contained run made cannot be taken over: ${why}.`,
	});

const hasObjects = (objects: string): boolean =>
	readdirSync(objects).some(name => /^[0-9a-f]{2}$/.test(name)) ||
	readdirSync(join(objects, 'pack')).length > 0;

const oid = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

type TakenBranch = TakenOver & {
	/** The commit of the branch, if it moved. */
	readonly commit?: string;
};

const takeBranch = async (git: Git, folder: string, border: Border): Promise<TakenBranch> => {
	const {branch, common} = border;
	if (branch === undefined) return nothing;
	const {ref, commit} = branch;
	const found = await readOwnRef(folder, ref);
	if (found === undefined || found === commit) return nothing;
	if (!(await hasCommits(git, common, [found])))
		return refused(`its branch was not moved: objects of the commit ${found.slice(0, 7)} are missing`);
	const message = 'hive: work of a contained run';
	const moved = await git.attempt(['update-ref', '-m', message, ref, found, commit], {cwd: common});
	if (moved.exitCode !== 0 && (await resolve(git, common, ref)) !== found)
		return refused(
			`its branch was not moved to ${found.slice(0, 7)}, since it moved outside while the run was open`,
		);
	const next: Border = {...border, branch: {ref, commit: found}};
	await writeFile(borderPaths(folder).record, `${JSON.stringify(next)}\n`, {mode: 0o600});
	return {warnings: [], commit: found};
};

const refused = (warning: string): TakenBranch => ({warnings: [warning]});

/** Git removes the file of a ref after it has packed it. */
const readOwnRef = async (folder: string, ref: string): Promise<string | undefined> => {
	const {git} = borderPaths(folder);
	const path = join(git, ref);
	const stats = lstatSync(path, {throwIfNoEntry: false});
	if (stats?.isFile() && stats.size <= 65) {
		const text = (await readFile(path, 'utf8')).trim();
		return oid.test(text) ? text : undefined;
	}
	return (await readPacked(join(git, 'packed-refs'))).get(ref);
};

/** Maximum bytes of packed refs; a longer file was not made by git. */
const maxRefsBytes = 64 * 1024 * 1024;

const readPacked = async (path: string): Promise<ReadonlyMap<string, string>> => {
	const stats = lstatSync(path, {throwIfNoEntry: false});
	if (!stats?.isFile() || stats.size > maxRefsBytes) return new Map();
	const lines = (await readFile(path, 'utf8')).split('\n');
	return new Map(
		lines.flatMap((line): [string, string][] => {
			const [id = '', name] = line.split(' ');
			return oid.test(id) && name !== undefined ? [[name, id]] : [];
		}),
	);
};

/** If the worktree is on a branch that only the run had, it is left at that branch's commit. */
const mendHead = async (git: Git, folder: string, {own, common, branch}: Border): Promise<void> => {
	if (own === undefined) return;
	const head = join(own, 'HEAD');
	const stats = lstatSync(head, {throwIfNoEntry: false});
	if (!stats?.isFile() || stats.size > 1024) return;
	const [, ref] = /^ref: (refs\/heads\/\S+)\n$/.exec(await readFile(head, 'utf8')) ?? [];
	if (ref === undefined || ref === branch?.ref || ref.split('/').includes('..')) return;
	if ((await resolve(git, common, ref)) !== undefined) return;
	const commit = await readOwnRef(folder, ref);
	if (commit === undefined || !(await hasCommits(git, common, [commit]))) return;
	await writeFile(head, `${commit}\n`);
};

/** The refs that the run made or moved beside its branch. They are thrown away with its folder. */
const otherRefs = async (folder: string, {branch}: Border): Promise<readonly string[]> => {
	const {git, refs} = borderPaths(folder);
	const before = await readPacked(refs);
	const packed = [...(await readPacked(join(git, 'packed-refs')))].filter(
		([name, id]) => before.get(name) !== id,
	);
	const loose = looseRefs(git, 'refs');
	return [...new Set([...packed.map(([name]) => name), ...loose])]
		.filter(name => name !== branch?.ref)
		.sort();
};

const maxLooseRefs = 1000;

const looseRefs = (git: string, below: string, found: string[] = []): readonly string[] => {
	if (!isFolder(join(git, below))) return found;
	for (const entry of readdirSync(join(git, below), {withFileTypes: true})) {
		if (found.length >= maxLooseRefs) return found;
		const name = `${below}/${entry.name}`;
		if (entry.isDirectory()) looseRefs(git, name, found);
		else if (entry.isFile()) found.push(name);
	}
	return found;
};

const maxNamed = 5;

const formatLost = (refs: readonly string[]): string => {
	const names = refs.slice(0, maxNamed).map(name => escapeHidden(name.replace(/^refs\/(?:heads\/)?/, '')));
	const more = refs.length > maxNamed ? ` and ${refs.length - maxNamed} more` : '';
	return `it wrote to refs that are not its own, and these were thrown away: ${names.join(', ')}${more}`;
};
