import type {ActionContext} from '../../actions/context.ts';
import {createActivityReader} from '../../agents/activity.ts';
import type {RunRecord} from '../../domain/run.ts';
import {maxTouched, type PlanStep, type RunProgress, type TouchedFile} from '../../domain/run-progress.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {filesTouchedBetween, filesTouchedSince} from '../../workspaces/trees/touched-files.ts';
import {formOf, readerOf, readOutput} from '../logs/read-output.ts';
import {filesIn} from './preview.ts';

type Context = Pick<ActionContext, 'git' | 'files' | 'colony' | 'checkout' | 'redact'> & {
	readonly bus: Pick<ActionContext['bus'], 'isShared'>;
};

type Run = Pick<RunRecord, 'agentId' | 'place' | 'status' | 'interactive' | 'trees'>;

/** Of an output longer than `above`, only the last `bytes` are read. An older plan is then unknown. */
const endOfLong = {above: 16 * 1024 * 1024, bytes: 2 * 1024 * 1024};
/** Maximum bytes that are read of the recorded patch of a run. */
const maxPatchBytes = 1024 * 1024;

const noProgress: RunProgress = {plan: [], touched: []};

/** Returns the plan and the touched files of a run. Both are empty for a run of another machine. */
export const readProgress = async (context: Context, traceId: string, run: Run): Promise<RunProgress> => {
	if (context.bus.isShared && run.place !== context.checkout) return noProgress;
	// What cannot be read is not known; the run's log shows the reason.
	const [plan = [], touched = []] = await Promise.all([
		readPlan(context, traceId, run).catch(() => undefined),
		readTouched(context, traceId, run).catch(() => undefined),
	]);
	return {plan, touched};
};

const readPlan = async (
	{files, colony, redact = text => text}: Context,
	traceId: string,
	{agentId, interactive}: Run,
): Promise<readonly PlanStep[] | undefined> => {
	const folder = runDirectory(colony.root, traceId, agentId);
	const output = await readOutput(files, folder, {isSession: interactive, last: endOfLong});
	const {writer, workspace} = await output.form();
	const reader = createActivityReader(readerOf(writer), {workspace, redact});
	for await (const bytes of output.bytes) reader.push(bytes);
	return reader.now().plan;
};

/**
 * Returns the touched files of a run of this machine, from its recorded trees once it has ended. Undefined if
 * they are not known.
 */
export const readTouched = async (
	context: Context,
	traceId: string,
	run: Run,
): Promise<readonly TouchedFile[] | undefined> => {
	const {redact = (text: string) => text} = context;
	const touched =
		run.status === 'running'
			? await touchedNow(context, traceId, run)
			: await touchedBy(context, traceId, run);
	return touched?.map(file => ({...file, path: redact(file.path)}));
};

/** A workspace of another repository is not asked about. */
const touchedNow = async ({git, files, colony: {root}}: Context, traceId: string, {agentId}: Run) => {
	const folder = runDirectory(root, traceId, agentId);
	const [before = '', {workspace}] = await Promise.all([
		files.read(`${folder}/before`),
		formOf(files, folder),
	]);
	if (before.trim() === '' || workspace === '') return undefined;
	const [ours, theirs] = await Promise.all([git.folders(root), git.folders(workspace)]);
	return ours.common === theirs.common
		? filesTouchedSince(git, {workspace, before: before.trim()})
		: undefined;
};

/** If git no longer has the trees, the patch in the run's directory tells the files. */
const touchedBy = async ({git, files, colony: {root}}: Context, traceId: string, {agentId, trees}: Run) => {
	if (trees !== undefined && trees.before === trees.after) return [];
	const touched = trees && (await filesTouchedBetween(git, {workspace: root, ...trees}));
	if (touched !== undefined) return touched;
	const path = runPath(runDirectory(root, traceId, agentId), 'diff');
	if ((await files.size(path)) === undefined) return undefined;
	const patch = new TextDecoder().decode(await files.readBytes(path, 0, maxPatchBytes));
	return filesIn(patch)
		.slice(0, maxTouched)
		.map(file => ({path: file.path, added: file.added, removed: file.removed}));
};

/** How long the progress of a live run is not read again, in milliseconds. */
const minIntervalMs = 2000;
/** Maximum number of runs whose progress is kept. */
const maxKept = 64;

type ReadProgress = (traceId: string, run: Run) => Promise<RunProgress>;

/** Returns `readProgress` with a memory: a run that has ended is read once, a live one every two seconds. */
export const createProgressReader = (context: Context, now: () => number): ReadProgress => {
	const kept = new Map<string, {readonly at: number; readonly progress: Promise<RunProgress>}>();
	return (traceId, run) => {
		const key = `${traceId}/${run.agentId}/${run.status}`;
		const known = kept.get(key);
		if (known !== undefined && (run.status !== 'running' || now() - known.at < minIntervalMs))
			return known.progress;
		const progress = readProgress(context, traceId, run);
		kept.delete(key);
		const [oldest] = kept.keys();
		if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
		kept.set(key, {at: now(), progress});
		return progress;
	};
};

/** Maximum number of newest runs whose progress is read. */
const maxRuns = 10;

/** Returns the progress of the newest of these runs of a trace, by run id. */
export const progressOf = async (
	read: ReadProgress,
	traceId: string,
	runs: readonly Run[],
): Promise<ReadonlyMap<string, RunProgress>> =>
	new Map(
		await Promise.all(
			runs.slice(-maxRuns).map(async run => [run.agentId, await read(traceId, run)] as const),
		),
	);
