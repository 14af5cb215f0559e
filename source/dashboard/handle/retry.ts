import {isPaused} from '../../domain/task.ts';
import {retryForm} from '../forms/task.ts';
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

/** It failed, or waits: nothing is given up by doing it again. */
export const repeat: Handler = context => {
	const {run} = subjectOf(context.store.getState());
	if (run === undefined) return;
	const request = {action: 'bee.retry', input: {agentId: run.agentId}} as const;
	void runRequest(context, {request, button: 'retry'});
};
