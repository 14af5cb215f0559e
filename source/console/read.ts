import * as z from 'zod/mini';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {issueWords} from '../domain/issue-words.ts';
import {findTask, traceNotFound} from '../domain/not-found.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {Answers} from './answers.ts';
import type {Question, World} from './world.ts';

/** A read route, by GET. */
export type Read = {
	/** Its `:name` parts are passed as `named`. */
	readonly path: keyof Answers;
	/** One sentence. */
	readonly summary: string;
	/** Schema of its query string. */
	readonly query?: z.ZodMiniObject;
	readonly answer: Answering<object>;
};

type Answering<Value> = (world: World, question: Question) => Promise<Outcome<Value>>;

/** Declares the route of a path, with the answer type of that path. */
export const read = <Path extends keyof Answers>(
	path: Path,
	declared: Omit<Read, 'path' | 'answer'> & {readonly answer: Answering<Answers[Path]>},
): Read => ({path, ...declared});

/** A whole number in a query string. */
export const whole = (most: number) => z.coerce.number().check(z.int(), z.minimum(0), z.maximum(most));

/** Answers from the trace named in the path. */
export const ofTrace =
	<Value>(
		answer: (trace: Trace, world: World, question: Question) => Value | Promise<Value>,
	): Answering<Value> =>
	async (world, question) => {
		const traceId = question.named.traceId ?? '';
		const trace = world.model.traces().get(traceId);
		return trace === undefined ? traceNotFound(traceId) : accepted(await answer(trace, world, question));
	};

/** Answers from the task named in the path. */
export const ofTask =
	<Value>(answer: (trace: Trace, task: Task, world: World) => Promise<Outcome<Value>>): Answering<Value> =>
	async (world, {named}) => {
		const traceId = named.traceId ?? '';
		const trace = world.model.traces().get(traceId);
		if (trace === undefined) return traceNotFound(traceId);
		const task = findTask(trace, named.taskId ?? '');
		return task.ok ? answer(trace, task.value, world) : task;
	};

/** Parses a query string by the route's schema. */
export const readQuery = (
	{query: schema = z.object({})}: Pick<Read, 'query'>,
	given: Readonly<Record<string, string>>,
): Outcome<Readonly<Record<string, unknown>>> => {
	const read = z.safeParse(schema, given);
	const unknown = Object.keys(given).filter(name => !(name in schema.shape));
	if (read.success && unknown.length === 0) return accepted(read.data);
	return refuse('usage', {
		message: 'The query cannot be read.',
		hint: `It takes ${Object.keys(schema.shape).join(', ') || 'nothing'}.`,
		details: [
			...unknown.map(path => ({path, message: 'is not known'})),
			...(read.error?.issues ?? []).map(issue => ({path: issue.path.join('.'), message: issueWords(issue)})),
		],
	});
};
