import type {Colony} from '../colony/colony.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import type {Bus} from '../ports/bus.ts';
import type {Failpoint} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import {writeNewest} from '../runs/newest-event.ts';
import {projectTrace} from '../runs/projection.ts';

/** Keeps the file projection up to date. Changes since the last flush are written together. */
export type Projector = {
	readonly changed: (trace: Trace) => void;
	/** Notes that the traces have this event folded. */
	readonly reached: (event: StoredEvent) => void;
	readonly flush: () => Promise<void>;
	/** Forgets what was written of this trace, so that its next change writes all of it. */
	readonly forget: (traceId: string) => void;
};

type ProjectorPorts = {
	readonly bus: Pick<Bus, 'address'>;
	readonly files: Files;
	readonly colony: () => Colony;
	readonly checkout: string;
	readonly failpoint: Failpoint;
};

export const createProjector = ({bus, files, colony, checkout, failpoint}: ProjectorPorts): Projector => {
	const projected = new Map<string, Trace>();
	const pending = new Map<string, Trace>();
	let newest: StoredEvent | undefined;
	let named: StoredEvent | undefined;
	return {
		changed: trace => {
			pending.set(trace.traceId, trace);
		},
		reached: event => {
			if (event.sequence > (newest?.sequence ?? 0)) newest = event;
		},
		forget: traceId => {
			projected.delete(traceId);
		},
		flush: async () => {
			const reached = newest;
			for (const [traceId, trace] of pending) {
				failpoint('projection.due');
				await projectTrace(files, colony().root, projected.get(traceId), trace);
				failpoint('projection.written');
				projected.set(traceId, trace);
				if (pending.get(traceId) === trace) pending.delete(traceId);
			}
			if (reached === undefined || reached === named) return;
			await writeNewest(files, {root: colony().root, checkout}, reached, bus.address);
			named = reached;
		},
	};
};
