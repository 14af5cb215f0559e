import type {Payload, StoredEvent} from '../domain/event.ts';
import {
	type Answer,
	formatAnswer,
	formatAnswers,
	isAwaited,
	maxActLength,
	maxToolLength,
	type Question,
	questionSources,
} from '../domain/question.ts';
import type {RunRecord} from '../domain/run.ts';
import {type Asked, findAskingRun, openQuestions, questionProblem} from '../domain/run-questions.ts';
import type {Task} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import {askingRuns, type Trace} from '../domain/trace.ts';
import {isPastGate, isSuperseded, lastAnswer} from './direct-run.ts';
import type {Draft, Mutable} from './draft.ts';
import {putNote} from './notes.ts';
import {amountIn, textOf, textsOf} from './payload.ts';
import {rejectedBy} from './rejections.ts';
import {readyTask} from './transitions.ts';

/**
 * The feedback of a person on the direct run that this one repeats; empty if there was none (docs/rules.md
 * §4).
 */
export const formatRepeatFeedback = ({runs}: Trace, {agentId, trigger, bee}: RunRecord): string => {
	if (trigger === undefined) return '';
	const earlier = [...runs.values()].findLast(
		run => run.agentId !== agentId && run.trigger === trigger && run.bee === bee && run.replaced,
	);
	return earlier === undefined ? '' : (earlier.feedback ?? formatAnswers(undelivered(earlier)));
};

/**
 * Direct runs that ended well and wait for an answer. Runs that a newer run, a newer proposal, an approval or
 * a gate has superseded are left out. An answer would change nothing there.
 */
export const waitingRuns = (trace: Trace): readonly RunRecord[] =>
	trace.killed ? [] : askingRuns(trace).filter(run => run.trigger !== undefined && awaitsAnswer(trace, run));

/** The questions for whose answers open runs wait, oldest run first. */
export const awaitedQuestions = (trace: Trace): readonly Asked[] =>
	trace.killed
		? []
		: askingRuns(trace)
				.filter(({status}) => status === 'running')
				.flatMap(run => (run.questions ?? []).filter(isAwaited).map(question => ({run, question})));

/**
 * Every question that a person can answer now: of runs that wait, of tasks that wait for it, and of direct
 * runs.
 */
export const answerableQuestions = (trace: Trace): readonly Asked[] => {
	const ended = [...waitingRuns(trace), ...askingTaskRuns(trace)];
	return [
		...awaitedQuestions(trace),
		...ended.flatMap(run => openQuestions(run).map(question => ({run, question}))),
	];
};

const askingTaskRuns = ({killed, tasks, runs}: Trace): readonly RunRecord[] =>
	killed
		? []
		: [...tasks.having(inReview)]
				.filter(({waitsFor}) => waitsFor === 'question')
				.flatMap(({agentId = ''}) => runs.get(agentId) ?? []);

const inReview = taskMarks(['waiting_review']);

const awaitsAnswer = (trace: Trace, run: RunRecord): boolean => {
	const {trigger = 0, answers = '', taskId, status, replaced, agentId} = run;
	if (status !== 'completed' || replaced || lastAnswer(trace, run)?.agentId !== agentId) return false;
	if (taskId !== undefined && trace.tasks.get(taskId)?.status === 'cancelled') return false;
	return !isPastGate(trace, run) && !isSuperseded(trace, {...run, trigger, kind: answers});
};

/**
 * `human.question`: stored with the open run that asks. A question that is malformed, asked twice, or asked
 * after its run has ended is a problem of the trace.
 */
export const foldQuestion = (draft: Draft, event: StoredEvent): void => {
	const {payload, agentId = '', sequence} = event;
	const run = draft.run(agentId);
	const questionId = textOf(payload, 'questionId');
	const text = textOf(payload, 'text').trim();
	if (questionId === '' || text === '') return draft.problem(event, 'human.question asks nothing');
	const problem = questionProblem(draft.trace, run, questionId);
	if (run === undefined || problem !== undefined)
		return draft.problem(event, `human.question ${questionId}: ${problem}`);
	const options = textsOf(payload, 'options');
	const source = questionSources.find(one => one === payload.source);
	const timeoutMs = amountIn(payload, 'timeoutMs', 'whole');
	const question: Question = {
		...{questionId, sequence, text},
		...(options.length > 0 && {options}),
		...(source && {source}),
		...actIn(payload),
		...(payload.waits === true && {waits: {from: event.at, ...(timeoutMs > 0 && {timeoutMs})}}),
	};
	draft.putRun({...run, questions: [...(run.questions ?? []), question]});
};

/**
 * `human.answer`: only the first answer to a question counts. Once a run has ended and all its questions are
 * answered, its work continues. The task that it holds becomes ready again; a direct run is requested once
 * more.
 */
export const foldAnswer = (draft: Draft, event: StoredEvent): void => {
	const {payload, sequence} = event;
	const questionId = textOf(payload, 'questionId');
	const run = findAskingRun(draft.trace, questionId);
	const question = run?.questions?.find(one => one.questionId === questionId);
	if (run === undefined || question === undefined)
		return draft.problem(event, `human.answer: no run asked ${questionId}`);
	if (question.answer !== undefined)
		return draft.problem(event, `human.answer: ${questionId} was answered before`);
	const answer: Mutable<Answer> = {sequence};
	const [option, text] = [textOf(payload, 'option'), textOf(payload, 'text').trim()];
	if (option !== '') answer.option = option;
	if (text !== '') answer.text = text;
	if (payload.timedOut === true) answer.timedOut = true;
	const answered = withQuestion(run, {...question, ...waitOver(question, event), answer});
	const words = `${question.text} ${formatAnswer(answer)}`;
	putNote(draft, run.taskId ?? '', {sequence, kind: payload.kind, text: words});
	draft.putRun(answered);
	resumeWork(draft, event, answered);
};

/**
 * `ask.ended`: the run that asked no longer waits. It has the answer, or its tool gave up; then the answer
 * goes to the next run.
 */
export const foldAskEnded = (draft: Draft, event: StoredEvent): void => {
	const {payload, agentId = ''} = event;
	const questionId = textOf(payload, 'questionId');
	const run = draft.run(agentId);
	const question = run?.questions?.find(one => one.questionId === questionId);
	if (run === undefined || run.status !== 'running' || question === undefined)
		return draft.problem(event, `ask.ended: no open run asked ${questionId}`);
	const isDelivered = payload.delivered === true && question.answer !== undefined;
	const ended = {...question, ...waitOver(question, event), ...(isDelivered && {delivered: true as const})};
	draft.putRun(withQuestion(run, ended));
};

const waitOver = ({waits}: Question, {at}: StoredEvent): Pick<Question, 'waits'> =>
	waits === undefined ? {} : {waits: {...waits, until: waits.until ?? at}};

const withQuestion = (run: RunRecord, changed: Question): RunRecord => ({
	...run,
	questions: (run.questions ?? []).map(one => (one.questionId === changed.questionId ? changed : one)),
});

const actIn = ({act}: Payload): Pick<Question, 'act'> => {
	const fields: Payload = {kind: '', ...Object(act)};
	const tool = textOf(fields, 'tool').slice(0, maxToolLength);
	if (tool === '') return {};
	const texts = (['command', 'path', 'diff', 'input'] as const).flatMap(field => {
		const text = textOf(fields, field).slice(0, maxActLength);
		return text === '' ? [] : [[field, text] as const];
	});
	return {act: {tool, ...Object.fromEntries(texts)}};
};

/**
 * True if all questions of the run are answered, and it may not have seen an answer. A run that has every
 * answer went on with them.
 */
export const isAnswered = (run: RunRecord): boolean =>
	openQuestions(run).length === 0 && undelivered(run).length > 0;

/** The questions whose answers the run does not have. */
const undelivered = ({questions = []}: RunRecord): readonly Question[] =>
	questions.filter(({delivered}) => !delivered);

/**
 * Repeats a run that has ended and is answered, with the answers. For a run that is still open,
 * `foldFinished` calls this when it ends.
 */
export const resumeWork = (draft: Draft, event: StoredEvent, run: RunRecord): void => {
	if (draft.trace.killed || run.status === 'running' || !isAnswered(run)) return;
	const fresh = event.payload.fresh === true ? {fresh: true as const} : {};
	if (run.trigger !== undefined) {
		if (awaitsAnswer(draft.trace, run)) draft.putRun({...run, replaced: true});
		return;
	}
	const task = draft.task(run.taskId ?? '');
	if (task === undefined || task.agentId !== run.agentId || !isUndecided(task)) return;
	const feedback = formatAnswers(undelivered(run));
	readyTask(draft, event, {
		...task,
		...fresh,
		feedback,
		rejected: rejectedBy(draft.trace, task, {asked: feedback, sequence: event.sequence}),
	});
};

/** True if its run ended well and no one has decided about the task since. */
const isUndecided = ({status, review}: Task): boolean =>
	status === 'running' || (status === 'waiting_review' && review !== 'final');
