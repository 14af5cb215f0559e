import type {HiveEvent} from './event.ts';
import {knownKinds} from './event-kinds.ts';
import {isName, isTaskId} from './ids.ts';

/** Fields of a payload that hold an id, with the rule of each (docs/rules.md §10). */
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
 * What is wrong with the ids of an event, in words; nothing where all are good. Events with a bad id are
 * refused by the log and never folded: paths and refs are made of ids (docs/reliability.md I13). The payload
 * of a colony's own kind has no ids of hive's.
 */
export const badIdIn = ({traceId, agentId, payload}: HiveEvent): string | undefined => {
	if (!isName(traceId)) return wordsOf('traceId', traceId);
	if (agentId !== undefined && !isName(agentId)) return wordsOf('agentId', agentId);
	return known.has(payload.kind) ? badIdOf(payload) : undefined;
};

/** The fold takes an empty id, and a value that is no text, for none. */
const badIdOf = (fields: Readonly<Record<string, unknown>>): string | undefined => {
	for (const [field, isGood] of Object.entries(idFields)) {
		const id = fields[field];
		if (typeof id === 'string' && id !== '' && !isGood(id)) return wordsOf(field, id);
	}
	const {dependsOn, tasks} = fields;
	const needed = listOf(dependsOn).find(id => typeof id === 'string' && !isTaskId(id));
	if (needed !== undefined) return wordsOf('dependsOn', String(needed));
	for (const task of listOf(tasks)) {
		const bad = badIdOf({...Object(task), tasks: undefined});
		if (bad !== undefined) return bad;
	}
	return undefined;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Characters of a bad id that are shown. */
const shown = 64;

const wordsOf = (field: string, id: string): string =>
	`the ${field} ${JSON.stringify(id.slice(0, shown))} is not an id`;
