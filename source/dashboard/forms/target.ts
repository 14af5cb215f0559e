import {isGateId} from '../../domain/ids.ts';
import {preconditionOf} from '../../domain/precondition.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Button, Form} from '../store/form.ts';
import type {Traces} from '../store/names.ts';

/**
 * When a dialog opens, in milliseconds since 1970, and the existing traces, which decide if a name needs its
 * id.
 */
export type Opening = {readonly now: number; readonly traces: Traces};

export const cancelButton: Button = {label: 'Cancel', value: 'cancel'};

/** An empty form with Cancel focused. */
export const form = (openedAt: number, parts: Partial<Form> & Pick<Form, 'title' | 'request'>): Form => ({
	openedAt,
	lines: [],
	fields: [],
	buttons: [cancelButton],
	focus: 0,
	busy: false,
	notice: '',
	...parts,
});

/** A task with its state when the dialog opened, as a precondition. */
export const target = (trace: Trace, task: Task) => ({
	traceId: trace.traceId,
	taskId: task.taskId,
	expected: preconditionOf(task),
});

/** True for merging gates: the synthesized ones, and tasks planned as `review: final`. */
export const isFinalGate = (task: Task): boolean => task.review === 'final' || isGateId(task.taskId);
