import {formatCount} from '../../domain/format-count.ts';
import {isGateId} from '../../domain/ids.ts';
import type {RunRecord} from '../../domain/run.ts';
import {formatQuestionsInline, openQuestions} from '../../domain/run-questions.ts';
import {statusWords} from '../../domain/status-words.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {formatRunEnd, runsOf} from './run.ts';
import {taskStatusLabel} from './task.ts';
import {wordsOfAgent} from './words-of-agent.ts';

export type SheetMark = {
	readonly kind:
		| 'failed'
		| 'no_change'
		| 'tool_failed'
		| 'denied'
		| 'asks'
		| 'asked'
		| 'retried'
		| 'unfinished';
	readonly text: string;
};

export type SheetTask = {
	/** Empty for work of a bee without a task. */
	readonly taskId: string;
	readonly title: string;
	readonly bee: string;
	/** Its newest run; empty before there is one. */
	readonly agentId: string;
	/** The agent's last words, complete and as it wrote them; empty if there are none. */
	readonly said: string;
	/** Facts that hive recorded, the worst first. */
	readonly marks: readonly SheetMark[];
};

export const taskEntry = (trace: Trace, task: Task): SheetTask => {
	const own = runsOf(trace, task.taskId).filter(
		({trigger, verifies}) => trigger === undefined && verifies === undefined,
	);
	const run = own.at(-1);
	return {
		taskId: task.taskId,
		title: task.title || task.taskId,
		bee: run?.bee ?? task.bee,
		agentId: run?.agentId ?? '',
		said: run?.status === 'completed' ? wordsOfAgent(run) : '',
		marks: marksOf(trace, task, own),
	};
};

export const runEntry = (run: RunRecord): SheetTask => ({
	taskId: '',
	title: run.bee,
	bee: run.bee,
	agentId: run.agentId,
	said: wordsOfAgent(run),
	marks: runMarks(run),
});

const marksOf = (trace: Trace, task: Task, own: readonly RunRecord[]): readonly SheetMark[] => {
	const run = own.at(-1);
	const status = statusWords(taskStatusLabel(trace, task));
	const isOpen = !['completed', 'waiting_review', 'failed'].includes(task.status);
	const failedBefore = own.slice(0, -1).filter(one => one.status === 'failed').length;
	return [
		...(run === undefined ? [] : runMarks(run)),
		...(isOpen && !isGateId(task.taskId) ? [{kind: 'unfinished', text: status} as const] : []),
		...(failedBefore === 0
			? []
			: [{kind: 'retried', text: `retried after ${formatCount(failedBefore, 'failed run')}`} as const]),
	];
};

const runMarks = (run: RunRecord): readonly SheetMark[] => {
	const {status, trees, noChange, toolTrouble, questions = []} = run;
	const open = openQuestions(run).length;
	const hasNoChange =
		status === 'completed' &&
		(noChange !== undefined || (trees !== undefined && trees.before === trees.after));
	return [
		...(status === 'failed' ? [{kind: 'failed', text: `failed: ${formatRunEnd(run)}`} as const] : []),
		...(open > 0
			? [{kind: 'asks', text: `asks you: ${formatQuestionsInline(run).replaceAll(/\s+/g, ' ')}`} as const]
			: []),
		...(hasNoChange ? [{kind: 'no_change', text: 'changed nothing'} as const] : []),
		...(toolTrouble === undefined ? [] : troubleMarks(toolTrouble)),
		...(questions.length > open
			? [{kind: 'asked', text: `asked ${formatCount(questions.length - open, 'question')}`} as const]
			: []),
	];
};

const troubleMarks = ({
	failed,
	denied,
	last,
}: NonNullable<RunRecord['toolTrouble']>): readonly SheetMark[] => {
	const about = last === '' ? '' : `, the last: ${last}`;
	return [
		...(denied === 0
			? []
			: [
					{
						kind: 'denied',
						text: `${formatCount(denied, 'call')} denied${failed === 0 ? about : ''}`,
					} as const,
				]),
		...(failed === 0
			? []
			: [{kind: 'tool_failed', text: `${formatCount(failed, 'call')} failed${about}`} as const]),
	];
};
