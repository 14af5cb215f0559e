import {join} from 'node:path';
import {findProject, type Project, projectFiles} from '../colony/scaffold/find-project.ts';
import {type Files, maxConfigurationBytes} from '../ports/files.ts';

/**
 * Finds how the project is tested. Only regular files at the root count, since a link could lead anywhere.
 */
export const readProject = async (files: Files, root: string): Promise<Project> => {
	const names = new Set(await files.list(root));
	/** A folder of that name, or a file that cannot be read, names no command. */
	const readText = (path: string) => files.read(path).catch(() => undefined);
	const texts = new Map<string, string>();
	for (const name of projectFiles) {
		const path = join(root, name);
		const size = names.has(name) && !(await files.isLink(path)) ? await files.size(path) : undefined;
		if (size !== undefined && size <= maxConfigurationBytes) texts.set(name, (await readText(path)) ?? '');
	}
	return findProject(names, name => texts.get(name) ?? '');
};
