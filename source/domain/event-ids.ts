import type {HiveEvent} from './event.ts';
import {knownKinds} from './event-kinds.ts';
import {isName, isTaskId} from './ids.ts';

/** Fields of a payload that hold an id, with the check for each (docs/rules.md §10). */
const idFields: Readonly<Record<string, (id: string) => boolean>> = {
	agentId: isName,
	inviteId: isName,
	questionId: isName,
	replaces: isName,
	taskId: isTaskId,
	gate: isTaskId,
	reworks: isTaskId,
};

const known: ReadonlySet<string> = new Set(knownKinds());

/**
 * Describes the first bad id of an event; `undefined` if all are valid. The log refuses events with a bad id,
 * and they are never folded. Paths and refs are made from ids (docs/reliability.md I13). The payload of a
 * colony's own kind has none of hive's ids.
 */
export const badIdMessage = ({traceId, agentId, payload}: HiveEvent): string | undefined => {
	if (!isName(traceId)) return formatBadId('traceId', traceId);
	if (agentId !== undefined && !isName(agentId)) return formatBadId('agentId', agentId);
	return known.has(payload.kind) ? findBadId(payload) : undefined;
};

/** The fold treats an empty id, and a value that is not text, as absent. */
const findBadId = (fields: Readonly<Record<string, unknown>>): string | undefined => {
	for (const [field, isGood] of Object.entries(idFields)) {
		const id = fields[field];
		if (typeof id === 'string' && id !== '' && !isGood(id)) return formatBadId(field, id);
	}
	const {dependsOn, tasks} = fields;
	const needed = asList(dependsOn).find(id => typeof id === 'string' && !isTaskId(id));
	if (needed !== undefined) return formatBadId('dependsOn', String(needed));
	for (const task of asList(tasks)) {
		const bad = findBadId({...Object(task), tasks: undefined});
		if (bad !== undefined) return bad;
	}
	return undefined;
};

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Maximum number of characters shown of a bad id. */
const maxShownLength = 64;

const formatBadId = (field: string, id: string): string =>
	`the ${field} ${JSON.stringify(id.slice(0, maxShownLength))} is not an id`;
