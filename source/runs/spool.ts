import type {Refusal} from '../domain/errors.ts';
import {runDirectory, runPath} from './layout.ts';

export type RunName = {readonly traceId: string; readonly agentId: string};

/** One event in a spool, as its file is called. */
export type SpooledName = {
	/** The event is published under it, however often that is tried. */
	readonly id: string;
	/** It is to be published when the run ends well. */
	readonly defer: boolean;
};

/** An event from a spool, as its file has it; without a text it is too large. */
export type SpooledEvent = SpooledName & {readonly text: string | undefined};

/**
 * Emits it as the run would have, and notes why it is refused. May be repeated: the same id is the same
 * event.
 */
export type EmitSpooled = (run: RunName, event: SpooledEvent) => Promise<Refusal | undefined>;

/** Names sort as their events were queued. */
export const spooledName = ({id, defer}: SpooledName): string => `${id}.${defer ? 'defer' : 'emit'}`;

/**
 * Nothing for a name of another form. The id has the form of `IdSource.event`: no file can take that of what
 * the runtime says.
 */
export const readSpooledName = (name: string): SpooledName | undefined => {
	const [, id, way] = /^([0-9a-f]{28})\.(emit|defer)$/.exec(name) ?? [];
	return id === undefined ? undefined : {id, defer: way === 'defer'};
};

/** Absolute. */
export const spoolOf = (root: string, {traceId, agentId}: RunName): string =>
	runPath(runDirectory(root, traceId, agentId), 'spool');
