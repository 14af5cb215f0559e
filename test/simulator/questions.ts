import type {Colony} from '../../source/colony/colony.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import {openQuestions} from '../../source/domain/run-questions.ts';
import {openRuns, type Trace} from '../../source/domain/trace.ts';
import type {Decisions} from '../../source/host/review/decisions.ts';
import {inboxOf} from '../../source/host/views/inbox.ts';
import {answerWait} from '../../source/host/waits/wait-answer.ts';
import {isPastGate, isSuperseded} from '../../source/ledger/direct-run.ts';
import type {Fold} from './invariants.ts';

/**
 * Each question has one valid answer, and only a person completes a task that waits for one. Returns one
 * sentence per breach.
 */
export const misanswered = (folds: readonly Fold[]): string[] => [
	...folds.flatMap(answers),
	...folds.flatMap(completions),
];

/** The first answer to an open question is its answer permanently. */
const answers = ({event, before, after}: Fold): string[] => {
	const {kind, questionId} = event.payload;
	return [...after.runs.values()].flatMap(({agentId, questions = []}) => {
		const earlier = new Map(before.runs.get(agentId)?.questions?.map(one => [one.questionId, one]));
		return questions.flatMap(question => {
			const known = earlier.get(question.questionId);
			const isMeant = kind === 'human.answer' && questionId === question.questionId;
			const due =
				known === undefined ? undefined : (known.answer?.sequence ?? (isMeant ? event.sequence : undefined));
			return question.answer?.sequence === due
				? []
				: [`${event.sequence}: ${question.questionId} has answer ${question.answer?.sequence}, not ${due}`];
		});
	});
};

/** Only a person completes a task whose run asks a question, or changed nothing with `on_no_change: ask`. */
const completions = ({event, before, after}: Fold): string[] => {
	const isBySelf = event.agentId === 'runtime' || before.runs.has(event.agentId ?? '');
	if (!isBySelf) return [];
	return [...after.tasks.values()].flatMap(({taskId, status, agentId = ''}) => {
		const run = after.runs.get(agentId);
		if (status !== 'completed' || before.tasks.get(taskId)?.status === 'completed' || run === undefined)
			return [];
		const why = openQuestions(run).length > 0 ? 'asks' : run.noChange === 'ask' ? 'changed nothing' : '';
		return why === '' ? [] : [`${event.sequence}: ${taskId} was completed though its run ${agentId} ${why}`];
	});
};

/**
 * Returns open questions and answers of a trace at rest that were lost. `steady` has the bees that never
 * changed.
 */
export const unheard = (trace: Trace, {of, held}: Decisions, steady: Colony): string[] => {
	if (trace.killed || trace.merge !== undefined) return [];
	const decision = of(trace);
	const holdings = held();
	const entries = inboxOf([trace], {held: holdings});
	const runs = [...trace.runs.values()].filter(run => isLast(trace, run));
	const asking = runs.filter(run => openQuestions(run).length > 0);
	const pending = decision.waits.runs().map(({run}) => run);
	const lost = runs
		.filter(run => run.questions !== undefined && openQuestions(run).length === 0)
		.filter(({trigger, bee}) => trigger === undefined || steady.bees.has(bee))
		.filter(({trigger, bee}) => !pending.some(run => run.trigger === trigger && run.bee === bee));
	const isCompleted = answerWait(trace, decision, 'completed').state === 'reached';
	const isUnfinished =
		asking.length > 0 ||
		[...trace.tasks.values()].some(({status}) => status !== 'completed' && status !== 'cancelled');
	const goesOn = openRuns(trace).length > 0 || holdings.get(trace.traceId) === 'limit';
	const isStuck = isUnfinished && entries.length === 0 && !goesOn;
	const breaches = [
		...(isCompleted
			? asking.map(({agentId}) => `it is completed although run ${agentId} asks a question`)
			: []),
		...asking
			.filter(
				({trigger, taskId = ''}) => trigger !== undefined || trace.tasks.get(taskId)?.status !== 'running',
			)
			.filter(run => !entries.some(entry => entry.kind === 'question' && isAbout(entry, run)))
			.map(({agentId}) => `the question of run ${agentId} is not shown`),
		...lost.map(({agentId}) => `the answers to run ${agentId} are lost`),
		...(isStuck ? ['it is stuck, and the inbox has nothing of it'] : []),
	];
	return breaches.map(words => `${trace.traceId}: ${words}`);
};

const isAbout = (
	entry: {readonly taskId?: string; readonly agentId?: string},
	{trigger, taskId, agentId}: RunRecord,
): boolean => (trigger === undefined ? entry.taskId === taskId : entry.agentId === agentId);

/**
 * True if the run ended well and was not overtaken by a later run, a newer proposal, a gate or a person's
 * decision.
 */
const isLast = (trace: Trace, run: RunRecord): boolean => {
	const {agentId, bee, trigger, taskId = '', answers: kind = '', status, feedback} = run;
	// A person sent back what it planned, with words.
	if (status !== 'completed' || feedback !== undefined) return false;
	const task = trace.tasks.get(taskId);
	if (trigger === undefined)
		return (
			task?.agentId === agentId &&
			(['running', 'waiting_review'].includes(task.status) || (task.status === 'completed' && !task.approved))
		);
	const later = [...trace.runs.values()]
		.filter(other => other.trigger === trigger && other.bee === bee)
		.at(-1);
	if (later?.agentId !== agentId || task?.status === 'cancelled') return false;
	return !isPastGate(trace, run) && !isSuperseded(trace, {kind, taskId, trigger});
};
