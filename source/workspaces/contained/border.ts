import {existsSync, readFileSync} from 'node:fs';
import {copyFile, mkdir, rm, writeFile} from 'node:fs/promises';
import {isAbsolute, join, resolve as resolvePath} from 'node:path';
import type {Place} from '../../domain/containment.ts';
import {HiveError} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {resolve} from '../trees/objects.ts';

/** What hive has to know to take over the work of a contained run. */
export type Border = {
	/** The repository's own folder. */
	readonly common: string;
	/** The checkout's folder in it; absent for the root, whose index and HEAD are copies. */
	readonly own?: string;
	/** The branch that the run may move, and where it was; absent for other runs. */
	readonly branch?: {readonly ref: string; readonly commit: string};
};

/** The folders of a run's border, below the folder that hive keeps for it. */
export const borderPaths = (folder: string) => ({
	git: join(folder, 'git'),
	objects: join(folder, 'git/objects'),
	record: join(folder, 'border.json'),
	refs: join(folder, 'packed-refs'),
});

type BorderOf = {
	readonly checkout: string;
	/** The folder that hive keeps for the run; nothing inside the containment can write to it. */
	readonly folder: string;
	/** Full name of the branch that the run may move. */
	readonly ref?: string;
	/** Path at which git inside finds the repository's objects. */
	readonly objectsAt: string;
};

/**
 * Makes the git folder of a contained run (docs/architecture.md §4). It has its own objects, with the
 * repository's as an alternate, and a copy of the refs. Idempotent: a run that goes on keeps its own.
 */
export const makeBorder = async (
	git: Git,
	{checkout, folder, ref, objectsAt}: BorderOf,
): Promise<readonly Place[]> => {
	const {own, common} = await git.folders(checkout);
	const paths = borderPaths(folder);
	if (!existsSync(paths.record)) {
		await rm(paths.git, {recursive: true, force: true});
		await fillBorder(git, {checkout, common, own, paths, objectsAt});
		const commit = ref === undefined ? undefined : await resolve(git, checkout, ref);
		const border: Border = {
			common,
			...(own !== common && {own}),
			...(ref !== undefined && commit !== undefined && {branch: {ref, commit}}),
		};
		if (border.branch) {
			const {ref, commit} = border.branch;
			await mkdir(join(paths.git, ref, '..'), {recursive: true});
			await writeFile(join(paths.git, ref), `${commit}\n`);
		}
		await writeFile(paths.record, `${JSON.stringify(border)}\n`, {mode: 0o600});
	}
	return borderPlaces({checkout, common, own, git: paths.git, objectsAt, exists: existsSync});
};

type Folders = {readonly checkout: string; readonly common: string; readonly own: string};

const fillBorder = async (
	git: Git,
	{
		checkout,
		common,
		own,
		paths,
		objectsAt,
	}: Folders & {readonly paths: ReturnType<typeof borderPaths>; readonly objectsAt: string},
): Promise<void> => {
	if (existsSync(join(common, 'reftable')))
		throw new HiveError('wrong_status', {
			message: `The repository of ${checkout} keeps its refs in the format reftable, which hive cannot contain.`,
			hint: 'Set "contain: off", or "git refs migrate --ref-format=files".',
		});
	const shared = ['hooks', 'info', 'lfs', 'modules'].filter(name => existsSync(join(common, name)));
	for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'worktrees', ...shared])
		await mkdir(join(paths.git, name), {recursive: true});
	if (own !== common) await mkdir(join(paths.git, 'worktrees', own.slice(own.lastIndexOf('/') + 1)));
	const copied = ['HEAD', 'config', 'shallow', 'index'].filter(name => existsSync(join(common, name)));
	const [listed] = await Promise.all([
		git.run(['for-each-ref', '--format=%(objectname) %(refname)'], {cwd: checkout}),
		...copied.map(name => copyFile(join(common, name), join(paths.git, name))),
		writeFile(join(paths.objects, 'info/alternates'), `${[objectsAt, ...alternatesOf(common)].join('\n')}\n`),
	]);
	const refs = listed.split('\n').filter(line => line !== '' && !line.includes(' refs/hive/'));
	const packed = refs.map(line => `${line}\n`).join('');
	await Promise.all([paths.refs, join(paths.git, 'packed-refs')].map(path => writeFile(path, packed)));
};

/** The repository's own alternates, absolute. */
export const alternatesOf = (common: string): readonly string[] => {
	const file = join(common, 'objects/info/alternates');
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8')
		.split('\n')
		.filter(line => line !== '' && !line.startsWith('#'));
	return lines.map(line => (isAbsolute(line) ? line : resolvePath(common, 'objects', line)));
};

/**
 * Git's places inside. The repository's folder is the run's own. Of the real one it can change the index and
 * HEAD of its worktree, but not where that worktree belongs.
 */
export const borderPlaces = ({
	checkout,
	common,
	own,
	git,
	objectsAt,
	exists,
}: Folders & {
	/** The run's own git folder. */
	readonly git: string;
	readonly objectsAt: string;
	/** Whether there is something at a path. */
	readonly exists: (path: string) => boolean;
}): readonly Place[] => {
	const read = (path: string): readonly Place[] => (exists(path) ? [{path, as: 'read'}] : []);
	return [
		{path: common, as: 'write', from: git, after: 'taken over'},
		...['hooks', 'info', 'lfs', 'modules'].flatMap(name => read(join(common, name))),
		{path: objectsAt, as: 'read', from: join(common, 'objects')},
		...alternatesOf(common).flatMap(read),
		...(own === common
			? []
			: [
					{path: own, as: 'write'} as const,
					...['commondir', 'gitdir', 'config.worktree', 'modules'].flatMap(name => read(join(own, name))),
					...read(join(checkout, '.git')),
				]),
	];
};
