import {formatCount} from '../../domain/format-count.ts';
import type {Trace} from '../../domain/trace.ts';
import {type PlanItemView, type PlanView, planView} from '../../host/views/plan.ts';
import {planFacts, planNumbers} from '../../host/views/plan-lines.ts';
import type {SheetLine} from '../../host/views/sheet-lines.ts';
import {type SheetPart, sheetPart} from '../parts/sheet-rows.ts';
import {perObject} from './memo.ts';

const viewOf = perObject(planView);

/** A waiting plan as the parts of a sheet: the request, each task, and what a person can do. */
export const planParts = perObject((trace: Trace): readonly SheetPart[] => {
	const plan = viewOf(trace);
	if (plan === undefined) return [];
	const {request, tasks, bee} = plan;
	const numbers = planNumbers(tasks);
	const asked = [request.title, request.body].filter(Boolean).join('\n');
	return [
		...sheetPart('request', 'Request', asked === '' ? [] : [{tone: 'plain', text: asked}]),
		// The id of quoted words: they are shown as a whole where there is room.
		...sheetPart(
			'tasks',
			'Plan',
			tasks.map(task => taskLine(task, numbers)),
		),
		...sheetPart('keys', 'Keys', [
			{
				tone: 'dim',
				text: `a accepts it, O edits it in your editor, x sends it back to ${bee} with your words.`,
			},
		]),
	];
});

const taskLine = (task: PlanItemView, numbers: ReadonlyMap<string, string>): SheetLine => {
	const facts = planFacts(task, numbers);
	const text = `${numbers.get(task.taskId)}. ${task.title}${facts === '' ? '' : ` · ${facts}`}`;
	const whole = `${text}\n${task.body}`;
	return {tone: 'plain', text, ...(task.body && {whole, more: whole})};
};

/** The title of the sheet of a plan, without the name of its trace. */
export const planTitle = (trace: Trace): string => {
	const plan = viewOf(trace);
	return plan === undefined ? 'Plan' : `Plan of ${plan.bee}, ${formatCount(plan.tasks.length, 'task')}`;
};

/** The plan of a trace that waits, from the cache of its snapshot. */
export const waitingPlanOf = (trace: Trace): PlanView | undefined => viewOf(trace);
