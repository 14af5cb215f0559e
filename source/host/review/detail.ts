import type {ActionContext} from '../../actions/context.ts';
import {textIn} from '../../agents/json.ts';
import {parseObject} from '../../domain/json.ts';
import {createRedactor, type Redactor} from '../../domain/redact.ts';
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

/** Maximum bytes that are read of texts an agent had a hand in, from the beginning. */
const maxTextBytes = 1024 * 1024;
/** Maximum bytes that are read of a run's standard error, from the end. */
const maxErrorBytes = 64 * 1024;
/** Bytes read beyond that, so that no secret is cut in half before it is redacted. */
const margin = 8 * 1024;
/** Maximum number of newest runs whose usage is read. */
const maxRuns = 50;

/** Returns the facts about a task, or about a trace if no task is named, that are not in its snapshot. */
export const readDetail = async (
	context: ActionContext,
	{ledger, secrets}: {readonly ledger: Ledger; readonly secrets: readonly string[]},
	{traceId, taskId, agentId}: DetailTarget,
): Promise<DetailFacts & {readonly waits: readonly Wait[]}> => {
	const trace = ledger.snapshot(traceId);
	const task = taskId === undefined ? undefined : trace.tasks.get(taskId);
	const run = agentId === undefined ? undefined : trace.runs.get(agentId);
	const redact = createRedactor(secrets);
	const [causes, waits, used, ofRun] = await Promise.all([
		task === undefined ? [] : causesOf(context, traceId, task.taskId),
		task === undefined ? readRequestWaits(context, trace, ledger) : readWaits(context, trace, task, ledger),
		usedBy(context, trace, task?.taskId),
		run && readRunFacts(context, {traceId, run, redact}),
	]);
	return {causes, waits, used, ...(ofRun && {run: ofRun})};
};

const causesOf = async (context: ActionContext, traceId: string, taskId: string) => {
	const events = [];
	for await (const event of readEvents(context, traceId)) events.push(event);
	return traceCauses(traceId, taskId, events).causes;
};

const usedBy = async (
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

/** Returns the facts in the directory of a run. */
export const readRunFacts = async (
	context: Pick<ActionContext, 'files' | 'colony' | 'checkout'> & {readonly bus: Pick<Bus, 'isShared'>},
	{traceId, run, redact}: Reading,
): Promise<RunFacts> => {
	const {files, colony, bus, checkout} = context;
	const {agentId, place, warnings = []} = run;
	const nothing = {
		agentId,
		prompt: '',
		message: '',
		error: '',
		errors: '',
		hasEarlierErrors: false,
		warnings,
		files: [],
	};
	if (bus.isShared && place !== checkout) return {...nothing, elsewhere: place};
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
	const {warnings: whole} = parseObject(status) ?? {};
	const found = {...Object(diagnostics)};
	return {
		agentId,
		prompt: redact(prompt),
		message: redact(textIn(ended, 'summary')),
		error: redact(textIn(found, 'error')),
		// Its file may be gone by now; the copy beside the result is shorter.
		errors: written?.text ?? redact(textIn(found, 'stderr')),
		hasEarlierErrors: written?.isCut ?? false,
		warnings: Array.isArray(whole) ? whole.map(String).map(redact) : warnings,
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
	const text = redact(await readTail(files, path, maxErrorBytes + margin));
	const isCut = size > maxErrorBytes;
	return {text: isCut ? wholeLines(text.slice(-maxErrorBytes)) : text, isCut};
};

const wholeLines = (end: string): string => end.slice(end.indexOf('\n') + 1);
