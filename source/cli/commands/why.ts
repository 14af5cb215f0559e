import {accepted, type Refused, refuse} from '../../domain/errors.ts';
import type {Task} from '../../domain/task.ts';
import {localTime} from '../../host/views/local-time.ts';
import {statusClause} from '../../host/views/task.ts';
import {type Explanation, explainTask} from '../../host/waits/explain-task.ts';
import type {Wait} from '../../host/waits/waits.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';
import type {Text} from '../text.ts';
import {wrap} from '../wrap.ts';

export const why = command({
	path: 'why',
	summary: 'Explain a task: which events put it where it is, and what it waits for now.',
	flags: {
		trace: text({
			...traceFlag,
			summary: 'Trace of the task, if several traces have a task with this id.',
			required: false,
		}),
	},
	arguments: {task: text({summary: 'Task to explain.', hint: '<task>', required: true, complete: 'tasks'})},
	examples: ['why task-1', 'why _review --trace c1b20001'],
	json: '{v, traceId, taskId, status, summary, causes: [{sequence, at, kind, what, by}], waits: [{for, what, next}]}',
	run: async ({trace: given, task: taskId}, commandContext) => {
		const context = await commandContext.open();
		const explained = await explainTask(context, {traceId: given, taskId});
		if (!explained.ok) return (await pointToBlame(commandContext, taskId)) ?? explained;
		const {trace, task, causes, waits} = explained.value;
		const {traceId} = trace;
		const {status, summary} = task;
		return accepted({
			json: {traceId, taskId, status, summary, causes, waits},
			text: () => renderWhy(explained.value, commandContext.stdout.columns ?? 80),
		});
	},
});

/** Refuses a file that git has with the command that explains its lines. */
const pointToBlame = async ({cwd, open}: CommandContext, named: string): Promise<Refused | undefined> => {
	const path = named.replace(/:\d+(?:-\d+)?$/, '');
	const {git} = await open();
	const args = ['ls-files', '--error-unmatch', '--', `:(literal)${path}`];
	if ((await git.attempt(args, {cwd})).exitCode !== 0) return undefined;
	return refuse('task_not_found', {
		message: `No trace has a task "${named}", which is a file.`,
		hint: `Its lines are explained by "hive blame ${named}".`,
	});
};

/** Column at which the text of a cause begins, after sequence, time and gaps. */
const margin = 18;

const renderWhy = ({trace, task, causes, waits}: Explanation, columns: number): Text => [
	{text: `${task.taskId} ${statusClause(trace, task)}`, style: 'strong'},
	task.title === '' ? '\n' : `  ${task.title}\n`,
	'\nHow it got there\n',
	...causes.flatMap(({sequence, at, what, by, kind}) => [
		`${String(sequence).padStart(6)}  ${localTime(at)}  ${block(what, columns)}\n`,
		{text: `${' '.repeat(margin)}${by}, ${kind}\n`, style: 'dim'} as const,
	]),
	'\nWhat it waits for\n',
	...(waits.length === 0 ? [`  ${formatStatus(task)}\n`] : waits.flatMap(wait => waitLines(wait, columns))),
];

const block = (text: string, columns: number): string =>
	wrap(text, Math.max(columns - margin, 20)).join(`\n${' '.repeat(margin)}`);

const waitLines = ({for: kind, what, next}: Wait, columns: number): Exclude<Text, string> => [
	'  ',
	{text: kind.padEnd(margin - 4), style: kind === 'person' ? 'attention' : 'dim'},
	`  ${block(what, columns)}\n`,
	next === undefined ? '' : `${' '.repeat(margin)}Next: ${next}\n`,
];

const formatStatus = ({status}: Task): string => {
	if (status === 'completed' || status === 'cancelled') return 'Nothing: it is over.';
	return 'Nothing: it goes on by itself.';
};
