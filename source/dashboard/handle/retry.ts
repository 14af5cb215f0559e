import type {Question} from '../../domain/question.ts';
import type {RunRecord} from '../../domain/run.ts';
import {isPaused} from '../../domain/task.ts';
import {asksPerson, runStatusLabel} from '../../host/views/run.ts';
import {awaitedQuestion, questionForm} from '../forms/question.ts';
import {answerForm, repeatForm, retryForm} from '../forms/task.ts';
import {titleOfInput} from '../store/names.ts';
import {subjectOf} from '../store/selectors.ts';
import type {HandleContext, Handler} from './context.ts';
import {openForm, opening} from './open-form.ts';
import {runRequest} from './requests.ts';

export const retry: Handler = context => {
	const {trace, task} = subjectOf(context.store.getState());
	if (!trace || !task) return;
	const run = trace.runs.get(task.agentId ?? '');
	const question = awaitedQuestion(run);
	if (run !== undefined && question !== undefined) return openQuestion(context, run, question);
	const form = retryForm(opening(context), trace, task);
	if (task.status !== 'failed' && !isPaused(task)) openForm(context, form);
	else void runRequest(context, {request: form.request, button: 'retry'});
};

/**
 * Retries a run. A run with a question takes an answer, a failed one takes a text, and a paused one goes on
 * at once.
 */
export const repeat: Handler = context => {
	const {run, trace} = subjectOf(context.store.getState());
	if (run === undefined || trace === undefined) return;
	const question = awaitedQuestion(run);
	if (question !== undefined) return openQuestion(context, run, question);
	const request = {action: 'bee.retry', input: {agentId: run.agentId}} as const;
	const name = titleOfInput(context.store.getState().traces, run);
	if (asksPerson(trace, run)) openForm(context, answerForm(opening(context), name, run, request));
	else if (runStatusLabel(run) === 'failed')
		openForm(context, repeatForm(opening(context), name, run, request));
	else void runRequest(context, {request, button: 'retry'});
};

const openQuestion = (context: HandleContext, run: RunRecord, question: Question): void =>
	openForm(
		context,
		questionForm(opening(context), titleOfInput(context.store.getState().traces, run), run, question),
	);
