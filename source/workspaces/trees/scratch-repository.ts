import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../../ports/git.ts';

/** Environment of a git that compares objects by their content alone. */
export type ObjectsAlone = Readonly<Record<'GIT_DIR' | 'GIT_OBJECT_DIRECTORY' | 'GIT_ATTR_NOSYSTEM', string>>;

/** Options before the command, so that a person's own settings hide no content. */
export const contentAlone = [
	...['core.attributesFile=/dev/null', 'diff.suppressBlankEmpty=false', 'core.bigFileThreshold=512m'],
].flatMap(setting => ['-c', setting]);

/** Environment of a git that writes its objects into a folder that is deleted afterwards. */
export type ScratchObjects = Readonly<Record<'GIT_OBJECT_DIRECTORY', string>>;

/** Calls `work` with an environment in which new objects last as long as the call. */
export const withScratchObjects = <Value>(
	git: Git,
	cwd: string,
	work: (env: ScratchObjects) => Promise<Value>,
): Promise<Value> =>
	git.withScratch(cwd, async folder => {
		const {common} = await git.folders(cwd);
		const objects = join(folder, 'objects');
		await mkdir(join(objects, 'info'), {recursive: true});
		await writeFile(join(objects, 'info', 'alternates'), `${join(common, 'objects')}\n`);
		return work({GIT_OBJECT_DIRECTORY: objects});
	});

/**
 * Calls `work` with an empty repository that has the objects of this one. So nothing outside of a tree
 * affects the comparison: no settings, `info/attributes`, replaced objects, grafts or shallow border.
 *
 * @param objects the objects to compare; by default those of the repository
 */
export const withObjectsAlone = <Value>(
	git: Git,
	cwd: string,
	work: (env: ObjectsAlone) => Promise<Value>,
	objects?: ScratchObjects,
): Promise<Value> =>
	git.withScratch(cwd, async folder => {
		const [{common}, settings] = await Promise.all([git.folders(cwd), git.settings(cwd)]);
		const format = settings.find(({key}) => key === 'extensions.objectformat')?.value;
		const lines = [
			'[core]\n\tbare = true',
			...(format === 'sha256'
				? ['\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256']
				: ['\trepositoryFormatVersion = 0']),
		];
		await Promise.all([
			mkdir(join(folder, 'refs')),
			mkdir(join(folder, 'info')),
			writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n'),
			writeFile(join(folder, 'config'), `${lines.join('\n')}\n`),
		]);
		return work({
			...{GIT_DIR: folder, GIT_OBJECT_DIRECTORY: join(common, 'objects'), GIT_ATTR_NOSYSTEM: '1'},
			...objects,
		});
	});
