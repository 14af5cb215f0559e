import type {McpServer} from '@modelcontextprotocol/server';
import * as z from 'zod';
import {formatAnswer, maxOptionLength, maxOptions, maxQuestionLength} from '../domain/question.ts';
import {ask, laterWords, reasonOf} from './ask.ts';
import {decidePermission, type Wish} from './decide-permission.ts';
import type {RunChannel} from './run-channel.ts';
import {errorResult, textResult} from './tool-result.ts';

/** The tools that every run has, and those that depend on what its bee publishes. */
export const commonTools = [
	'ask_human',
	'ask_permission',
	'emit_event',
	'set_title',
	'get_task',
	'list_artifacts',
] as const;
export const publishingTools = ['publish_plan', 'publish_verdict'] as const;

const planItem = z.object({
	taskId: z.string().describe('Id that is unique in the trace: letters, digits, - and _.'),
	title: z.string(),
	body: z.string().optional().describe('What is to be done.'),
	bee: z.string().optional().describe('Role of the bee that does it.'),
	sector: z.optional(z.string()),
	intent: z.optional(z.string()),
	review: z.optional(z.enum(['none', 'required', 'final'])),
	params: z
		.record(z.string(), z.string())
		.optional()
		.describe('Params of the bee for this task, such as {"model": "…"}, if you were told to choose them.'),
	dependsOn: z.array(z.string()).optional().describe('Tasks that must be completed first.'),
});

/**
 * Agent tools let an agent that only plans or reads call just what changes no file.
 * That holds for all of these: at most they publish.
 */
const callable = {readOnlyHint: true} as const;

/** Registers what an agent inside a run may use. No tool decides: hive refuses that inside a run. */
export const addRunTools = (server: McpServer, channel: RunChannel, wanted: ReadonlySet<string>): void => {
	const emit = async (type: string, payload: object) => {
		const emitted = await channel.emit({type, payload}, channel.eventId());
		return emitted.exit === 0 ? textResult(JSON.stringify(emitted.json)) : errorResult(reasonOf(emitted));
	};
	const tools: Readonly<Record<string, () => void>> = {
		ask_human: () =>
			server.registerTool(
				'ask_human',
				{
					description:
						'Ask the person who runs you, and wait for the answer. Ask only what you cannot find out and what changes your work.',
					inputSchema: z.object({
						text: z.string().min(1).max(maxQuestionLength),
						options: z
							.array(z.string().max(maxOptionLength))
							.max(maxOptions)
							.optional()
							.describe('Answers to choose from.'),
					}),
					annotations: callable,
				},
				async ({text, options = []}, {mcpReq: {signal}}) => {
					const source = options.length > 0 ? 'choice' : 'text';
					const asked = await ask(channel, {text, options, source}, signal);
					if (asked.state === 'answered') return textResult(formatAnswer(asked.answer));
					return errorResult(asked.state === 'refused' ? asked.reason : laterWords);
				},
			),
		ask_permission: () =>
			server.registerTool(
				'ask_permission',
				{
					description: 'Used by the agent tool itself to ask whether it may call one of its tools.',
					inputSchema: z.looseObject({
						tool_name: z.string(),
						input: z.record(z.string(), z.unknown()),
					}),
					annotations: callable,
				},
				async ({tool_name: tool, input}, {mcpReq: {signal}}) =>
					textResult(JSON.stringify(await behaviorOf(channel, {tool, input}, signal))),
			),
		emit_event: () =>
			server.registerTool(
				'emit_event',
				{
					description: 'Publish an event of your run. hive checks it, and says what is wrong with it.',
					inputSchema: z.object({
						type: z.enum(['SIGNAL', 'INSIGHT', 'MUTATION', 'VERIFICATION']),
						payload: z.looseObject({kind: z.string()}),
					}),
					annotations: callable,
				},
				({type, payload}) => emit(type, payload),
			),
		set_title: () =>
			server.registerTool(
				'set_title',
				{
					description: 'Give the trace a title that people recognize it by.',
					inputSchema: z.object({title: z.string().min(1).max(120)}),
					annotations: callable,
				},
				({title}) => emit('INSIGHT', {kind: 'trace.title', title}),
			),
		publish_plan: () =>
			server.registerTool(
				'publish_plan',
				{
					description: 'Publish the plan: the tasks that other bees work on.',
					inputSchema: z.object({tasks: z.array(planItem).min(1)}),
					annotations: callable,
				},
				({tasks}) =>
					emit('INSIGHT', {
						kind: 'task.plan',
						tasks: tasks.map(item => ({...item, dependsOn: item.dependsOn ?? []})),
					}),
			),
		publish_verdict: () =>
			server.registerTool(
				'publish_verdict',
				{
					description: 'Publish your verdict on the proposal that you looked at.',
					inputSchema: z.object({
						passed: z.boolean(),
						summary: z.string().describe('Why, in a few sentences.'),
					}),
					annotations: callable,
				},
				({passed, summary}) =>
					emit('VERIFICATION', {
						kind: passed ? 'verification.success' : 'verification.failed',
						summary,
					}),
			),
		get_task: () =>
			server.registerTool(
				'get_task',
				{
					description: 'Read a task of the trace: its own if you name none.',
					inputSchema: z.object({
						taskId: z
							.string()
							.regex(/^[\w-]+$/)
							.optional(),
					}),
					annotations: callable,
				},
				async ({taskId = channel.taskId}) => {
					if (taskId === '') return errorResult('This run has no task of its own. Name one with taskId.');
					const text = await channel.read(`.hive/runs/${channel.traceId}/tasks/${taskId}/task.md`);
					return text === undefined ? errorResult(`There is no task "${taskId}".`) : textResult(text);
				},
			),
		list_artifacts: () =>
			server.registerTool(
				'list_artifacts',
				{
					description: 'List the files that the runs of this trace have written for each other.',
					inputSchema: z.object({}),
					annotations: callable,
				},
				async () => {
					const folder = `.hive/runs/${channel.traceId}/artifacts`;
					const names = await channel.list(folder);
					return textResult(names.map(name => `${folder}/${name}`).join('\n') || 'There are none.');
				},
			),
	};
	for (const [name, add] of Object.entries(tools)) if (wanted.has(name)) add();
};

/** The decision in the form in which Claude Code expects it. */
const behaviorOf = async (channel: RunChannel, wish: Wish, signal: AbortSignal): Promise<object> => {
	const decided = await decidePermission(channel, wish, signal);
	return decided.isAllowed
		? {behavior: 'allow', updatedInput: wish.input}
		: {behavior: 'deny', message: decided.message};
};
