import {readYamlUncached} from '../colony/parse/read-yaml-uncached.ts';
import {plainValue} from '../colony/parse/yaml-tree.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {planFields} from '../domain/plan-item.ts';
import type {PlanView} from './views/plan.ts';

/** The plan as YAML for a person's editor, with what they may write as comments. */
export const formatPlan = async ({title, bee, tasks}: PlanView): Promise<string> => {
	const {Document} = await import('yaml');
	const document = new Document({tasks});
	const about = title === '' ? '' : ` for ${JSON.stringify(title)}`;
	document.commentBefore = [
		` The plan of ${bee || 'a bee'}${about}. Change it, save, and leave the editor.`,
		' Tasks without dependsOn run one after another, in this order. Add, remove and move them as you like.',
		` Fields of a task: ${planFields.join(', ')}.`,
		' An empty file changes nothing.',
	].join('\n');
	return document.toString({lineWidth: 100});
};

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
