import * as z from 'zod/mini';
import {describeIssues} from '../domain/describe-issues.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {findTask, traceNotFound} from '../domain/not-found.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {Answers} from './answers.ts';
import type {ConsoleServices, Question} from './console-services.ts';

/** A read route, by GET. */
export type Read = {
	/** Its `:name` parts are passed as `named`. */
	readonly path: keyof Answers;
	/** One sentence. */
	readonly summary: string;
	/** Schema of its query string. */
	readonly query?: z.ZodMiniObject;
	readonly answer: ReadHandler<object>;
	/**
	 * The part of an answer whose change makes an action stale. The first part of the ETag is that of its text,
	 * which `If-Match` is compared with. Default: the whole answer.
	 */
	readonly stable?: (answer: object) => object;
};

type ReadHandler<Value> = (services: ConsoleServices, question: Question) => Promise<Outcome<Value>>;

/** Declares the route of a path, with the answer type of that path. */
export const read = <Path extends keyof Answers>(
	path: Path,
	declared: Omit<Read, 'path' | 'answer'> & {readonly answer: ReadHandler<Answers[Path]>},
): Read => ({path, ...declared});

/** A whole number in a query string. */
export const colonyRead = (maxLimit: number) =>
	z.coerce.number().check(z.int(), z.minimum(0), z.maximum(maxLimit));

/** Answers from the trace named in the path. */
export const traceRead =
	<Value>(
		answer: (trace: Trace, services: ConsoleServices, question: Question) => Value | Promise<Value>,
	): ReadHandler<Value> =>
	async (services, question) => {
		const traceId = question.named.traceId ?? '';
		const trace = services.model.traces().get(traceId);
		return trace === undefined ? traceNotFound(traceId) : accepted(await answer(trace, services, question));
	};

/** Answers from the task named in the path. */
export const taskRead =
	<Value>(
		answer: (
			trace: Trace,
			task: Task,
			services: ConsoleServices,
			question: Question,
		) => Promise<Outcome<Value>>,
	): ReadHandler<Value> =>
	async (services, question) => {
		const {named} = question;
		const traceId = named.traceId ?? '';
		const trace = services.model.traces().get(traceId);
		if (trace === undefined) return traceNotFound(traceId);
		const task = findTask(trace, named.taskId ?? '');
		return task.ok ? answer(trace, task.value, services, question) : task;
	};

/** Parses a query string by the route's schema. */
export const readQuery = (
	{query: schema = z.object({})}: Pick<Read, 'query'>,
	given: Readonly<Record<string, string>>,
): Outcome<Readonly<Record<string, unknown>>> => {
	const read = z.safeParse(schema, given, describeIssues);
	const unknown = Object.keys(given).filter(name => !(name in schema.shape));
	if (read.success && unknown.length === 0) return accepted(read.data);
	return refuse('usage', {
		message: 'The query cannot be read.',
		hint: `It takes ${Object.keys(schema.shape).join(', ') || 'nothing'}.`,
		details: [
			...unknown.map(path => ({path, message: 'is not known'})),
			...(read.error?.issues ?? []).map(({path, message}) => ({path: path.join('.'), message})),
		],
	});
};
