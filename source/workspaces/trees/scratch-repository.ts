import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../../ports/git.ts';

/** Environment of a git that compares objects by their content alone. */
export type ObjectsAlone = Readonly<Record<'GIT_DIR' | 'GIT_OBJECT_DIRECTORY' | 'GIT_ATTR_NOSYSTEM', string>>;

/** Options before the command, so that a person's own settings hide no content. */
export const contentAlone = [
	...['core.attributesFile=/dev/null', 'diff.suppressBlankEmpty=false', 'core.bigFileThreshold=512m'],
].flatMap(setting => ['-c', setting]);

/**
 * Calls `work` with an empty repository that has the objects of this one. So nothing outside of a tree
 * affects the comparison: no settings, `info/attributes`, replaced objects, grafts or shallow border.
 */
export const withObjectsAlone = <Value>(
	git: Git,
	cwd: string,
	work: (env: ObjectsAlone) => Promise<Value>,
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
		});
	});
