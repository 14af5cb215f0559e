import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {findTask, traceNotFound} from '../../domain/not-found.ts';
import type {Task} from '../../domain/task.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';
import {readDecisions} from '../../host/decisions.ts';
import {type Wait, waitsOf} from '../../host/waits.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {type Cause, traceCauses} from '../../ledger/why.ts';
import type {Bus} from '../../ports/bus.ts';
import {command} from '../command.ts';
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
			summary: 'Trace of the task, where several have one of that id.',
			required: false,
		}),
	},
	arguments: {task: text({summary: 'Task to explain.', hint: '<task>', required: true, complete: 'tasks'})},
	examples: ['why task-1', 'why _review --trace c1b20001'],
	json: '{v, traceId, taskId, status, summary, causes: [{sequence, at, kind, what, by}], waits: [{for, what, next}]}',
	run: async ({trace: given, task: taskId}, session) => {
		const context = await session.open();
		const ledger = await openLedger(context.bus);
		const named = given === undefined ? onlyTraceWith(taskId, ledger.traces()) : accepted(given);
		if (!named.ok) return named;
		const traceId = named.value;
		const events = await readEvents(context.bus, traceId);
		if (events.length === 0) return traceNotFound(traceId);
		const {trace, causes} = traceCauses(traceId, taskId, events);
		const found = findTask(trace, taskId);
		if (!found.ok) return found;
		const decisions = await readDecisions(context, ledger);
		const decision = decisions.of(trace, await context.reactorIsAlive(traceId));
		const waits = waitsOf(trace, found.value, decision.waits.task(found.value));
		const {status, summary} = found.value;
		return accepted({
			json: {traceId, taskId, status, summary, causes, waits},
			text: () => renderWhy(found.value, causes, waits, session.stdout.columns ?? 80),
		});
	},
});

/** The trace that has a task of this id, when it is the only one. */
const onlyTraceWith = (taskId: string, traces: ReadonlyMap<string, Trace>): Outcome<string> => {
	const [found, ...others] = [...traces.values()].filter(({tasks}) => tasks.has(taskId));
	if (found === undefined) return refuse('task_not_found', {message: `No trace has a task "${taskId}".`});
	if (others.length === 0) return accepted(found.traceId);
	return refuse('task_not_found', {
		message: `More than one trace has a task "${taskId}".`,
		hint: 'Say which with --trace <id>.',
		details: [found, ...others].map(trace => ({path: trace.traceId, message: titleOf(trace)})),
	});
};

const readEvents = async (bus: Bus, traceId: string): Promise<StoredEvent[]> => {
	const events: StoredEvent[] = [];
	for await (const batch of bus.read({traceId, after: 0})) events.push(...batch);
	return events;
};

/** Where the words of a cause begin: sequence, time, gaps. */
const margin = 18;

const renderWhy = (task: Task, causes: readonly Cause[], waits: readonly Wait[], columns: number): Text => [
	{text: `${task.taskId} is ${task.status}`, style: 'strong'},
	task.title === '' ? '\n' : `  ${task.title}\n`,
	'\nHow it got there\n',
	...causes.flatMap(({sequence, at, what, by, kind}) => [
		`${String(sequence).padStart(6)}  ${at.slice(11, 19)}  ${block(what, columns)}\n`,
		{text: `${' '.repeat(margin)}${by}, ${kind}\n`, style: 'dim'} as const,
	]),
	'\nWhat it waits for\n',
	...(waits.length === 0 ? [`  ${restWords(task)}\n`] : waits.flatMap(wait => waitLines(wait, columns))),
];

const block = (text: string, columns: number): string =>
	wrap(text, Math.max(columns - margin, 20)).join(`\n${' '.repeat(margin)}`);

const waitLines = ({for: kind, what, next}: Wait, columns: number): Exclude<Text, string> => [
	'  ',
	{text: kind.padEnd(margin - 4), style: kind === 'person' ? 'attention' : 'dim'},
	`  ${block(what, columns)}\n`,
	next === undefined ? '' : `${' '.repeat(margin)}Next: ${next}\n`,
];

const restWords = ({status}: Task): string => {
	if (status === 'completed' || status === 'cancelled') return 'Nothing: it is over.';
	return 'Nothing: it goes on by itself.';
};
