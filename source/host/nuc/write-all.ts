import {join} from 'node:path';
import type {Files} from '../../ports/files.ts';

/** Writes texts by root-relative path. If one cannot be written, the earlier ones are restored. */
export const writeAllOrNothing = async (
	files: Files,
	root: string,
	texts: ReadonlyMap<string, string>,
): Promise<void> => {
	const before: {path: string; text: string | undefined}[] = [];
	try {
		for (const [relative, text] of texts) {
			const path = join(root, relative);
			before.push({path, text: await files.read(path)});
			await files.write(path, text);
		}
	} catch (error) {
		for (const {path, text} of before.reverse()) {
			if (text === undefined) await files.remove(path);
			else if ((await files.read(path)) !== text) await files.write(path, text);
		}
		throw error;
	}
};
