import {isPaused} from '../../domain/task.ts';
import {runName} from '../../host/views/name.ts';
import {asksPerson} from '../../host/views/run.ts';
import {answerForm, retryForm} from '../forms/task.ts';
import {subjectOf} from '../store/selectors.ts';
import type {Handler} from './context.ts';
import {openForm} from './open-form.ts';
import {runRequest} from './requests.ts';

export const retry: Handler = context => {
	const {trace, task} = subjectOf(context.store.getState());
	if (!trace || !task) return;
	const form = retryForm(context.world.now(), trace, task);
	if (task.status !== 'failed' && !isPaused(task)) openForm(context, form);
	else void runRequest(context, {request: form.request, button: 'retry'});
};

/** A run that asks takes an answer; nothing is given up by doing another again. */
export const repeat: Handler = context => {
	const {run, trace} = subjectOf(context.store.getState());
	if (run === undefined || trace === undefined) return;
	const request = {action: 'bee.retry', input: {agentId: run.agentId}} as const;
	if (asksPerson(trace, run))
		openForm(context, answerForm(context.world.now(), runName(trace, run), run, request));
	else void runRequest(context, {request, button: 'retry'});
};
