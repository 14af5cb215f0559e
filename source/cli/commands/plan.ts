import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {editPlan} from '../../host/actions/plans.ts';
import {editPlanText, parsePlan} from '../../host/plan-text.ts';
import {readTrace} from '../../host/traces.ts';
import {type PlanView, planView} from '../../host/views/plan.ts';
import {planLines} from '../../host/views/plan-lines.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {integer, text} from '../flags.ts';
import {readText} from '../read-text.ts';
import {traceFlag} from '../shared-flags.ts';

export const planShow = command({
	path: 'plan show',
	summary: 'Show the plan of a trace that waits for you.',
	flags: {trace: traceFlag},
	examples: ['plan show --trace trace-0199…'],
	json: '{v, plan: {traceId, title, plan, agentId, bee, since, request: {title, body}, tasks: [{taskId, title, body?, bee?, sector?, intent?, review?, params?, dependsOn?, reworks?}]}}',
	run: async ({trace: traceId}, commandContext) => {
		const read = await readPlan(commandContext, traceId);
		if (!read.ok) return read;
		const plan = read.value;
		return accepted({
			json: {plan},
			text: () =>
				[
					...planLines(plan),
					'',
					`Accept it: hive plan accept --trace ${plan.traceId} --plan ${plan.plan}`,
					`Change it: hive plan edit --trace ${plan.traceId}`,
					`Send it back: hive plan return --trace ${plan.traceId} --body "<what should be different>"`,
				].join('\n'),
		});
	},
});

const {summary, description, shape, examples} = editPlan;

export const planEdit = command({
	path: 'plan edit',
	summary,
	...(description && {description}),
	...(examples && {examples}),
	json: shape,
	flags: {
		trace: traceFlag,
		tasks: text({
			summary: 'File with the tasks, as YAML or JSON; - for standard input.',
			hint: '<file|->',
			complete: 'files',
		}),
		plan: integer({
			summary: 'State of the plan that you saw, from "hive plan show"; refused if it has changed since.',
			hint: '<n>',
			min: 1,
		}),
	},
	run: async ({trace: traceId, tasks: file, plan: seen}, commandContext) => {
		const read = await readPlan(commandContext, traceId);
		if (!read.ok) return read;
		const plan = read.value;
		const context = await commandContext.open();
		const submit = (tasks: readonly unknown[]) =>
			editPlan.run(context, {traceId: plan.traceId, tasks, plan: seen ?? plan.plan});
		const done =
			file === undefined
				? await askEditor(commandContext, plan, submit)
				: await readFrom(file, commandContext, submit);
		if (!done.ok) return done;
		const {value, sentences} = done.value ?? unchanged(plan);
		return accepted({json: value, text: sentences.join('\n')});
	},
});

type Submit = (tasks: readonly unknown[]) => ReturnType<typeof editPlan.run>;

const unchanged = ({traceId, tasks}: PlanView) => ({
	value: {traceId, taskIds: tasks.map(({taskId}) => taskId), removed: [], warnings: []},
	sentences: ['You changed nothing. The plan waits as it was.'],
});

const readFrom = async (file: string, commandContext: CommandContext, submit: Submit) => {
	const given = await readText(file, commandContext);
	if (!given.ok) return given;
	const tasks = await parsePlan(given.value);
	return tasks.ok ? submit(tasks.value ?? []) : tasks;
};

const readPlan = async (commandContext: CommandContext, traceId: string): Promise<Outcome<PlanView>> => {
	const trace = await readTrace(await commandContext.open(), traceId);
	if (!trace.ok) return trace;
	const plan = planView(trace.value);
	return plan === undefined
		? refuse('wrong_status', {
				message: `No plan of ${traceId} waits for you.`,
				hint: 'Its tasks are listed by "hive status".',
			})
		: accepted(plan);
};

const askEditor = async (commandContext: CommandContext, plan: PlanView, submit: Submit) => {
	if (!commandContext.stdout.isTTY)
		return refuse('usage', {
			message: 'There is no terminal for an editor.',
			hint: 'Name a file: "--tasks plan.yaml", or "--tasks -" for standard input.',
		});
	const {edit} = await commandContext.programs();
	return editPlanText(plan, {edit, submit});
};
