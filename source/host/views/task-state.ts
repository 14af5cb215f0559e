import {isPaused, type Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {mergedWithoutChecks} from './landing.ts';
import {decisionOf, formatAttendance} from './review.ts';
import type {SheetLine} from './sheet-lines.ts';
import {isAtGuard, taskStatusLabel} from './task.ts';

/**
 * Returns where a task stands: what it became, or why it stopped. Empty for a task that waits for a person,
 * since its sheet says for what.
 */
export const taskStateLines = (trace: Trace, task: Task): readonly SheetLine[] => {
	const {taskId, status, summary, commit, left, review} = task;
	const word = taskStatusLabel(trace, task).replaceAll('_', ' ');
	const withSummary = summary === '' ? word : `${word}: ${summary}`;
	if (isAtGuard(trace, task))
		return [
			{tone: 'plain', text: word},
			...formatAttendance(decisionOf(trace, task).attendance).map(text => ({tone: 'dim', text}) as const),
		];
	switch (status) {
		case 'waiting_review':
			return [];
		case 'completed': {
			const merged = review === 'final' && commit !== '' ? `merged as ${commit.slice(0, 7)}` : '';
			const isOverride = mergedWithoutChecks(trace, taskId) !== undefined;
			const done = left ? 'left on its branch, not merged' : merged || word;
			const result = isOverride ? `${done} without checks` : done;
			return [
				{tone: left || isOverride ? 'warn' : 'good', text: summary === '' ? result : `${result}: ${summary}`},
			];
		}
		case 'failed':
			return [{tone: 'bad', text: withSummary}];
		case 'blocked':
			return [{tone: isPaused(task) ? 'warn' : 'bad', text: withSummary}];
		case 'cancelled':
			return [{tone: 'dim', text: withSummary}];
		default:
			return [{tone: 'plain', text: withSummary}];
	}
};
