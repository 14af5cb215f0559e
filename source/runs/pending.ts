import {createHash} from 'node:crypto';
import type {HiveEvent} from '../domain/event.ts';
import {isEventId} from '../domain/ids.ts';
import {parseObject} from '../domain/json.ts';
import type {Files} from '../ports/files.ts';
import {runPath} from './layout.ts';

/** One deferred event of a run, as read from its line. Any program may have written the line. */
export type PendingEvent = {
	/** Stable id under which the event is published, however often that is tried. */
	readonly id: string;
	/** When it was queued; empty if the line does not contain it. */
	readonly createdAt: string;
	/** The envelope to validate; undefined if the line is not a JSON object. */
	readonly raw: object | undefined;
	/** Empty if there is none. */
	readonly kind: string;
};

/** Appends an admitted event to its run's queue. */
export const appendPending = (
	files: Files,
	directory: string,
	{traceId, agentId, type, payload}: HiveEvent,
	{id, createdAt}: {id: string; createdAt: string},
): Promise<void> =>
	appendLine(files, directory, {
		protocolVersion: 'agent-runtime.v1',
		id,
		traceId,
		agentId,
		seq: 0,
		type,
		createdAt,
		payload,
	});

/** Returns the pending events, oldest first. */
export const readPending = async (files: Files, directory: string): Promise<readonly PendingEvent[]> =>
	(await readOpenLines(files, directory)).map(({pending}) => pending);

/**
 * Records that these events are no longer pending. It appends lines and removes none, since the run may be
 * queueing at this moment. `compactPending` removes them when the run is over.
 */
export const acknowledgePending = async (
	files: Files,
	directory: string,
	ids: readonly string[],
): Promise<void> => {
	for (const id of ids) await appendLine(files, directory, {settled: id});
};

/**
 * Keeps only the pending lines. Use it only for a run that is over: lines written meanwhile would be lost.
 */
export const compactPending = async (files: Files, directory: string): Promise<void> => {
	const path = runPath(directory, 'pending');
	if (!(await files.size(path))) return;
	const open = await readOpenLines(files, directory);
	await files.write(path, open.map(({line}) => `${line}\n`).join(''));
};

const appendLine = (files: Files, directory: string, record: object): Promise<void> =>
	files.append(runPath(directory, 'pending'), `${JSON.stringify(record)}\n`);

const readOpenLines = async (files: Files, directory: string) => {
	const text = (await files.read(runPath(directory, 'pending'))) ?? '';
	const lines = text.split('\n').filter(line => line.trim() !== '');
	const records = lines.map(line => ({line, record: parseObject(line)}));
	const acknowledged = new Set(records.map(({record}) => record?.settled));
	return records
		.filter(({record}) => record?.settled === undefined)
		.map(({line, record}) => ({line, pending: pendingOf(line, record)}))
		.filter(({pending}) => !acknowledged.has(pending.id));
};

const pendingOf = (line: string, record: Readonly<Record<string, unknown>> | undefined): PendingEvent => {
	const {id, createdAt, protocolVersion: _, seq: __, ...raw} = record ?? {};
	const {kind}: Record<string, unknown> = {...Object(raw.payload)};
	return {
		id: isEventId(id) ? id : createHash('sha256').update(line).digest('hex').slice(0, 28),
		createdAt: typeof createdAt === 'string' ? createdAt : '',
		raw: record === undefined ? undefined : raw,
		kind: typeof kind === 'string' ? kind : '',
	};
};
