import * as z from 'zod/mini';
import {describeIssues} from './describe-issues.ts';
import {accepted, type Detail, type Outcome, refuse} from './errors.ts';
import {eventTypes, type HiveEvent} from './event.ts';
import {kindRule} from './event-kinds.ts';
import {planDrafts, planProblems} from './plan.ts';
import {expected, id, text} from './shapes.ts';

const kind = text.check(
	z.minLength(1, {error: 'required'}),
	z.maxLength(128, {error: 'must be at most 128 characters'}),
);
const envelope = z.object(
	{
		traceId: id,
		agentId: z.optional(id),
		type: z.enum(eventTypes, {error: expected(`one of ${eventTypes.join(', ')}`)}),
		payload: z.looseObject({kind}, {error: expected('an object with a kind')}),
	},
	{error: expected('one JSON object')},
);

/**
 * Validates one whole event and returns all problems together (docs/rules.md §5). An unknown kind passes if
 * the envelope is valid; a known kind needs its type and its fields.
 */
export const validateEvent = (raw: unknown): Outcome<HiveEvent> => {
	const parsed = envelope.safeParse(raw, describeIssues);
	const details = [...(parsed.success ? [] : issuesOf(parsed.error, [])), ...payloadDetails(raw)];
	if (!parsed.success || details.length > 0) return refuse('schema_validation_failed', {details});
	const {traceId, agentId, type, payload} = parsed.data;
	return accepted({traceId, ...(agentId === undefined ? {} : {agentId}), type, payload});
};

const loose = z.looseObject({type: z.unknown(), payload: z.looseObject({kind: z.string()})});

const payloadDetails = (raw: unknown): Detail[] => {
	const parsed = loose.safeParse(raw);
	if (!parsed.success) return [];
	const {type, payload} = parsed.data;
	const rule = kindRule(payload.kind);
	if (rule === undefined) return [];
	const wrongType: Detail[] =
		type === rule.type
			? []
			: [
					{
						path: 'type',
						message: `${payload.kind} is of type ${rule.type}`,
						hint: `Use "type": "${rule.type}".`,
					},
				];
	const checked = rule.schema.safeParse(payload, describeIssues);
	return [
		...wrongType,
		...(checked.success ? [] : issuesOf(checked.error, ['payload'])),
		...(payload.kind === 'task.plan' ? planProblems(planDrafts(payload.tasks)) : []),
	];
};

const issuesOf = (error: z.core.$ZodError, parent: readonly string[]): Detail[] =>
	error.issues.map(({path, message}) => ({path: [...parent, ...path.map(String)].join('.'), message}));
