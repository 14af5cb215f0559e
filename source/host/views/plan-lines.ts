import {sanitizeLine, sanitizeText} from '../../domain/sanitize.ts';
import type {PlanItemView, PlanView} from './plan.ts';

/** Spaces before what is below the title of a task. */
const indent = '   ';

/** The plan as lines of text, safe to print: the request, then each task with what it waits for. */
export const planLines = ({title, bee, request, tasks}: PlanView): readonly string[] => {
	const titles = new Map(tasks.map(task => [task.taskId, sanitizeLine(task.title)]));
	return [
		sanitizeLine(title || request.title || 'Untitled'),
		`The plan of ${sanitizeLine(bee)}:`,
		...tasks.flatMap((task, index) => [
			'',
			`${index + 1}. ${sanitizeLine(task.title)}`,
			...taskLines(task, titles),
		]),
	];
};

/** What a task needs beside its title, each on a line; its body at the end. */
export const taskLines = (task: PlanItemView, titles: ReadonlyMap<string, string>): readonly string[] => [
	...planFacts(task, titles).map(fact => `${indent}${fact}`),
	...(task.body === undefined
		? []
		: sanitizeText(task.body)
				.text.trimEnd()
				.split('\n')
				.map(row => `${indent}${row}`)),
];

const reviewWords = {
	none: '',
	required: 'waits for your review',
	final: 'is a gate: you merge there',
} as const;

/** Facts about a task in words, without its title and body. Safe to print. */
export const planFacts = (
	{bee, sector, review = 'none', dependsOn = [], params = {}}: PlanItemView,
	titles: ReadonlyMap<string, string>,
): readonly string[] => {
	const after = dependsOn.map(id => titles.get(id) ?? sanitizeLine(id));
	const set = Object.entries(params).map(([name, value]) => `${name} ${value}`);
	return [
		[
			...(bee === undefined ? [] : [`by ${bee}`]),
			...(sector === undefined ? [] : [`in ${sector}`]),
			...(set.length === 0 ? [] : [`with ${set.join(', ')}`]),
			...(reviewWords[review] === '' ? [] : [reviewWords[review]]),
		]
			.map(sanitizeLine)
			.join(', '),
		after.length === 0 ? '' : `after ${after.join(', ')}`,
	].filter(fact => fact !== '');
};
