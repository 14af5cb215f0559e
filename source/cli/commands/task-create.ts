import {errorMessage} from '../../domain/error-message.ts';
import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import type {PlanItem} from '../../domain/plan-item.ts';
import {reviews} from '../../domain/task.ts';
import {maxTitleLength} from '../../domain/title.ts';
import {createTask} from '../../host/actions/tasks.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {boolean, choice, formatDefault, repeatable, text} from '../flags.ts';
import {readText} from '../read-text.ts';
import {baseFlag, bodyFlag, limitFlags, paramFlag, readPairs} from '../shared-flags.ts';

export const taskCreate = command({
	path: 'task create',
	summary: 'Add a task, or a whole plan, to a new or an existing trace.',
	description:
		'The task is described by --body, --file or --stdin; its title is the first line unless --title says another. With --plan a file (or - for standard input) holds {"tasks": […]}. If a plan has a problem, none of it is added.',
	flags: {
		title: text({summary: 'Short title.', hint: '<text>'}),
		body: bodyFlag,
		file: text({summary: 'File that holds the body.', hint: '<file>', complete: 'files'}),
		stdin: boolean({summary: 'Read the body from standard input.'}),
		plan: text({
			summary: 'File with {"tasks": […]}, or - for standard input.',
			hint: '<file|->',
			complete: 'files',
		}),
		trace: text({summary: 'Trace to add to; default: a new one.', hint: '<id>', complete: 'traces'}),
		task: text({summary: 'Id of the task; default: a generated one.', hint: '<id>'}),
		bee: text({
			summary: 'Bee that runs it; default: the default bee of the colony.',
			hint: '<role>',
			complete: 'bees',
		}),
		sector: text({summary: 'Sector to work in.', hint: '<name>', complete: 'sectors'}),
		intent: text({summary: 'Mission hint for the bee.', hint: '<intent>'}),
		param: paramFlag('A param of the bee for this task, such as model=opus.'),
		review: choice({
			summary: 'Review that the task needs before it is done; final makes it a gate, which no bee works on.',
			choices: reviews,
		}),
		dependsOn: repeatable({
			summary: 'Task that must be completed first; repeat it, or separate by commas.',
			hint: '<id>',
			complete: 'tasks',
		}),
		autorun: boolean({summary: 'Start it now, before its turn.'}),
		base: baseFlag,
		...limitFlags,
	},
	examples: [
		'task create -b "Add a login page"',
		'task create --plan plan.json',
		'task create --trace trace-0199… --task docs --depends-on api -b "Document it"',
	],
	json: '{v, traceId, taskId, taskIds, ready, unchanged, waiting, warnings}',
	run: async (input, commandContext) => {
		const context = await commandContext.open();
		const items =
			input.plan === undefined
				? await singleTask(input, commandContext, context.ids.task)
				: await readPlan(input.plan, input, commandContext);
		if (!items.ok) return items;
		const created = await createTask.run(context, {
			traceId: input.trace,
			items: items.value,
			autorun: input.autorun,
			base: input.base,
			limits: {maxCost: input.maxCost, maxTokens: input.maxTokens},
		});
		if (!created.ok) return input.plan === undefined ? asFlags(created) : created;
		const {value, sentences} = created.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

/** Renames the problems' paths to flags, since a single task is given as flags. */
const asFlags = ({refusal}: Refused): Refused => {
	const details = refusal.details.map(detail => {
		const [, field = ''] = /^payload\.tasks\.0\.(\w+)/.exec(detail.path) ?? [];
		return {...detail, path: field === '' ? detail.path : formatDefault(flagNames[field] ?? field)};
	});
	return {ok: false, refusal: {...refusal, details}};
};

/** Flags whose name is not that of the field. */
const flagNames: Readonly<Record<string, string>> = {taskId: 'task', params: 'param'};

type TaskInput = {
	readonly [Field in 'title' | 'body' | 'file' | 'task' | 'bee' | 'sector' | 'intent']: string | undefined;
} & {
	readonly stdin: boolean;
	readonly review: PlanItem['review'];
	readonly dependsOn: readonly string[];
	readonly param: readonly string[];
};

/** Flags that describe a single task. */
const aboutOne = [
	'title',
	'body',
	'file',
	'stdin',
	'task',
	'bee',
	'sector',
	'intent',
	'param',
	'review',
	'dependsOn',
] as const;

const isGiven = (value: TaskInput[(typeof aboutOne)[number]]): boolean =>
	Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

const singleTask = async (
	input: TaskInput,
	commandContext: CommandContext,
	newId: () => string,
): Promise<Outcome<readonly PlanItem[]>> => {
	const given = [input.body !== undefined, input.file !== undefined, input.stdin].filter(Boolean).length;
	if (given > 1) return refuse('usage', {message: 'Give the body once: --body, --file or --stdin.'});
	const body = await readBody(input, commandContext);
	if (!body.ok) return body;
	const title = (input.title ?? body.value.trim().split('\n')[0] ?? '').trim().slice(0, maxTitleLength);
	if (title === '')
		return refuse('usage', {
			message: 'The task has neither title nor body.',
			hint: 'Pass --body "<what is to be done>".',
		});
	const params = readPairs('--param', input.param);
	if (!params.ok) return params;
	const {bee, sector, intent, review} = input;
	const item = {
		...{taskId: input.task ?? newId(), title, body: body.value, bee, sector, intent, review},
		...(params.value && {params: params.value}),
	};
	return accepted([
		{...item, dependsOn: input.dependsOn.flatMap(ids => ids.split(',')).filter(id => id !== '')},
	]);
};

const readBody = async (
	{body, file, stdin}: TaskInput,
	commandContext: CommandContext,
): Promise<Outcome<string>> => {
	if (stdin) return accepted(await commandContext.stdin());
	return file === undefined ? accepted(body ?? '') : readText(file, commandContext);
};

const readPlan = async (
	file: string,
	input: TaskInput,
	commandContext: CommandContext,
): Promise<Outcome<readonly PlanItem[]>> => {
	const beside = aboutOne.filter(name => isGiven(input[name]));
	if (beside.length > 0)
		return refuse('usage', {
			message: `A plan describes its tasks itself; leave out ${beside.map(formatDefault).join(', ')}.`,
		});
	const source = await readText(file, commandContext);
	if (!source.ok) return source;
	try {
		const {tasks}: {tasks: readonly PlanItem[]} = JSON.parse(source.value);
		if (Array.isArray(tasks)) return accepted(tasks);
	} catch (error) {
		return refuse('invalid_json', {
			message: `The plan is not JSON: ${errorMessage(error)}`,
		});
	}
	return refuse('invalid_plan', {
		message: 'The plan has no list of tasks.',
		hint: 'Write {"tasks": [{"taskId": "a", "title": "…"}]}.',
	});
};
