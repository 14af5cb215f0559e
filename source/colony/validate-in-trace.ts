import {type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {cancelledNeeds, checkPlan, lostNeeds, type PlanDraft, planDrafts} from '../domain/plan.ts';
import {tasksBeside} from '../domain/plan-review.ts';
import type {Trace} from '../domain/trace.ts';
import {validateEvent} from '../domain/validate-event.ts';
import type {Colony} from './colony.ts';
import {paramProblems} from './plan-params.ts';
import {explainPlanProblems} from './plan-problems.ts';

/**
 * `validateEvent`, plus the problems that the trace and the colony have with a plan or a request, all at once
 * (docs/rules.md §2).
 */
export const validateInTrace = (colony: Colony, trace: Trace, raw: object): Outcome<HiveEvent> => {
	const checked = validateEvent(raw);
	const items = draftsIn(raw);
	const isEdit = kindOf(raw) === 'plan.edited';
	const known = isEdit ? tasksBeside(trace) : trace.tasks;
	const details = distinct([
		...(checked.ok ? [] : checked.refusal.details),
		...checkPlan(items, known),
		...cancelledNeeds(items, known),
		...(isEdit ? lostNeeds(items, known) : []),
		...explainPlanProblems(colony, items),
		...paramProblems(colony, paramsIn(raw)).map(found => ({...found, path: `payload.${found.path}`})),
	]);
	return details.length === 0 ? checked : refuse('schema_validation_failed', {details});
};

const draftsIn = ({payload}: {readonly payload?: unknown}): readonly PlanDraft[] => {
	const {kind, tasks}: {kind?: unknown; tasks?: unknown} = {...Object(payload)};
	return kind === 'task.plan' || kind === 'plan.edited' ? planDrafts(tasks) : [];
};

const kindOf = ({payload}: {readonly payload?: unknown}): unknown => Object(payload).kind;

/** The params that a request sets for its trace. Kinds of the colony may mean something else by the field. */
const paramsIn = ({payload}: {readonly payload?: unknown}): unknown => {
	const {kind, params}: {kind?: unknown; params?: unknown} = {...Object(payload)};
	return kind === 'feature.requested' ? params : undefined;
};

const distinct = (details: readonly Detail[]): Detail[] => [
	...new Map(details.map(detail => [`${detail.path} ${detail.message}`, detail])).values(),
];
