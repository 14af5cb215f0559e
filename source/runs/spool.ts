import type {Refusal} from '../domain/errors.ts';
import {runDirectory, runPath} from './layout.ts';

export type RunName = {readonly traceId: string; readonly agentId: string};

/** One event in a spool, by the name of its file. */
export type SpooledName = {
	/** The id under which the event is published, however often that is tried. */
	readonly id: string;
	/** True if it shall be published when the run succeeds. */
	readonly defer: boolean;
};

/** An event from a spool. Its text is undefined if it is too large. */
export type SpooledEvent = SpooledName & {readonly text: string | undefined};

/**
 * Emits the event as the run would have, and records a refusal. Idempotent: the same id is the same event.
 */
export type EmitSpooled = (run: RunName, event: SpooledEvent) => Promise<Refusal | undefined>;

/** Returns the file name. Names sort in the order in which the events were queued. */
export const spooledName = ({id, defer}: SpooledName): string => `${id}.${defer ? 'defer' : 'emit'}`;

/**
 * Parses a file name; undefined for another form. The id must have the form of `IdSource.event`, so no file
 * can take the id of an event that the runtime emits.
 */
export const readSpooledName = (name: string): SpooledName | undefined => {
	const [, id, way] = /^([0-9a-f]{28})\.(emit|defer)$/.exec(name) ?? [];
	return id === undefined ? undefined : {id, defer: way === 'defer'};
};

/** Returns the absolute path of a run's spool. */
export const spoolOf = (root: string, {traceId, agentId}: RunName): string =>
	runPath(runDirectory(root, traceId, agentId), 'spool');
