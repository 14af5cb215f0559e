import type {Bee, Colony} from '../colony/colony.ts';
import {findBee} from '../colony/find-bee.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {formatEvidenceForPrompt} from '../domain/evidence.ts';
import {readParams} from '../domain/params.ts';
import {proposedIn} from '../domain/proposal-kind.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {formatRepeatFeedback} from '../ledger/questions.ts';
import type {Bus} from '../ports/bus.ts';
import {insightsFor} from './insights.ts';
import {withParams} from './set-params.ts';
import {textOfEvent, textOfTask} from './task-text.ts';

/** The input of one run, from the ledger and the log. */
export type Assignment = {
	/** With the params that its request and its task set. */
	readonly bee: Bee;
	/** About params that were left out. */
	readonly warnings: readonly string[];
	readonly task: Task | undefined;
	/** The task id that the agent gets: of its own task, or of the task that a person named for a session. */
	readonly taskId: string;
	readonly text: string;
	readonly sector: string | undefined;
	readonly intent: string;
	readonly insights: readonly string[];
	readonly feedback: string;
	/** The evidence against its newest proposal; empty if there is none. */
	readonly evidence: string;
	/** The bee invited a person to the session. */
	readonly isInvited: boolean;
	/** The terminal of the person who requested a session, as far as it is known. */
	readonly terminal: Terminal;
};

type Terminal = {readonly columns: number; readonly rows: number; readonly trueColor: boolean};

export const readAssignment = async (
	bus: Bus,
	colony: Colony,
	trace: Trace,
	run: RunRecord,
): Promise<Outcome<Assignment>> => {
	const bee = findBee(colony, run.bee || colony.defaults.defaultBee);
	if (!bee.ok) return bee;
	const task = run.taskId === undefined ? undefined : trace.tasks.get(run.taskId);
	const trigger = run.trigger === undefined ? undefined : await readEvent(bus, trace.traceId, run.trigger);
	const readField = (field: string): string | undefined => {
		const value = trigger?.payload[field];
		return typeof value === 'string' && value !== '' ? value : undefined;
	};
	const taskId = run.taskId ?? readField('taskId') ?? '';
	const {command, interactiveCommand} = bee.value;
	const isBeeRun = trigger?.payload.kind === 'bee.requested';
	const given = {
		trace: trace.params,
		request: isBeeRun ? readParams(trigger.payload.params) : undefined,
		// A guard of the task is another bee.
		task: trigger === undefined ? task?.params : undefined,
	};
	const hasCommand = (run.interactive ? interactiveCommand : command) !== undefined;
	return accepted({
		...withParams(colony, bee.value, given, {hasCommand}),
		task,
		taskId,
		text: run.interactive ? (readField('body') ?? '') : await textFor(bus, trigger, task),
		sector: readField('sector') ?? task?.sector ?? bee.value.sector,
		intent: readField('intent') ?? (trigger === undefined ? (task?.intent ?? '') : ''),
		insights: insightsFor(trace, taskId),
		feedback: [formatRepeatFeedback(trace, run), task?.feedback ?? ''].filter(Boolean).join('\n\n'),
		evidence: formatEvidenceForPrompt(task?.evidence),
		isInvited: readField('inviteId') !== undefined,
		terminal: terminalOf(trigger?.payload),
	});
};

/** Default: 80 columns and 24 rows, the size of a classic terminal. */
const terminalOf = ({columns, rows, trueColor}: Partial<StoredEvent['payload']> = {}): Terminal => ({
	columns: typeof columns === 'number' ? columns : 80,
	rows: typeof rows === 'number' ? rows : 24,
	trueColor: trueColor === true,
});

const readEvent = async (bus: Bus, traceId: string, sequence: number): Promise<StoredEvent | undefined> => {
	for await (const [event] of bus.read({traceId, after: sequence - 1}))
		return event?.sequence === sequence ? event : undefined;
	return undefined;
};

const textFor = async (
	bus: Bus,
	trigger: StoredEvent | undefined,
	task: Task | undefined,
): Promise<string> => {
	if (trigger !== undefined) return textOfEvent(trigger, await diffOf(bus, trigger));
	return task === undefined ? '' : textOfTask(task);
};

/** The diff of a proposal, from the event or from the blob that it names. */
const diffOf = async (bus: Bus, {payload}: StoredEvent): Promise<string> => {
	if (typeof payload.diff === 'string' && payload.diff !== '') return payload.diff;
	if (proposedIn(payload.kind) !== undefined && typeof payload.ref === 'string') {
		return (await bus.blobs.get(payload.ref)) ?? '';
	}
	return '';
};
