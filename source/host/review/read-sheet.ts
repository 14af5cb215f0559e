import type {ActionContext} from '../../actions/context.ts';
import {refuseElsewhere} from '../../actions/decide-and-append.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {findTask, traceNotFound} from '../../domain/not-found.ts';
import type {ReviewComment} from '../../domain/review-comment.ts';
import type {Task} from '../../domain/task.ts';
import {isShown, type Trace, titleOf} from '../../domain/trace.ts';
import {landingQueue} from '../../ledger/landing-queue.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {commentsIn, textOf} from '../../ledger/payload.ts';
import {knownWork} from '../../ledger/rejections.ts';
import type {Bus} from '../../ports/bus.ts';
import {readChangedLines} from '../../workspaces/trees/changed-lines.ts';
import {createClashReader} from '../live/clashes.ts';
import {type Overlap, sharingWith} from '../views/clashes.ts';
import {type Sheet, type SheetComment, type SheetFacts, sheetOf, taskOfSheet} from '../views/sheet.ts';
import {readCheckOutput} from './check-output.ts';
import {previewTask} from './preview.ts';
import {factsOf} from './sheet-preview.ts';

/**
 * Returns the sheet of a task, else of the decision that the trace waits for, else of the whole trace. Parts
 * that cannot be read have a sentence in `missing`.
 */
export const openSheet = async (
	context: ActionContext,
	{traceId, taskId}: {readonly traceId: string; readonly taskId?: string | undefined},
): Promise<Outcome<Sheet>> => {
	const ledger = await openLedger(context.bus);
	await ledger.load([traceId]);
	const trace = ledger.snapshot(traceId);
	if (!isShown(trace)) return traceNotFound(traceId);
	const task = taskId === undefined ? undefined : findTask(trace, taskId);
	if (task !== undefined && !task.ok) return task;
	const traces = ledger.traces();
	const {overlaps} = await createClashReader(context)(traces.values());
	return accepted(await readSheet(context, {trace, task: task?.value, traces, overlaps}));
};

/** The same from what a client has read already. */
export const readSheet = async (context: ActionContext, known: Known): Promise<Sheet> => {
	const {trace, traces, overlaps} = known;
	const task = known.task ?? taskOfSheet(trace);
	const facts = await readFacts(context, traces, trace, task);
	const alsoAtWork = sharingWith(overlaps, trace.traceId).map(sharing => {
		const other = traces.get(sharing.traceId);
		return {...sharing, title: other === undefined ? '' : titleOf(other)};
	});
	return sheetOf(trace, task, {...facts, alsoAtWork, queue: landingQueue(traces.values())});
};

/** Returns the facts that a snapshot does not have: those of git and of the log. */
export const readFacts = async (
	context: ActionContext,
	traces: Traces,
	trace: Trace,
	task: Task | undefined,
): Promise<SheetFacts> => {
	const [merge, log] = await Promise.all([
		readMerge(context, trace, task),
		readLogFacts(context, traces, trace, task),
	]);
	return {...merge, ...log, missing: {...merge.missing, ...log.missing}};
};

/** All traces of the colony, by id: a failed check may be a run of another one. */
type Traces = ReadonlyMap<string, Trace>;

type Known = {
	readonly trace: Trace;
	readonly task: Task | undefined;
	readonly traces: Traces;
	readonly overlaps: readonly Overlap[];
};

/** Returns what approving would merge. */
const readMerge = async (
	context: ActionContext,
	trace: Trace,
	task: Task | undefined,
): Promise<SheetFacts> => {
	const {traceId} = trace;
	if (task !== undefined && task.review !== 'final' && task.proposal === undefined)
		return {missing: {changes: 'Nothing is proposed yet.'}};
	const preview = await previewTask(context, {traceId, taskId: task?.taskId ?? ''});
	if (preview.ok) return factsOf(trace, task, preview.value);
	return {missing: {changes: preview.refusal.message}};
};

/**
 * Returns the parts that only the events of the log have: a long request, the output of the check because of
 * which it did not land, and comments of the last round.
 */
export const readLogFacts = async (
	context: Pick<ActionContext, 'bus' | 'git' | 'colony' | 'checkout'>,
	traces: Traces,
	trace: Trace,
	task: Task | undefined,
): Promise<SheetFacts> => {
	const {bus} = context;
	const {request} = trace;
	const whole =
		request?.isCut === true ? (await eventAt(bus, trace, request.sequence))?.payload.body : undefined;
	const failedOutput = await readFailedOutput(bus, traces, trace);
	return {
		...(typeof whole === 'string' && {request: whole.trim()}),
		...(failedOutput !== '' && {failedOutput}),
		...(task?.rejected === undefined ? {} : await readRework(context, trace, task)),
	};
};

/** Returns the end of the output of the check because of which it did not land. */
const readFailedOutput = async (bus: Pick<Bus, 'read'>, traces: Traces, trace: Trace): Promise<string> => {
	const {agentId = ''} = trace.landingLeft?.check ?? {};
	const ran = [trace, ...traces.values()].find(({runs}) => runs.has(agentId));
	if (ran === undefined) return '';
	const after = ran.runs.get(agentId)?.trigger;
	return readCheckOutput(bus, {traceId: ran.traceId, agentId, ...(after !== undefined && {after})});
};

const notRecorded = 'The comments of the last round are not recorded: it is from an older hive.';

const readRework = async (
	context: Pick<ActionContext, 'bus' | 'git' | 'colony' | 'checkout'>,
	trace: Trace,
	task: Task,
): Promise<SheetFacts> => {
	const {sequence, work} = task.rejected ?? {};
	const event = sequence === undefined ? undefined : await eventAt(context.bus, trace, sequence);
	if (event === undefined) return {missing: {rework: notRecorded}};
	const asked = textOf(event.payload, 'message') || textOf(event.payload, 'text');
	const comments = commentsIn(event.payload);
	if (comments.length === 0) return {rework: {asked, comments: []}};
	const isElsewhere = refuseElsewhere(trace, context.checkout) !== undefined;
	const then = work ?? knownWork(trace, task, event.at);
	const now = knownWork(trace, task);
	const changed =
		isElsewhere || then === undefined || now === undefined
			? undefined
			: await readChangedLines(context.git, context.colony.root, {commit: then, tree: now});
	if (changed === undefined)
		return {
			rework: {asked, comments: []},
			missing: {
				rework: `You wrote ${comments.length} comments. Which of them are addressed is not known here.`,
			},
		};
	const stateOf = ({path, side, line, endLine = line}: ReviewComment): SheetComment['state'] => {
		const lines = changed.get(path)?.lines ?? [];
		// A line of the old side is not in the work. Any change of its file may answer the comment.
		const isHit =
			side === 'old' ? lines.length > 0 : lines.some(({from, to}) => from <= endLine && to >= line);
		return isHit ? 'addressed' : 'untouched';
	};
	return {
		rework: {
			asked,
			comments: comments.map(comment => ({
				path: comment.path,
				line: comment.line,
				text: comment.text,
				state: stateOf(comment),
			})),
		},
	};
};

const eventAt = async (bus: Pick<Bus, 'read'>, {traceId}: Trace, sequence: number) => {
	for await (const [event] of bus.read({traceId, after: sequence - 1}))
		return event?.sequence === sequence ? event : undefined;
	return undefined;
};
