import {refuseSession} from '../agents/session.ts';
import type {Bee} from '../colony/colony.ts';
import {findBee} from '../colony/find-bee.ts';
import {planReviewField} from '../colony/plan-review.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Payload} from '../domain/event.ts';
import {isName} from '../domain/ids.ts';
import type {Params} from '../domain/params.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {budgetFor, type Limits, refuseSpent} from './budget.ts';
import type {ActionContext} from './context.ts';
import {refuseElsewhere, refuseInsideRun, refuseUnlessOpen} from './decide-and-append.ts';
import {appendFirst, findBase} from './name-base.ts';
import {refuseParams} from './request-params.ts';

export type BeeRequested = {
	readonly traceId: string;
	/** Sequence of the request. The run that answers it has this trigger. */
	readonly sequence: number;
};

type BeeRequest = {
	role: string;
	body: string;
	intent?: string | undefined;
	traceId?: string | undefined;
	limits?: Limits | undefined;
	/** Params of its run, and of all runs of a trace that begins with it. */
	params?: Params | undefined;
	/** The branch that the trace which it begins is merged into; default: the one that is checked out. */
	base?: string | undefined;
};

/**
 * Requests one autonomous run outside any task (docs/rules.md §3). It is pending like any direct run: a
 * reactor claims it, for one unit of honey, when a slot and the workspace are free.
 */
export const requestBeeRun = (context: ActionContext, input: BeeRequest): Promise<Outcome<BeeRequested>> =>
	request(context, input, {
		refuse: bee =>
			input.body.trim() === '' && bee.adapter !== 'script'
				? refuse('usage', {
						message: `The bee "${input.role}" needs to be told what to do.`,
						hint: 'Pass --body "<text>".',
					})
				: undefined,
		payload: {kind: 'bee.requested'},
	});

/** The size of the person's terminal, and the task that the session is about. */
export type SessionAsked = BeeRequest & {
	readonly taskId?: string | undefined;
	readonly columns: number;
	readonly rows: number;
	readonly trueColor: boolean;
};

/**
 * Requests a session: the bee's own terminal program, for a person to talk with (docs/architecture.md §10).
 * It is pending like a run, and takes the workspace but no slot.
 */
export const requestSession = (
	context: ActionContext,
	input: SessionAsked,
): Promise<Outcome<BeeRequested>> => {
	const {taskId, columns, rows, trueColor} = input;
	return request(context, input, {
		refuse: refuseSession,
		payload: {kind: 'session.requested', ...(taskId && {taskId}), columns, rows, trueColor},
	});
};

const request = async (
	context: ActionContext,
	{role, body, intent, traceId = context.ids.trace(), limits, params, base: named}: BeeRequest,
	kind: {readonly refuse: (bee: Bee) => Refused | undefined; readonly payload: Payload},
): Promise<Outcome<BeeRequested>> => {
	const {colony, bus, by} = context;
	const refused = refuseInsideRun(context) ?? refuseParams(context.colony, params);
	if (refused !== undefined) return refused;
	if (!isName(traceId)) return refuse('invalid_id', {message: `"${traceId}" cannot be a trace id.`});
	const bee = findBee(colony, role);
	if (!bee.ok) return bee;
	const unfit = kind.refuse(bee.value);
	if (unfit !== undefined) return unfit;
	const base = await findBase(context, named);
	if (!base.ok) return base;
	const trace = await loadTrace(bus, traceId);
	const closed = refuseElsewhere(trace, context.checkout) ?? refuseUnlessOpen(trace);
	if (closed !== undefined) return closed;
	const budget = budgetFor(trace, colony.defaults.budget, limits);
	if (!budget.ok) return budget;
	const spent = refuseSpent(trace, budget.value);
	if (spent !== undefined) return spent;
	const payload = {
		...kind.payload,
		bee: role,
		body,
		...(intent && {intent}),
		...(params && {params}),
		...planReviewField(colony, trace, undefined),
	};
	const event = {traceId, agentId: by, type: 'SIGNAL' as const, payload, ...budget.value};
	const appended = await appendFirst(context, trace, base.value, [event]);
	return appended.ok ? accepted({traceId, sequence: appended.value}) : appended;
};

type Refused = ReturnType<typeof refuse>;
