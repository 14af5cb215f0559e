import {constants} from 'node:fs';
import {open, realpath} from 'node:fs/promises';
import path from 'node:path';

/** Maximum size of a file that is read for an agent, in bytes. */
const maxFileBytes = 16 * 1024 * 1024;

export class RefusedFile extends Error {}

/**
 * Serves the files of a workspace to an agent. Links are followed first, so a link cannot lead outside.
 *
 * @param workspace absolute
 * @param result one more file that may be written, absolute: the result of the run
 */
export const createWorkspaceFiles = (workspace: string, result?: string) => {
	/** The real path, also of a file that is not there yet. */
	const resolve = async (name: string): Promise<string> => {
		if (!path.isAbsolute(name)) throw new RefusedFile(`${name} is no absolute path`);
		const missing: string[] = [];
		for (let at = path.normalize(name); ; at = path.dirname(at)) {
			const real = await realpath(at).catch(() => undefined);
			if (real !== undefined) return path.join(real, ...missing);
			missing.unshift(path.basename(at));
		}
	};
	const isInside = async (name: string): Promise<boolean> => {
		try {
			const inside = path.relative(await realpath(workspace), await resolve(name));
			return !path.isAbsolute(inside) && inside !== '..' && !inside.startsWith(`..${path.sep}`);
		} catch {
			return false;
		}
	};
	const allowed = async (name: string, mayBeResult: boolean): Promise<string> => {
		if (await isInside(name)) return resolve(name);
		const isResult = mayBeResult && result !== undefined && (await resolve(name)) === (await resolve(result));
		if (isResult) return resolve(name);
		throw new RefusedFile(`${name} is outside the workspace`);
	};
	// A link in the place of the file, made since, is not followed. A pipe must not block.
	const safe = constants.O_NOFOLLOW | constants.O_NONBLOCK;
	return {
		isInside,
		/** @param lines the first line, from 1, and the number of lines; absent: all */
		read: async (
			name: string,
			lines: {from?: number | null; count?: number | null} = {},
		): Promise<string> => {
			const file = await open(await allowed(name, false), constants.O_RDONLY | safe);
			try {
				const stats = await file.stat();
				if (!stats.isFile()) throw new RefusedFile(`${name} is no file`);
				if (stats.size > maxFileBytes) throw new RefusedFile(`${name} has more than ${maxFileBytes} bytes`);
				const text = await file.readFile('utf8');
				const from = Math.max(0, (lines.from ?? 1) - 1);
				if (from === 0 && lines.count == null) return text;
				return text
					.split('\n')
					.slice(from, lines.count == null ? undefined : from + lines.count)
					.join('\n');
			} finally {
				await file.close();
			}
		},
		write: async (name: string, content: string): Promise<void> => {
			const flags = constants.O_WRONLY | constants.O_CREAT | safe;
			const file = await open(await allowed(name, true), flags, 0o666);
			try {
				if (!(await file.stat()).isFile()) throw new RefusedFile(`${name} is no file`);
				await file.truncate(0);
				await file.writeFile(content);
			} finally {
				await file.close();
			}
		},
	};
};
