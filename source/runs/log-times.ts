import type {Files} from '../ports/files.ts';
import {runPath} from './layout.ts';
import {createLogReader} from './read-log.ts';

/**
 * Returns when the log had grown to `end` bytes: ISO 8601, to the second; undefined if unknown. Call it in
 * the order of the log.
 */
export type LogTimes = (end: number) => Promise<string | undefined>;

/** Max bytes of notes to read: more means months of output without a pause. */
const maxReadBytes = 64 * 1024 * 1024;
const maxNoteLength = 32;
const form = /^(\d{1,15}) (\d{1,11})$/;

type Note = {readonly size: number; readonly at: string};

/**
 * The times that a run's supervisor noted beside its log (docs/architecture.md §4), read only as far as
 * needed. Output without a note yet has the time of the log's last write. Malformed notes are skipped. If the
 * file of notes cannot be read, all times are unknown.
 */
export const createLogTimes = (files: Files, directory: string, stream: 'stdout' | 'stderr'): LogTimes => {
	const [log, path] = [runPath(directory, stream), runPath(directory, `${stream}Times`)];
	const reader = createLogReader(files, path);
	let notes: readonly Note[] = [];
	let next = 0;
	let newest = noteOf(0, 0);
	let torn = '';
	let read = 0;
	let isKnown: boolean | undefined;

	const parseNotes = (bytes: Uint8Array): void => {
		const lines = (torn + Buffer.from(bytes).toString('latin1')).split('\n');
		torn = (lines.pop() ?? '').slice(0, maxNoteLength);
		notes = lines.flatMap(readNote);
		next = 0;
		read += bytes.length;
	};
	const findNote = (end: number): Note | undefined => {
		while ((notes[next]?.size ?? end) < end) next++;
		return notes[next] ?? (end <= newest.size ? newest : undefined);
	};
	const readNotes = async (end: number): Promise<Note | undefined> => {
		for await (const bytes of reader.added()) {
			parseNotes(bytes);
			isKnown = read <= maxReadBytes;
			if (!isKnown) return undefined;
			const found = findNote(end);
			if (found) return found;
		}
		const size = (await files.size(log)) ?? 0;
		newest = noteOf(size, Math.floor(((await files.writtenAt(log)) ?? 0) / 1000));
		return findNote(end);
	};
	return async end => {
		try {
			// The file exists before the first byte of the log, or never.
			isKnown ??= (await files.size(path)) !== undefined;
			if (!isKnown) return undefined;
			return (findNote(end) ?? (await readNotes(end)))?.at;
		} catch {
			isKnown = false;
			return undefined;
		}
	};
};

const readNote = (line: string): readonly Note[] => {
	const [, size, seconds] = form.exec(line) ?? [];
	return size === undefined ? [] : [noteOf(Number(size), Number(seconds))];
};

const noteOf = (size: number, seconds: number): Note => ({size, at: new Date(seconds * 1000).toISOString()});
