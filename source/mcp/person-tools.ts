import type {McpServer} from '@modelcontextprotocol/server';
import * as z from 'zod';
import {errorResult, textResult} from './tool-result.ts';

/** Runs a hive command, and returns what it printed. */
export type RunCommand = (
	args: readonly string[],
	signal: AbortSignal,
) => Promise<{readonly output: string; readonly exitCode: number}>;

type Field = 'trace' | 'task' | 'agent';

/** A command that only reads. Its name as a tool has `_` for each space. */
type ReadCommand = {
	readonly command: string;
	readonly description: string;
	/** Fields that become flags. */
	readonly flags?: readonly Field[];
	/** A field that becomes its argument. */
	readonly argument?: Field;
	readonly required?: readonly Field[];
};

/** What a person's own assistant may read. */
const readCommands: readonly ReadCommand[] = [
	{command: 'status', description: 'What runs, what waits for the person, and every trace.'},
	{command: 'task list', description: 'The tasks of a trace.', flags: ['trace'], required: ['trace']},
	{
		command: 'task show',
		description: 'A task, and what it waits for.',
		flags: ['trace', 'task'],
		required: ['trace', 'task'],
	},
	{command: 'proposal list', description: 'The work that waits for review.'},
	{
		command: 'proposal show',
		description: 'What a reviewer sees first of a trace.',
		flags: ['trace', 'task'],
		required: ['trace'],
	},
	{
		command: 'proposal diff',
		description: 'The diff of a trace.',
		flags: ['trace', 'task'],
		required: ['trace'],
	},
	{command: 'question list', description: "The agents' questions that wait for the person."},
	{command: 'landing list', description: 'The approved merges that wait for their checks.'},
	{command: 'invite list', description: 'Invites to talk with a bee.'},
	{command: 'session list', description: 'The sessions.'},
	{command: 'cue list', description: 'The cues with which a feature or task can be started.'},
	{command: 'energy show', description: 'The budget of a trace.', flags: ['trace'], required: ['trace']},
	{
		command: 'inspect usage',
		description: 'What the runs of a trace used.',
		flags: ['trace'],
		required: ['trace'],
	},
	{
		command: 'why',
		description: 'Why a task is as it is.',
		argument: 'task',
		flags: ['trace'],
		required: ['task'],
	},
	{command: 'logs', description: 'What a run wrote.', argument: 'agent', required: ['agent']},
	{command: 'colony topology', description: 'Which bee reacts to which event.'},
	{command: 'doctor', description: 'Problems of the colony and of this machine.'},
];

/** Registers what a person's assistant may use: it reads, and starts features. It decides nothing. */
export const addPersonTools = (server: McpServer, run: RunCommand): void => {
	const answer = async (args: readonly string[], signal: AbortSignal) => {
		const {output, exitCode} = await run([...args, '--json'], signal);
		return exitCode === 0 ? textResult(output) : errorResult(output);
	};
	for (const {command, description, flags = [], argument, required = []} of readCommands) {
		const names = [...flags, ...(argument === undefined ? [] : [argument])];
		const fields = names.map(name => [name, required.includes(name) ? word : z.optional(word)] as const);
		server.registerTool(
			command.replaceAll(' ', '_'),
			{description, inputSchema: z.object(Object.fromEntries(fields)), annotations: {readOnlyHint: true}},
			async (given: Readonly<Record<string, unknown>>, {mcpReq: {signal}}) =>
				answer(
					[
						...command.split(' '),
						...flags.flatMap(name => (given[name] === undefined ? [] : [`--${name}`, String(given[name])])),
						...(argument === undefined ? [] : [String(given[argument])]),
					],
					signal,
				),
		);
	}
	server.registerTool(
		'start_feature',
		{
			description: 'Start a feature, or another cue, from a few words. It costs honey.',
			inputSchema: z.object({text: z.string().min(1), cue: z.optional(word)}),
		},
		({text, cue = 'feature'}, {mcpReq: {signal}}) => answer(['cue', 'run', cue, '--', text], signal),
	);
};

/** No option of a command: those begin with a dash. */
const word = z.string().regex(/^[\w.][\w.:/-]*$/);
