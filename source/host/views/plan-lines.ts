import {sanitizeLine, sanitizeText} from '../../domain/sanitize.ts';
import type {PlanItemView, PlanView} from './plan.ts';

/** Spaces before what is below the title of a task. */
const indent = '   ';

/** The plan as lines of text, safe to print: the request, then each task with what it waits for. */
export const planLines = ({title, bee, request, tasks}: PlanView): readonly string[] => {
	const numbers = planNumbers(tasks);
	return [
		sanitizeLine(title || request.title || 'Untitled'),
		`The plan of ${sanitizeLine(bee)}:`,
		...tasks.flatMap(task => [
			'',
			`${numbers.get(task.taskId)}. ${sanitizeLine(task.title)}`,
			...[planFacts(task, numbers)].filter(fact => fact !== '').map(fact => indent + fact),
			...bodyRows(task),
		]),
	];
};

const bodyRows = ({body = ''}: PlanItemView): readonly string[] =>
	body.trim() === ''
		? []
		: sanitizeText(body)
				.text.trimEnd()
				.split('\n')
				.map(row => indent + row);

/** The places of the tasks in their plan, from 1, by id. */
export const planNumbers = (tasks: readonly PlanItemView[]): ReadonlyMap<string, string> =>
	new Map(tasks.map(({taskId}, index) => [taskId, String(index + 1)]));

const reviewWords = {
	none: [],
	required: ['waits for your review'],
	final: ['a gate: you merge there'],
} as const;

/** What is set for a task beside its title and body, in words. Empty if nothing is. Safe to print. */
export const planFacts = (
	{bee, sector, review = 'none', dependsOn = [], params = {}}: PlanItemView,
	numbers: ReadonlyMap<string, string>,
): string => {
	const needs = dependsOn.map(id => numbers.get(id) ?? id);
	const set = Object.entries(params).map(([name, value]) => `${name} ${value}`);
	return [
		...(bee === undefined ? [] : [`by ${bee}`]),
		...(sector === undefined ? [] : [`in ${sector}`]),
		...(set.length === 0 ? [] : [`with ${set.join(', ')}`]),
		...(needs.length === 0 ? [] : [`after ${needs.join(', ')}`]),
		...reviewWords[review],
	]
		.map(sanitizeLine)
		.join('; ');
};
