import {join} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import {exampleRequests, readmeOf, sourcesOf, todoIn} from './views/example-requests.ts';

/** Max bytes of names that are read from git. */
const maxListBytes = 256 * 1024;
/** Max source files that are searched for a note, and max bytes of each. */
const maxSearched = 30;
const maxBytes = 32 * 1024;

/**
 * Reads examples of what a person could ask for in this repository. Costs one listing of git, which is cut,
 * and a few small files. Without a listing they are those of an empty repository.
 */
export const readExamples = async ({
	git,
	files: disk,
	redact = text => text,
	colony: {root},
}: Pick<ActionContext, 'git' | 'files' | 'redact' | 'colony'>): Promise<readonly string[]> => {
	const listed = await git.attempt(['ls-files', '-z'], {cwd: root, maxBytes: maxListBytes});
	// The last name may be cut.
	const tracked = listed.stdout.split('\0').slice(0, -1);
	const isCut = listed.truncated;
	const files = isCut
		? [...(await disk.list(root)).filter(name => !tracked.includes(name)), ...tracked]
		: tracked;
	const read = async (path: string): Promise<string | undefined> => {
		const file = join(root, path);
		try {
			// A link may lead out of the repository.
			if (await disk.isLink(file)) return undefined;
			return redact(Buffer.from(await disk.readBytes(file, 0, maxBytes)).toString());
		} catch {
			return undefined;
		}
	};
	const readme = readmeOf(files);
	return exampleRequests({
		...{files, isCut},
		readme: readme && (await read(readme)),
		todo: await firstTodo(sourcesOf(files).slice(0, maxSearched), read),
	});
};

const firstTodo = async (
	paths: readonly string[],
	read: (path: string) => Promise<string | undefined>,
): Promise<{readonly path: string; readonly text: string} | undefined> => {
	for (const path of paths) {
		const text = todoIn((await read(path)) ?? '');
		if (text !== undefined) return {path, text};
	}
	return undefined;
};
