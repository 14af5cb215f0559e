import {join} from 'node:path';
import {emptyTrace, type Trace} from '../../domain/trace.ts';
import {Draft} from '../../ledger/draft.ts';
import {foldInto, reduce} from '../../ledger/reduce.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Files} from '../../ports/files.ts';
import {traceDirectory} from '../../runs/layout.ts';
import {projectTrace} from '../../runs/projection.ts';

/** The expected files of a trace, by path, for what changed since an earlier snapshot of it. */
const filesOf = async (
	files: Files,
	root: string,
	before: Trace | undefined,
	after: Trace,
): Promise<ReadonlyMap<string, string>> => {
	const written = new Map<string, string>();
	const write: Files['write'] = async (path, text) => void written.set(path, text);
	await projectTrace({...files, write, remove: async () => {}}, root, before, after);
	return written;
};

export type FilesCheck = {
	readonly files: Files;
	readonly bus: Pick<Bus, 'read'>;
	readonly root: string;
	/** Sequence up to which the files of all traces have been written, at least; 0 if not known. */
	readonly newest: number;
};

/**
 * Finds files below `.hive/runs/<trace>/tasks` that match the log neither now nor at any moment since they
 * were written. A reactor may be writing them, or none has run since. A trace without such a folder here has
 * none.
 *
 * @returns how many were checked, and the absolute paths of those that are wrong
 */
export const verifyFiles = async (
	check: FilesCheck,
	trace: Trace,
): Promise<{readonly count: number; readonly wrong: readonly string[]}> => {
	const {files, root} = check;
	const {traceId, purged} = trace;
	const tasks = join(traceDirectory(root, traceId), 'tasks');
	if (purged !== undefined || (await files.list(tasks)).length === 0) return {count: 0, wrong: []};
	const expected = await filesOf(files, root, undefined, trace);
	const suspects = new Map<string, string | undefined>();
	for (const [path, text] of expected) {
		const found = await readAnything(files, path);
		if (found !== text) suspects.set(path, found);
	}
	const wrong = suspects.size === 0 ? [] : await neverSo(check, traceId, suspects);
	return {count: expected.size, wrong};
};

/** Undefined also if something else is in the place of a file. */
const readAnything = (files: Files, path: string): Promise<string | undefined> =>
	files.read(path).catch(() => undefined);

/** The paths whose found content matched no moment since the newest event. */
const neverSo = async (
	{files, bus, root, newest}: FilesCheck,
	traceId: string,
	found: ReadonlyMap<string, string | undefined>,
): Promise<string[]> => {
	const left = new Map(found);
	const known = new Set<string>();
	let before: Trace | undefined;
	const compare = async (after: Trace): Promise<Trace> => {
		const written = await filesOf(files, root, before, after);
		for (const [path, text] of written) {
			known.add(path);
			if (left.get(path) === text) left.delete(path);
		}
		// A file that did not exist yet at that moment is rightly missing.
		for (const [path, text] of left) if (text === undefined && !known.has(path)) left.delete(path);
		before = after;
		return after;
	};
	const draft = new Draft(emptyTrace(traceId));
	let trace: Trace | undefined;
	for await (const events of bus.read({traceId, after: 0}))
		for (const event of events) {
			if (event.sequence <= newest) foldInto(draft, event);
			else trace = await compare(reduce(trace ?? (await compare(draft.trace)), event));
		}
	if (trace === undefined) await compare(draft.trace);
	return [...left.keys()];
};
