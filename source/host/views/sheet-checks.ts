import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {decisionOf, formatAttendance} from './review.ts';

export type SheetCheck = {
	readonly taskId: string;
	readonly title: string;
	/** The commands, or what kept them from running. */
	readonly command: string;
	readonly state: 'passed' | 'failed' | 'could_not_run' | 'running' | 'not_run';
	/** UTC, RFC 3339; empty if it has not ended. */
	readonly at: string;
	readonly seconds: number | null;
	/** Git's id of the tree that was checked; empty if unknown. */
	readonly tree: string;
	/** True if that is the tree that would land; null while either is unknown. */
	readonly lands: boolean | null;
	/** The end of the output of a failure; empty otherwise. */
	readonly output: string;
};

export type SheetGuard = {
	readonly taskId: string;
	readonly title: string;
	readonly bee: string;
	readonly verdict: 'passed' | 'failed' | 'none';
	/** The guard's own words. */
	readonly said: string;
	/** True if the verdict is about older work than the newest. */
	readonly older: boolean;
	/** Bees that are still at work on it, in sentences. */
	readonly now: readonly string[];
};

export const checksOf = (trace: Trace, task: Task, landing: string | undefined): readonly SheetCheck[] => {
	const {proposal, evidence, taskId, title} = task;
	if (proposal?.verification === undefined) return [];
	const running = [...trace.runs.values()].some(
		run => run.status === 'running' && run.verifies !== undefined && run.trigger === proposal.sequence,
	);
	const tree = proposal.tree ?? '';
	const about = {taskId, title: title || taskId, tree, lands: landsAs(tree, landing)};
	if (evidence === undefined || running)
		return [
			{...about, command: '', state: running ? 'running' : 'not_run', at: '', seconds: null, output: ''},
		];
	const {passed, ran, summary, seconds = null, output, agentId} = evidence;
	return [
		{
			...about,
			command: summary,
			state: passed ? 'passed' : ran ? 'failed' : 'could_not_run',
			at: trace.runs.get(agentId)?.finishedAt ?? '',
			seconds,
			output: passed ? '' : output,
		},
	];
};

const landsAs = (tree: string, landing: string | undefined): boolean | null =>
	tree === '' || landing === undefined || landing === '' ? null : tree === landing;

/** If a guard judged some of the tasks, the others with a proposal are listed as not judged. */
export const guardsOfAll = (trace: Trace, covered: readonly Task[]): readonly SheetGuard[] => {
	const found = covered.map(task => ({task, guards: guardsOf(trace, task)}));
	if (found.every(({guards}) => guards.length === 0)) return [];
	return found.flatMap(({task, guards}) =>
		guards.length > 0 || task.proposal === undefined ? guards : [notJudged(task)],
	);
};

const notJudged = ({taskId, title}: Task): SheetGuard => ({
	...{taskId, title: title || taskId, bee: '', verdict: 'none', said: '', older: false, now: []},
});

const guardsOf = (trace: Trace, task: Task): readonly SheetGuard[] => {
	const {verdict, attendance} = decisionOf(trace, task);
	const attendants = attendance.attendants.filter(({verifies}) => !verifies);
	const now = formatAttendance({...attendance, attendants});
	if (verdict === undefined && attendants.length === 0) return [];
	const {agentId = ''} = task.verdict ?? {};
	return [
		{
			taskId: task.taskId,
			title: task.title || task.taskId,
			bee: trace.runs.get(agentId)?.bee ?? '',
			verdict: verdict === undefined ? 'none' : verdict.passed ? 'passed' : 'failed',
			said: verdict?.summary ?? '',
			older: verdict?.olderProposal !== undefined,
			now: attendants.length > 0 ? now : [],
		},
	];
};
