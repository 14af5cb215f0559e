import type {ActionContext} from '../../actions/context.ts';
import {textIn} from '../../agents/json.ts';
import {parseObject} from '../../domain/json.ts';
import {createRedactor, type Redactor, redactionMargin} from '../../domain/redact.ts';
import {type RunRecord, type Used, usedOf} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import {traceCauses} from '../../ledger/why.ts';
import type {Bus} from '../../ports/bus.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {readTail} from '../../runs/read-log.ts';
import {readUsage} from '../../runs/usage.ts';
import {readEvents} from '../events.ts';
import type {DetailFacts, DetailTarget, RunFacts} from '../views/detail/section.ts';
import {runsOf} from '../views/run.ts';
import {readRequestWaits, readWaits} from '../waits/explain-task.ts';
import type {Wait} from '../waits/waits.ts';
import {filesIn} from './preview.ts';

/** Maximum bytes that are read from the start of a run's prompt, result, status or diff. */
const maxTextBytes = 1024 * 1024;
/** Maximum bytes that are read of a run's standard error, from the end. */
const maxErrorBytes = 64 * 1024;
/** Maximum number of newest runs whose usage is read. */
const maxRuns = 50;

/**
 * Reads what the snapshot lacks about a task or, without `taskId`, about the whole trace. With `agentId`,
 * also about that run.
 */
export const readDetail = async (
	context: ActionContext,
	{ledger, secrets}: {readonly ledger: Ledger; readonly secrets: readonly string[]},
	{traceId, taskId, agentId}: DetailTarget,
): Promise<DetailFacts & {readonly waits: readonly Wait[]}> => {
	const trace = ledger.snapshot(traceId);
	const task = taskId === undefined ? undefined : trace.tasks.get(taskId);
	const run = agentId === undefined ? undefined : trace.runs.get(agentId);
	const redact = createRedactor(secrets);
	const [causes, waits, used, runFacts] = await Promise.all([
		task === undefined ? [] : causesOf(context, traceId, task.taskId),
		task === undefined ? readRequestWaits(context, trace, ledger) : readWaits(context, trace, task, ledger),
		readUsages(context, trace, task?.taskId),
		run && readRunFacts(context, {traceId, run, redact}),
	]);
	return {causes, waits, used, ...(runFacts && {run: runFacts})};
};

const causesOf = async (context: ActionContext, traceId: string, taskId: string) => {
	const events = [];
	for await (const event of readEvents(context, traceId)) events.push(event);
	return traceCauses(traceId, taskId, events).causes;
};

const readUsages = async (
	{files, colony}: ActionContext,
	trace: Trace,
	taskId: string | undefined,
): Promise<ReadonlyMap<string, Used>> => {
	const found = await Promise.all(
		runsOf(trace, taskId)
			.slice(-maxRuns)
			.map(async ({agentId}) => {
				const usage = await readUsage(files, colony.root, trace.traceId, agentId);
				return usage === undefined ? [] : [[agentId, usedOf(usage)] as const];
			}),
	);
	return new Map(found.flat());
};

type Reading = {readonly traceId: string; readonly run: RunRecord; readonly redact: Redactor};

/**
 * Reads a run's prompt, result, errors and changed files, redacted. Only its warnings if another checkout has
 * the run.
 */
export const readRunFacts = async (
	context: Pick<ActionContext, 'files' | 'colony' | 'checkout'> & {readonly bus: Pick<Bus, 'isShared'>},
	{traceId, run, redact}: Reading,
): Promise<RunFacts> => {
	const {files, colony, bus, checkout} = context;
	const {agentId, place, warnings = []} = run;
	const emptyFacts = {
		agentId,
		prompt: '',
		message: '',
		error: '',
		errors: '',
		hasEarlierErrors: false,
		warnings,
		files: [],
	};
	if (bus.isShared && place !== checkout) return {...emptyFacts, elsewhere: place};
	const directory = runDirectory(colony.root, traceId, agentId);
	const text = async (file: 'prompt' | 'result' | 'status' | 'diff'): Promise<string> => {
		const path = runPath(directory, file);
		if ((await files.size(path)) === undefined) return '';
		return new TextDecoder().decode(await files.readBytes(path, 0, maxTextBytes));
	};
	const [prompt, result, status, patch, written] = await Promise.all([
		text('prompt'),
		text('result'),
		text('status'),
		text('diff'),
		readErrors(context, directory, redact),
	]);
	const {diagnostics, ...ended} = parseObject(result) ?? {};
	const {warnings: allWarnings} = parseObject(status) ?? {};
	const found = {...Object(diagnostics)};
	return {
		agentId,
		prompt: redact(prompt),
		message: redact(textIn(ended, 'summary')),
		error: redact(textIn(found, 'error')),
		// The file of standard error may be gone. The result file has a shorter copy.
		errors: written?.text ?? redact(textIn(found, 'stderr')),
		hasEarlierErrors: written?.isCut ?? false,
		warnings: Array.isArray(allWarnings) ? allWarnings.map(String).map(redact) : warnings,
		files: filesIn(patch).map(file => ({...file, path: redact(file.path)})),
	};
};

/** Returns whole lines from the end of a run's standard error; undefined if it has no such file. */
const readErrors = async (
	{files}: Pick<ActionContext, 'files'>,
	directory: string,
	redact: Redactor,
): Promise<{readonly text: string; readonly isCut: boolean} | undefined> => {
	const path = runPath(directory, 'stderr');
	const size = await files.size(path);
	if (size === undefined) return undefined;
	const text = redact(await readTail(files, path, maxErrorBytes + redactionMargin));
	const isCut = size > maxErrorBytes;
	return {text: isCut ? wholeLines(text.slice(-maxErrorBytes)) : text, isCut};
};

const wholeLines = (end: string): string => end.slice(end.indexOf('\n') + 1);
