import {type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {kindRule} from '../domain/event-kinds.ts';
import {checkPlan} from '../domain/plan.ts';
import type {PlanItem} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {validateEvent} from '../domain/validate-event.ts';
import type {Colony} from './colony.ts';
import {explainPlanProblems} from './plan-problems.ts';

/** `validateEvent`, and what the trace and the colony have against a plan: every problem at once (docs/rules.md §2). */
export const validateInTrace = (colony: Colony, trace: Trace, raw: object): Outcome<HiveEvent> => {
	const checked = validateEvent(raw);
	const items = planItems(raw);
	const details = distinct([
		...(checked.ok ? [] : checked.refusal.details),
		...checkPlan(items, trace.tasks),
		...explainPlanProblems(colony, items),
	]);
	return details.length === 0 ? checked : refuse('schema_validation_failed', {details});
};

/** The tasks of a plan whose shape is right; none for anything else. */
const planItems = ({payload}: {readonly payload?: unknown}): readonly PlanItem[] =>
	isPlan(payload) ? payload.tasks : [];

const isPlan = (payload: unknown): payload is {readonly tasks: readonly PlanItem[]} =>
	typeof payload === 'object' &&
	payload !== null &&
	'kind' in payload &&
	payload.kind === 'task.plan' &&
	kindRule('task.plan')?.schema.safeParse(payload).success === true;

const distinct = (details: readonly Detail[]): Detail[] => [
	...new Map(details.map(detail => [`${detail.path} ${detail.message}`, detail])).values(),
];
