import {dirname} from 'node:path';
import type {Files} from '../ports/files.ts';

const chunkBytes = 64 * 1024;

/**
 * What a file that grows holds from an offset on, then what is added, in order, as the file system tells it, until the signal.
 * The file need not be there yet; its folder is made.
 */
export const followFile = async (
	files: Files,
	path: string,
	{offset, signal}: {offset: number; signal: AbortSignal},
	call: (bytes: Uint8Array) => Promise<void>,
): Promise<void> => {
	let wake = (): void => {};
	let changed = true;
	const notice = (): void => {
		changed = true;
		wake();
	};
	files.watch(dirname(path), signal, notice);
	signal.addEventListener('abort', notice, {once: true});
	for (let at = offset; !signal.aborted; ) {
		if (!changed) {
			await new Promise<void>(resolve => {
				wake = resolve;
			});
		}
		changed = false;
		at = await readOn(files, path, at, signal, call);
	}
};

/** Reads to the end that the file has now; where the next reading begins. */
const readOn = async (
	files: Files,
	path: string,
	start: number,
	signal: AbortSignal,
	call: (bytes: Uint8Array) => Promise<void>,
): Promise<number> => {
	const end = (await files.size(path)) ?? 0;
	let at = start;
	while (at < end && !signal.aborted) {
		const bytes = await files.readBytes(path, at, Math.min(chunkBytes, end - at));
		if (bytes.length === 0) break;
		at += bytes.length;
		await call(bytes);
	}
	return at;
};
