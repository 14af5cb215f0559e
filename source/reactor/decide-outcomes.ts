import {type Colony, declares} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {Machine} from './machine.ts';
import {announcement, completion} from './runtime-events.ts';
import type {Step} from './steps.ts';

/** Where each task goes whose run ended well (spec, states; design.md §4.6). */
export const decideOutcomes = (trace: Trace, colony: Colony, machine: Machine): Step[] =>
	[...trace.tasks.values()].flatMap(task => {
		const run = task.status === 'running' && task.agentId ? trace.runs.get(task.agentId) : undefined;
		return run?.status === 'completed' ? outcome(trace, task, run, colony, machine) : [];
	});

const outcome = (trace: Trace, task: Task, run: RunRecord, colony: Colony, machine: Machine): Step[] => {
	const proposed = task.proposal?.agentId === run.agentId ? task.proposal.workspace : undefined;
	const wait = (summary: string) => [announcement(task.taskId, 'waiting_review', summary)];
	if (task.review === 'required') {
		if (proposed !== 'root') return wait(run.summary ?? '');
		return guardIsDue(trace, task, machine) ? [] : wait(verdictSummary(task, run));
	}
	if (proposed === 'isolated' && hasCommitGate(colony)) return wait(run.summary ?? '');
	return [completion(task, run.summary ?? '', machine.now)];
};

/** Some bee publishes `task.completed`: isolated proposals wait for it (spec, commit-gate defer). */
const hasCommitGate = (colony: Colony): boolean =>
	[...colony.bees.values()].some(bee => declares(bee, 'VERIFICATION', 'task.completed'));

const guardIsDue = (trace: Trace, task: Task, {owed}: Machine): boolean => {
	const proposal = task.proposal?.sequence;
	return (
		owed.some(({trigger}) => trigger === proposal) ||
		[...trace.runs.values()].some(({trigger, status}) => trigger === proposal && status === 'running')
	);
};

const verdictSummary = (task: Task, run: RunRecord): string => {
	const {verdict} = task;
	if (verdict === undefined) return `${run.summary ?? ''} (no guard gave a verdict)`.trim();
	return `${verdict.passed ? 'Guard passed' : 'Guard failed'}: ${verdict.summary}`;
};
