import type {StoredEvent} from '../domain/event.ts';
import type {RunRecord, Used} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {openRuns, type Trace, titleOrId} from '../domain/trace.ts';
import {usedIn} from '../ledger/payload.ts';
import {otelTraceId, rootSpanId, runSpanId, taskSpanId} from './trace-context.ts';

export type Attribute = string | number | boolean;

/** A span that has ended. */
export type Span = {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	/** UTC, RFC 3339. */
	readonly start: string;
	readonly end: string;
	readonly status: 'ok' | 'error' | 'unset';
	/** Why it failed. */
	readonly message?: string;
	readonly attributes: Readonly<Record<string, Attribute>>;
};

/**
 * The spans that end with an event: its run, its task, its trace. A machine sends the runs that it made, and
 * the tasks and traces whose worktree it has. A task or a trace that goes on after its end is sent again,
 * with the same id and the later end.
 *
 * @param trace the trace with the event folded
 * @param checkout this machine's checkout
 */
export const spansEndedBy = (event: StoredEvent, trace: Trace, checkout: string): readonly Span[] => {
	const {payload} = event;
	const run = payload.kind === 'run.finished' ? trace.runs.get(String(payload.agentId)) : undefined;
	const ended: Span[] = [];
	if (run !== undefined && run.place === checkout) ended.push(runSpan(trace, run, usedIn(payload)));
	if (trace.place !== checkout) return ended;
	const task = trace.tasks.get(run?.taskId ?? String(payload.taskId ?? ''));
	if (task !== undefined && endedTask.has(task.status)) ended.push(taskSpan(trace, task));
	if (isOver(trace)) ended.push(rootSpan(trace));
	return ended;
};

const endedTask: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** True if nothing of the trace goes on by itself, and it waits for no person. */
const isOver = (trace: Trace): boolean => {
	if (openRuns(trace).length > 0) return false;
	if (trace.killed) return true;
	if (trace.tasks.size === 0) return trace.runs.size > 0;
	return [...trace.tasks.values()].every(({status}) => status === 'completed' || status === 'cancelled');
};

const runSpan = (trace: Trace, run: RunRecord, used: Used | undefined): Span => {
	const {traceId} = trace;
	const {agentId, bee, taskId, verifies, status, startedAt, finishedAt = startedAt, exitCode, summary} = run;
	const isCheck = verifies !== undefined;
	return {
		traceId: otelTraceId(traceId),
		spanId: runSpanId(traceId, agentId),
		parentSpanId: taskId === undefined ? rootSpanId(traceId) : taskSpanId(traceId, taskId),
		name: isCheck ? 'checks' : `run ${bee}`,
		...{start: startedAt, end: finishedAt},
		status: status === 'completed' ? 'ok' : status === 'failed' ? 'error' : 'unset',
		...(status === 'failed' && summary ? {message: firstLine(summary)} : {}),
		attributes: {
			'hive.trace_id': traceId,
			'hive.run_id': agentId,
			...(taskId !== undefined && {'hive.task_id': taskId}),
			...(!isCheck && {'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': bee}),
			'hive.status': status,
			...(exitCode !== undefined && {'process.exit.code': exitCode}),
			...usageAttributes(used),
		},
	};
};

/** The convention counts cached tokens as input tokens; in hive's usage each token is in one field. */
const usageAttributes = (used: Used | undefined): Record<string, Attribute> => {
	if (used === undefined) return {};
	const {inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0} = used;
	return {
		'gen_ai.usage.input_tokens': inputTokens + cacheReadTokens + cacheWriteTokens,
		'gen_ai.usage.output_tokens': outputTokens,
		'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
		'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
		...(used.costUsd !== undefined && {'hive.cost_usd': used.costUsd}),
		...(used.isEstimated && {'hive.cost_is_estimated': true}),
	};
};

const taskSpan = (trace: Trace, task: Task): Span => {
	const {traceId} = trace;
	const {taskId, title, bee, status, summary, updatedAt, commit} = task;
	const first = [...trace.runs.values()].find(run => run.taskId === taskId);
	return {
		traceId: otelTraceId(traceId),
		spanId: taskSpanId(traceId, taskId),
		parentSpanId: rootSpanId(traceId),
		name: `task ${title || taskId}`,
		...{start: first?.startedAt ?? updatedAt, end: updatedAt},
		status: status === 'completed' ? 'ok' : status === 'failed' ? 'error' : 'unset',
		...(status === 'failed' && summary ? {message: firstLine(summary)} : {}),
		attributes: {
			'hive.trace_id': traceId,
			'hive.task_id': taskId,
			...(bee !== '' && {'hive.bee': bee}),
			'hive.status': status,
			'hive.attempts': task.attempt,
			...(commit !== '' && {'vcs.ref.head.revision': commit}),
		},
	};
};

const rootSpan = (trace: Trace): Span => {
	const {traceId, createdAt, killed, killReason, spent} = trace;
	return {
		traceId: otelTraceId(traceId),
		spanId: rootSpanId(traceId),
		name: `trace ${titleOrId(trace)}`,
		...{start: createdAt, end: endOf(trace)},
		status: killed ? 'error' : 'ok',
		...(killed ? {message: killReason || 'killed'} : {}),
		attributes: {
			'hive.trace_id': traceId,
			'hive.status': killed ? 'killed' : 'completed',
			'hive.tasks': trace.tasks.size,
			'hive.runs': trace.runs.size,
			...(spent !== undefined && {'hive.cost_usd': spent.cost, 'hive.tokens': spent.tokens}),
		},
	};
};

/** Later notes on a finished trace do not move its end. */
const endOf = ({tasks, runs, killed, updatedAt, createdAt}: Trace): string => {
	if (killed) return updatedAt;
	const ends = [
		...[...tasks.values()].map(task => task.updatedAt),
		...[...runs.values()].map(({finishedAt = createdAt}) => finishedAt),
	];
	return ends.reduce((last, end) => (end > last ? end : last), createdAt);
};

const maxMessage = 500;

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, maxMessage);
