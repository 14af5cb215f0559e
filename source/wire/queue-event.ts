import {join} from 'node:path';
import {HiveError} from '../domain/errors.ts';
import {isName} from '../domain/ids.ts';
import {parseObject} from '../domain/json.ts';
import {canWrite} from '../drivers/can-write.ts';
import type {EmitAnswer} from '../host/emit/answer-emit.ts';
import type {QueuedEvent, Surroundings} from '../host/host.ts';
import {maxSpooledBytes, maxSpooledEvents} from '../ports/spool.ts';
import {readSpooledName, spooledName, spoolOf} from '../runs/spool.ts';
import {ids, spool} from './drivers.ts';
import {findFolder} from './find-folder.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';

/**
 * Leaves an event in the spool of the run around this process, if a sandbox blocks access to the log
 * (docs/rules.md §5). Returns undefined outside of a run and without a sandbox. Throws `invalid_json`,
 * `event_too_large`, `too_many_events` while the spool is full, `bus_unreachable` if it cannot be written,
 * and the errors of finding the colony.
 */
export const queueEvent = async (
	{env, cwd}: Pick<Surroundings, 'env' | 'cwd'>,
	{text, id = ids.event(), defer, agent}: QueuedEvent,
): Promise<EmitAnswer | undefined> => {
	const root = env.HIVE_COLONY_ROOT || (await findRoot(cwd));
	// `hive init` has written this file.
	if (canWrite(join(await findFolder(env, root), 'place'))) return undefined;
	const run = await findInsideRun(env, root);
	if (run === undefined || !isName(run.traceId) || !isName(run.agentId)) return undefined;
	const folder = spoolOf(root, run);
	const waiting = spool.list(folder, name => readSpooledName(name) !== undefined);
	if (waiting === undefined) return undefined;
	const event = readEvent(await text(), agent);
	const queued = textOf(event);
	if (waiting.names.length >= maxSpooledEvents) throw new HiveError('too_many_events', full);
	try {
		spool.add(folder, spooledName({id, defer}), queued);
	} catch (cause) {
		const message = `The sandbox keeps this run from the log, and from its spool ${folder} too: ${cause}`;
		throw new HiveError('bus_unreachable', {message, hint: 'Let it write to that folder.', cause});
	}
	const {traceId = run.traceId, type = '', payload} = event;
	const {kind = ''}: {readonly kind?: unknown} = {...Object(payload)};
	const answer = {traceId, type, kind, id, spoolPath: folder, warnings: [queuedMessage]};
	return {exit: 0, json: {ok: true, queued: true, ...answer}};
};

type Fields = {
	readonly agentId?: unknown;
	readonly traceId?: unknown;
	readonly type?: unknown;
	readonly payload?: unknown;
};

const readEvent = (text: string, agent: string | undefined): Fields => {
	const event: Fields | undefined = parseObject(text);
	if (event === undefined) throw new HiveError('invalid_json');
	return agent === undefined ? event : {agentId: agent, ...event};
};

/** Returns the event as JSON, without white space between its parts. */
const textOf = (event: Fields): string => {
	const text = JSON.stringify(event);
	if (Buffer.byteLength(text) > maxSpooledBytes) throw new HiveError('event_too_large');
	return text;
};

const queuedMessage =
	'The sandbox keeps this run from the log. The event is queued, and the reactor checks it. A refusal is noted in the trace.';

const full = {
	message: `${maxSpooledEvents} events of this run wait to be read.`,
	hint: 'They are read while a reactor is alive: start one with "hive run", or wait.',
};
