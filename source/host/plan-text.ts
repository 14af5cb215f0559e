import {readYamlUncached} from '../colony/parse/read-yaml-uncached.ts';
import {plainValue} from '../colony/parse/yaml-tree.ts';
import {accepted, type Detail, type Outcome, refuse} from '../domain/errors.ts';
import {planFields} from '../domain/plan-item.ts';
import {sanitizeLine} from '../domain/sanitize.ts';
import type {PlanView} from './views/plan.ts';

/** The plan as YAML for a person's editor, with what they may write as comments. */
const formatPlan = async ({title, bee, tasks}: PlanView): Promise<string> => {
	const {writeYaml} = await import('../colony/parse/write-yaml.ts');
	const about = title === '' ? '' : ` for ${JSON.stringify(title)}`;
	return writeYaml({tasks}, [
		`The plan of ${bee || 'a bee'}${about}. Change it, save, and leave the editor.`,
		'Tasks without dependsOn run one after another, in this order. Add, remove and move them as you like.',
		`Fields of a task: ${planFields.join(', ')}.`,
		'An empty file changes nothing.',
	]);
};

type Editing<Value> = {
	/** Opens the person's editor. Returns undefined if it failed. */
	readonly edit: (text: string, name: string) => Promise<string | undefined>;
	/** Submits the tasks. */
	readonly submit: (tasks: readonly unknown[]) => Promise<Outcome<Value>>;
};

/**
 * Has a person edit a plan. A plan that is refused comes back with its problems as comments, until it is
 * accepted, or saved without a change. Undefined if the person changed nothing.
 */
export const editPlanText = async <Value>(
	plan: PlanView,
	{edit, submit}: Editing<Value>,
): Promise<Outcome<Value | undefined>> => {
	let text = await formatPlan(plan);
	let refused: Outcome<undefined> = accepted(undefined);
	for (;;) {
		const edited = await edit(text, 'plan.yaml');
		if (edited === undefined) return refuse('usage', {message: 'The editor failed; nothing was changed.'});
		const tasks = await parsePlan(edited);
		if (edited === text || (tasks.ok && tasks.value === undefined)) return refused;
		const done = tasks.ok ? await submit(tasks.value ?? []) : tasks;
		if (done.ok || done.refusal.code !== 'invalid_plan') return done;
		refused = done;
		text = withProblems(edited, done.refusal.details);
	}
};

/** Marks a comment with a problem, so that the next round replaces it. */
const problemMark = '#! ';

const withProblems = (text: string, details: readonly Detail[]): string =>
	[
		...details.map(
			({path, message, hint}) =>
				`${problemMark}${sanitizeLine([path, message, hint].filter(Boolean).join(': '))}`,
		),
		...text.split('\n').filter(row => !row.startsWith(problemMark)),
	].join('\n');

/**
 * Reads the tasks of a plan from YAML or JSON: a list, or `tasks` of a document. Undefined for a file without
 * content. Refused as `invalid_plan`, with the lines, if it cannot be parsed.
 */
export const parsePlan = async (text: string): Promise<Outcome<readonly unknown[] | undefined>> => {
	const reading = await readYamlUncached(text);
	if (!reading.ok)
		return refuse('invalid_plan', {
			message: 'The plan cannot be read; nothing was changed.',
			hint: 'Fix the listed lines, then edit it again.',
			details: reading.problems.map(({line, message}) => ({path: `line ${line}`, message})),
		});
	const value = plainValue(reading.tree);
	if (value === null) return accepted(undefined);
	const tasks: unknown = Array.isArray(value) ? value : Object(value).tasks;
	return Array.isArray(tasks)
		? accepted(tasks)
		: refuse('invalid_plan', {
				message: 'The plan has no list of tasks; nothing was changed.',
				hint: 'Write "tasks:" and below it one item for each task.',
			});
};
