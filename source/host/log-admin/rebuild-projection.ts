import {dirname} from 'node:path';
import type {Trace} from '../../domain/trace.ts';
import {catchUp, loadTrace, openLedger} from '../../ledger/ledger.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Files} from '../../ports/files.ts';
import {projectTrace} from '../../runs/projection.ts';

/** Number of traces, and of tasks, with files that were missing or differed from the log. */
export type Rebuilt = {readonly traces: number; readonly tasks: number};

/** Rebuilds the projection of every trace (docs/reliability.md I11). It may run beside a reactor. */
export const rebuildProjection = async ({
	bus,
	files,
	colony,
}: {
	readonly bus: Bus;
	readonly files: Files;
	readonly colony: {readonly root: string};
}): Promise<Rebuilt> => {
	let traces = 0;
	let tasks = 0;
	for (const traceId of (await openLedger(bus)).traces().keys()) {
		const written = await rebuildTrace(bus, files, colony.root, traceId);
		if (written > 0) traces++;
		tasks += written;
	}
	return {traces, tasks};
};

/** Returns how many of its tasks had files to write. */
const rebuildTrace = async (bus: Bus, files: Files, root: string, traceId: string): Promise<number> =>
	(await copyTrace({bus, files, root}, await loadTrace(bus, traceId), undefined)).tasks;

type Copying = {readonly bus: Bus; readonly files: Files; readonly root: string};

/**
 * Writes the files of a trace from the log, until the log has nothing newer, since another process may write
 * them too.
 *
 * @param known any snapshot of it
 * @param copied a snapshot that the files are at least as new as; undefined if not known
 * @returns the newest snapshot, and how many of its tasks had files to write
 */
export const copyTrace = async (
	{bus, files, root}: Copying,
	known: Trace,
	copied: Trace | undefined,
): Promise<{readonly trace: Trace; readonly tasks: number}> => {
	const written = new Set<string>();
	const write: Files['write'] = async (path, text) => {
		if ((await files.read(path)) === text) return;
		await files.write(path, text);
		written.add(dirname(path));
	};
	for (let trace = known; ; ) {
		trace = await catchUp(bus, trace);
		await projectTrace({...files, write}, root, copied, trace);
		// If the log has grown, a reactor may have written newer files meanwhile, so write again.
		if ((await bus.last(trace.traceId)) === trace.sequence) return {trace, tasks: written.size};
	}
};
