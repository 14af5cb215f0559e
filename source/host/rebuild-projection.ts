import {dirname} from 'node:path';
import {loadTrace, openLedger} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';
import type {Files} from '../ports/files.ts';
import {projectTrace} from '../runs/projection.ts';

/** How many traces, and tasks of them, had files that were missing or not as the log has them. */
export type Rebuilt = {readonly traces: number; readonly tasks: number};

/** Makes the projection of every trace again (docs/reliability.md I11). It may run beside a reactor. */
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

/** How many of its tasks had files to be written. */
const rebuildTrace = async (bus: Bus, files: Files, root: string, traceId: string): Promise<number> => {
	const written = new Set<string>();
	const write: Files['write'] = async (path, text) => {
		if ((await files.read(path)) === text) return;
		await files.write(path, text);
		written.add(dirname(path));
	};
	for (;;) {
		const trace = await loadTrace(bus, traceId);
		await projectTrace({...files, write}, root, undefined, trace);
		// What a reactor wrote meanwhile was newer.
		if ((await bus.last(traceId)) === trace.sequence) return written.size;
	}
};
