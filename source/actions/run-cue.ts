import {expandCue} from '../colony/cues.ts';
import {planReviewField} from '../colony/plan-review.ts';
import {validateInTrace} from '../colony/validate-in-trace.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isName} from '../domain/ids.ts';
import {type Params, readParams} from '../domain/params.ts';
import type {PlanReview} from '../domain/plan-review.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {budgetFor, type Limits} from './budget.ts';
import type {ActionContext} from './context.ts';
import {createTasks} from './create-tasks.ts';
import {refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';
import {type FoundIssue, findIssue, issueEvents, refuseLateIssue} from './find-issue.ts';
import {issueText} from './issue-text.ts';
import {appendFirst, findBase} from './name-base.ts';
import {refuseLateParams, refuseLatePlanReview, refuseParams} from './request-params.ts';

export type CueRun = {
	readonly traceId: string;
	/** Id of the task that a task cue starts; empty for other cues. */
	readonly taskId: string;
	readonly eventType: 'SIGNAL' | 'INSIGHT';
	readonly kind: string;
	/** True if no reactor is alive for the trace: the request waits until one is. */
	readonly waiting: boolean;
	/** The issue that it began from. */
	readonly issue: {readonly number: number; readonly url: string} | null;
};

/** Runs a cue on a new trace, or on the named one (docs/rules.md §9). */
export const runCue = async (
	context: ActionContext,
	input: {
		cueId: string;
		text?: string | undefined;
		traceId?: string | undefined;
		vars?: Readonly<Record<string, string>> | undefined;
		limits?: Limits | undefined;
		/** Params of bees: of the task that the cue creates, or of all runs of the trace that it begins. */
		params?: Params | undefined;
		/** Review of plans in the trace that it begins; default: that of the cue, else the colony's. */
		planReview?: PlanReview | undefined;
		/** The branch that the trace which it begins is merged into; default: the one that is checked out. */
		base?: string | undefined;
		/** The issue at the forge from which a new trace begins: `12`, `#12` or its address. */
		issue?: string | undefined;
	},
): Promise<Outcome<CueRun>> => {
	const {bus, colony, ids, by} = context;
	const traceId = input.traceId ?? ids.trace();
	const refused = refuseInsideRun(context) ?? refuseParams(colony, input.params);
	if (refused !== undefined) return refused;
	if (!isName(traceId)) return refuse('invalid_id', {message: `"${traceId}" cannot be a trace id.`});
	const source = by === 'human' ? 'cli' : by;
	const base = await findBase(context, input.base);
	if (!base.ok) return base;
	const found = await findIssue(context, input);
	if (!found.ok) return found;
	const issue = found.value === undefined ? null : nameOf(found.value);
	const words = input.issue === undefined ? '' : input.text;
	const expanded = expandCue(colony, input.cueId, {
		text:
			found.value === undefined
				? (input.text ?? '')
				: issueText(found.value.issue, found.value.settings.repository, words),
		source,
		traceId,
		vars: input.vars ?? {},
	});
	if (!expanded.ok) return expanded;
	const {budget, planReview: usual} = expanded.value;
	const planReview = input.planReview ?? usual;
	if (expanded.value.emit === 'task') {
		const {item, autorun} = expanded.value;
		const created = await createTasks(context, {
			traceId,
			items: [{...item, taskId: ids.task(), ...(input.params && {params: input.params})}],
			autorun,
			budget,
			limits: input.limits,
			planReview: input.planReview,
			usualPlanReview: usual,
			base: input.base,
			issue: found.value,
		});
		if (!created.ok) return created;
		const {taskId, waiting} = created.value;
		return accepted({traceId, taskId, eventType: 'INSIGHT', kind: 'task.plan', waiting, issue});
	}
	const {payload: own} = expanded.value;
	const trace = await loadTrace(bus, traceId);
	const payload = {
		...own,
		...(input.params && {params: {...readParams(own.params), ...input.params}}),
		...planReviewField(colony, trace, planReview),
	};
	const closed =
		refuseUnlessOpen(trace) ??
		refuseLateIssue(trace, found.value) ??
		refuseLateParams(trace, input.params) ??
		refuseLatePlanReview(trace, input.planReview);
	if (closed !== undefined) return closed;
	const given = budgetFor(trace, budget, input.limits);
	if (!given.ok) return given;
	const checked = validateInTrace(colony, trace, {traceId, agentId: by, type: 'SIGNAL', payload});
	if (!checked.ok)
		return refuse('schema_validation_failed', {
			message: `The cue "${input.cueId}" makes an event that is not valid; nothing was published.`,
			details: checked.refusal.details,
		});
	const begun = await appendFirst(context, trace, base.value, [
		...issueEvents(context, trace, found.value),
		{...checked.value, ...given.value},
	]);
	if (!begun.ok) return begun;
	return accepted({
		traceId,
		taskId: '',
		eventType: 'SIGNAL',
		kind: payload.kind,
		waiting: !(await context.reactorIsAlive(traceId)),
		issue,
	});
};

const nameOf = ({issue: {number, url}}: FoundIssue) => ({number, url});
