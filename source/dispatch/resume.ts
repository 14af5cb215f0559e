import {adapterOf} from '../agents/adapter.ts';
import {flagParam} from '../agents/params.ts';
import {isToolSession} from '../agents/resume.ts';
import {replacingCommand} from '../colony/acp-agents.ts';
import type {Bee} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {runDirectory} from '../runs/layout.ts';
import {readMeta} from '../runs/records.ts';
import {readUsage} from '../runs/usage.ts';
import type {DispatchPorts} from './ports.ts';

/** A session of an agent tool from an earlier run, which another run continues. */
export type Resumption = {
	/** The tool's own id of the session. */
	readonly session: string;
	readonly earlier: RunRecord;
};

/**
 * Returns the session that the run continues. It is that of the last run for the same event or task, or of
 * the task that its task reworks. Returns `undefined` if a person wants a new session, or if continuing it
 * failed before. So it does if the tool stored the session elsewhere, since sessions belong to a folder and a
 * machine.
 */
export const sessionToResume = async (
	{files, colony}: Pick<DispatchPorts, 'files' | 'colony'>,
	trace: Trace,
	run: RunRecord,
	{bee, workspace}: {readonly bee: Bee; readonly workspace: string},
): Promise<Resumption | undefined> => {
	const isAble = adapterOf(bee.adapter).resumes === true && replacingCommand(bee) === undefined;
	if (!isAble || run.interactive || run.fresh || !flagParam(bee, 'resume', true)) return undefined;
	const earlier = earlierRun(trace, run);
	if (earlier === undefined) return undefined;
	const {root} = colony();
	const {agentId} = earlier;
	const meta = await readMeta(files, runDirectory(root, trace.traceId, agentId));
	if (meta === undefined || meta.adapter !== bee.adapter || meta.workspace !== workspace) return undefined;
	const hasFailed = earlier.status === 'failed' && earlier.pausedUntil === undefined;
	if (meta.resumes !== undefined && hasFailed) return undefined;
	const session = (await readUsage(files, root, trace.traceId, agentId))?.toolSession;
	return session === undefined || !isToolSession(session) ? undefined : {session, earlier};
};

/** The last ended run of the same bee for the same event, the same task, or the task that it reworks. */
const earlierRun = (
	{tasks, runs}: Trace,
	{agentId, bee, trigger, taskId}: RunRecord,
): RunRecord | undefined => {
	const ended = [...runs.values()].filter(
		run => run.agentId !== agentId && run.bee === bee && run.status !== 'running' && !run.interactive,
	);
	if (trigger !== undefined) return ended.findLast(run => run.trigger === trigger);
	if (taskId === undefined) return undefined;
	const own = ended.filter(run => run.trigger === undefined);
	const lastOf = (id: string | undefined) => own.findLast(run => run.taskId === id);
	const reworked = tasks.get(taskId)?.reworks;
	return lastOf(taskId) ?? (reworked === undefined ? undefined : lastOf(reworked));
};

/**
 * Adds a sentence before the prompt if a usage limit cut off the earlier run, since the session already has
 * the task. Otherwise returns the prompt unchanged.
 */
export const resumedPrompt = (prompt: string, {earlier}: Resumption): string =>
	earlier.pausedUntil === undefined && earlier.limit === undefined
		? prompt
		: `A usage limit stopped you in the middle of this task. What you had done is still there: go on from it. The task again:\n\n${prompt}`;
