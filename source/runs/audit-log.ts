import type {StoredEvent} from '../domain/event.ts';
import type {Files} from '../ports/files.ts';
import {runDirectory, runPath} from './layout.ts';

/** One line of a run's `events.ndjson`: the envelope as published (docs/rules.md §7). */
type AuditRecord = {
	readonly protocolVersion: 'agent-runtime.v1';
	readonly traceId: string;
	readonly agentId: string;
	readonly seq: number;
	readonly type: string;
	readonly createdAt: string;
	readonly payload: object;
};

export const eventLogPath = (root: string, traceId: string, agentId: string): string =>
	runPath(runDirectory(root, traceId, agentId), 'events');

/**
 * Appends a published event to the log of the run that emitted it. Never creates a run: returns false if
 * there is none. This log is a copy for people, not the truth; `seq` is the event's sequence on the bus.
 */
export const appendAudit = async (files: Files, root: string, event: StoredEvent): Promise<boolean> => {
	const {traceId, agentId, type, payload, at, sequence} = event;
	if (agentId === undefined) return false;
	const directory = runDirectory(root, traceId, agentId);
	if ((await files.size(runPath(directory, 'meta'))) === undefined) return false;
	const record: AuditRecord = {
		protocolVersion: 'agent-runtime.v1',
		traceId,
		agentId,
		seq: sequence,
		type,
		createdAt: at,
		payload,
	};
	await files.append(runPath(directory, 'events'), `${JSON.stringify(record)}\n`);
	return true;
};

/**
 * A line written just before a crash is among the last bytes, this many: room for a few events of any size.
 */
const recent = 1024 * 1024;

/**
 * Appends an event unless it is already there. The process that published it first may have died before its
 * own append.
 */
export const ensureAudit = async (files: Files, root: string, event: StoredEvent): Promise<void> => {
	const path = eventLogPath(root, event.traceId, event.agentId ?? '');
	const size = (await files.size(path)) ?? 0;
	const end = size === 0 ? [] : await files.readBytes(path, Math.max(size - recent, 0), recent);
	if (!Buffer.from(end).includes(`"seq":${event.sequence},"type":`)) await appendAudit(files, root, event);
};
