import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {isShown, type Trace} from '../../domain/trace.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {readDecisions} from '../review/decisions.ts';
import {readLogFacts} from '../review/read-sheet.ts';
import {type Sheet, sheetOf} from '../views/sheet.ts';
import {requestWaits, type Wait, waitsOf} from './waits.ts';

/** A wait of a task, or of a run without a task: then the id is empty. */
type TraceWait = Wait & {readonly taskId: string};

/** A trace with the sheet of all of it, and what its parts wait for now. */
export type ExplainedTrace = {
	readonly trace: Trace;
	readonly sheet: Sheet;
	readonly waits: readonly TraceWait[];
};

export const explainTrace = async (
	context: ActionContext,
	traceId: string,
): Promise<Outcome<ExplainedTrace>> => {
	const ledger = await openLedger(context.bus);
	await ledger.load([traceId]);
	const trace = ledger.snapshot(traceId);
	if (!isShown(trace)) return traceNotFound(traceId);
	const decisions = await readDecisions(context, ledger);
	const decision = decisions.of(trace, {isAttended: await context.reactorIsAlive(traceId)});
	const ofTasks = [...trace.tasks.values()].flatMap(task =>
		waitsOf(trace, task, decision.waits.task(task)).map(wait => ({taskId: task.taskId, ...wait})),
	);
	const ofRuns = requestWaits(trace, decision).map(wait => ({taskId: '', ...wait}));
	const sheet = sheetOf(trace, undefined, await readLogFacts(context, ledger.traces(), trace, undefined));
	return accepted({trace, sheet, waits: [...ofTasks, ...ofRuns]});
};
