import type {Detail} from '../domain/errors.ts';
import {eventTypes, type HiveEvent} from '../domain/event.ts';
import {kindRule, knownKinds} from '../domain/event-kinds.ts';
import {hasSameLetters, nearestName} from '../domain/nearest.ts';
import {planDrafts, unknownFields} from '../domain/plan.ts';
import type {Trace} from '../domain/trace.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the problems of an event, with a hint for each that a frequent mistake causes. */
export const explainMistakes = (raw: object, details: readonly Detail[]): Detail[] =>
	details.map(detail => {
		const hint = detail.hint ?? hintFor(raw, detail.path);
		return hint === undefined ? detail : {...detail, hint};
	});

/** Returns warnings about an event that may be published. */
export const warningsFor = (trace: Trace, {agentId, payload}: HiveEvent): string[] => {
	const {kind, tasks} = payload;
	const near = kindRule(kind) === undefined ? nearestName(kind, knownKinds()) : undefined;
	return [
		...(near === undefined ? [] : [`"${kind}" is no kind that hive knows. Did you mean "${near}"?`]),
		...(agentId === undefined || trace.runs.has(agentId)
			? []
			: [`"${agentId}" is no run of ${trace.traceId}, so no run's event log has the event.`]),
		...(kind === 'task.plan' ? unknownFields(planDrafts(tasks)) : []),
	];
};

const hintFor = (raw: object, path: string): string | undefined => {
	const {type, kind, payload}: Fields = {...raw};
	if (path === 'type') return hintForType(type);
	if (path === 'traceId' && !Object.hasOwn(raw, 'traceId'))
		return 'Inside a run it is filled in; elsewhere name a trace, or set HIVE_TRACE_ID.';
	if (path === 'payload' && typeof payload === 'string')
		return 'Pass the payload as an object, not as a text that holds one.';
	if (path === 'payload' || path === 'payload.kind')
		return typeof kind === 'string' ? 'Put "kind" inside "payload".' : undefined;
	return hintForField(raw, path);
};

const hintForType = (type: unknown): string | undefined => {
	const meant = eventTypes.find(known => typeof type === 'string' && known === type.trim().toUpperCase());
	return meant === undefined ? undefined : `Use "type": "${meant}".`;
};

/**
 * Returns a hint if the field has a similar name, is in another place, or has one value in place of a list.
 */
const hintForField = (raw: object, path: string): string | undefined => {
	const names = path.split('.');
	const field = names.at(-1) ?? '';
	const parent = names.slice(0, -1).reduce<unknown>((value, name) => fieldsOf(value)[name], raw);
	const siblings = fieldsOf(parent);
	const value = siblings[field];
	if (field === 'dependsOn' && typeof value === 'string') return `Write a list: ["${value}"].`;
	if (value !== undefined) return undefined;
	const similar = Object.keys(siblings).find(name => hasSameLetters(name, field));
	if (similar !== undefined) return `"${similar}" is written "${field}".`;
	return names.length === 2 && Object.hasOwn(raw, field) ? `Put "${field}" inside "payload".` : undefined;
};

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? {...value} : {});
