import {addEnergy} from '../../source/actions/add-energy.ts';
import {approveProposal} from '../../source/actions/approve-proposal.ts';
import {cancelLanding} from '../../source/actions/cancel-landing.ts';
import {cancelTask} from '../../source/actions/cancel-task.ts';
import type {ActionContext} from '../../source/actions/context.ts';
import {createTasks} from '../../source/actions/create-tasks.ts';
import {emitEvent} from '../../source/actions/emit-event.ts';
import {freezeTrace} from '../../source/actions/freeze-trace.ts';
import {killTrace} from '../../source/actions/kill-trace.ts';
import {rejectProposal} from '../../source/actions/reject-proposal.ts';
import {requestBeeRun} from '../../source/actions/request-bee.ts';
import {retryRun} from '../../source/actions/retry-run.ts';
import {retryTask} from '../../source/actions/retry-task.ts';
import {acceptPlan, editPlan, returnPlan} from '../../source/actions/review-plan.ts';
import {startTask} from '../../source/actions/start-task.ts';
import {planReviewField} from '../../source/colony/plan-review.ts';
import type {EventType, Payload} from '../../source/domain/event.ts';
import {waitingPlan} from '../../source/domain/plan-review.ts';
import type {Question} from '../../source/domain/question.ts';
import {exhausted} from '../../source/domain/reserve.ts';
import {openQuestions} from '../../source/domain/run-questions.ts';
import type {Task, TaskStatus} from '../../source/domain/task.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {mayRunAgain, repeatableRun} from '../../source/ledger/direct-run.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {waitingRuns} from '../../source/ledger/questions.ts';
import {awaitingMerge} from '../../source/ledger/queue.ts';
import {randomPlan} from './colony.ts';
import type {Approval} from './merges.ts';
import type {Random} from './random.ts';

export type Person = {
	readonly context: ActionContext;
	readonly random: Random;
	/** Merges at a gate, until the process dies. */
	readonly merge: (traceId: string, taskId: string) => Promise<void>;
	/** Approves at a gate whose merge has to pass checks. */
	readonly request?: (traceId: string, approval: Approval) => Promise<void>;
	/** The random source of landings. */
	readonly landing?: Random;
	/** Merges the base into the worktree, in the same way. */
	readonly update: (traceId: string) => Promise<void>;
};

/** The message of a person who approves with or without a verdict of the guard. */
export const unguarded = 'whatever the guard says';

/**
 * Does one random action of a person on a trace, sensible or not. Refusals and an unreachable bus are
 * ignored.
 */
export const actAtRandom = async (person: Person, traceId: string): Promise<void> => {
	const {context, random} = person;
	const trace = await loadTrace(context.bus, traceId);
	const {tasks} = trace;
	const guardFailed = [...tasks.values()].filter(task => repeatableRun(trace, task) !== undefined);
	const again = [...trace.runs.values()].filter(run => mayRunAgain(trace, run));
	const asked = [...trace.runs.values()].flatMap(({questions = []}) => questions);
	const finalGates = [...tasks.values()].filter(({review}) => review === 'final');
	const gate = finalGates.find(({status}) => status === 'waiting_review');
	const gates = finalGates.map(({taskId}) => taskId);
	const plan = waitingPlan(trace);
	const taskIn = (...statuses: TaskStatus[]): string =>
		random.pickAny([...tasks.values()].filter(({status}) => statuses.includes(status)))?.taskId ?? 'none';
	const deeds: readonly [number, () => Promise<unknown>][] = [
		[4, () => createTasks(context, planFor(person, traceId, gates))],
		[2, () => say(context, traceId, 'SIGNAL', {kind: 'feature.requested', title: 'Do it'})],
		[3, () => addEnergy(context, {traceId, amount: random.between(1, 5)})],
		[1, () => addEnergy(context, {traceId, tokens: random.between(1, 500)})],
		[5, () => retryTask(context, {traceId, taskId: taskIn('failed', 'running', 'blocked')})],
		[
			2,
			() => retryTask(context, {traceId, taskId: taskIn('failed', 'running', 'blocked'), feedback: 'this'}),
		],
		[waitingRuns(trace).length > 0 ? 6 : 0, () => answerRun(person, trace)],
		[asked.length > 0 ? 6 : 0, () => answerAtRandom(person, traceId, asked)],
		[1, () => say(context, traceId, 'SIGNAL', {kind: 'human.question', questionId: 'q-mine', text: 'Why?'})],
		[
			again.length > 0 ? 8 : 1,
			() => retryRun(context, {agentId: random.pickAny(again)?.agentId ?? 'none', fresh: random.chance(0.5)}),
		],
		[
			guardFailed.length > 0 ? 20 : 0,
			() => retryTask(context, {traceId, taskId: random.pickAny(guardFailed)?.taskId ?? 'none'}),
		],
		[2, () => startTask(context, {traceId, taskId: taskIn('planned')})],
		[3, () => reject(person, traceId, taskIn('waiting_review'))],
		[gate === undefined ? 0 : 10, () => reject(person, traceId, gate?.taskId ?? 'none')],
		[5, () => retryTask(context, {traceId, taskId: taskIn('waiting_review'), feedback: 'once more'})],
		[6, () => approve(person, traceId, tasks.get(taskIn('waiting_review')))],
		[1, () => person.update(traceId)],
		[2, () => approve(person, traceId, tasks.get(taskIn('running')), random.chance(0.5))],
		[1, () => requestBeeRun(context, {role: 'scout', body: 'look around', traceId})],
		[1, () => requestBeeRun(context, {role: 'guard', body: 'look again', traceId})],
		[3, () => requestBeeRun(context, {role: 'builder', body: 'change it', traceId})],
		[
			2,
			() =>
				cancelTask(context, {traceId, taskId: taskIn('planned', 'ready', 'running', 'failed', 'blocked')}),
		],
		[1, () => freezeTrace(context, {traceId, how: 'freeze'})],
		[1, () => freezeTrace(context, {traceId, how: 'thaw'})],
		[1, () => killTrace(context, {traceId})],
		[plan === undefined ? 0 : 12, () => decidePlan(person, trace)],
		[trace.landing === undefined ? 0 : 3, () => cancelLanding(context, {traceId})],
		[trace.landing === undefined ? 0 : 2, () => land(person, traceId, trace.landing?.taskId ?? 'none')],
	];
	const lots = deeds.flatMap(([weight, deed]) => Array.from({length: weight}, () => deed));
	await random.pickAny(lots)?.();
};

/** Accepts, edits or returns the plan that waits, sometimes in a state that is no longer so. */
const decidePlan = ({context, random}: Person, trace: Trace): Promise<unknown> => {
	const {traceId} = trace;
	const {sequence = 0, tasks = []} = waitingPlan(trace) ?? {};
	const plan = random.chance(0.8) ? sequence : sequence - 1;
	const kept = tasks
		.filter(() => random.chance(0.8))
		.map(({taskId}) => ({taskId, title: `Edited ${taskId}`}));
	return random.pick<() => Promise<unknown>>([
		() => acceptPlan(context, {traceId, plan}),
		() => acceptPlan(context, {traceId, plan}),
		() => editPlan(context, {traceId, plan, tasks: [...kept, {taskId: `e${random.hex(3)}`, title: 'Added'}]}),
		() => returnPlan(context, {traceId, plan, body: 'otherwise'}),
	])();
};

/** Rejects a gate or task. The rework of a gate may go to any task. */
const reject = async ({context, random}: Person, traceId: string, taskId: string): Promise<unknown> => {
	const {tasks} = await loadTrace(context.bus, traceId);
	const rework = random.chance(0.5) ? undefined : random.pickAny([...tasks.keys()]);
	return rejectProposal(context, {traceId, taskId, feedback: 'not like this', rework});
};

/**
 * Does what the end of a story needs from people: honey, decisions, answers and starts after a merge, but no
 * new plans. Returns false if nothing is needed.
 */
export const attend = async (person: Person, traceId: string): Promise<boolean> => {
	const {context, random} = person;
	const trace = await loadTrace(context.bus, traceId);
	const {tasks, killed, maxTokens} = trace;
	const waiting = [...tasks.values()].filter(({status}) => status === 'waiting_review');
	const unmerged = awaitingMerge(trace);
	const plan = waitingPlan(trace);
	const isAsked = waiting.length + unmerged.length > 0 || waitingRuns(trace).length > 0 || plan !== undefined;
	if (killed || (!isAsked && exhausted(trace) === undefined)) return false;
	await addEnergy(context, {traceId, amount: 20, ...(maxTokens && {tokens: 2000})});
	for (const {taskId} of unmerged) await startTask(context, {traceId, taskId});
	await answerRun(person, trace);
	if (plan !== undefined) await acceptPlan(context, {traceId, plan: plan.sequence});
	for (const task of waiting) {
		const run = trace.runs.get(task.agentId ?? '');
		if (task.waitsFor === 'question' && random.chance(0.7))
			await answerTask(person, traceId, task, openQuestions(run ?? {}));
		else if (task.review === 'final' && random.chance(0.3)) await reject(person, traceId, task.taskId);
		else await approve(person, traceId, task);
	}
	return true;
};

/** Answers a direct run that asks a question. */
const answerRun = async ({context, random}: Person, trace: Trace): Promise<unknown> => {
	const run = random.pickAny(waitingRuns(trace));
	return run && retryRun(context, {agentId: run.agentId, feedback: 'this', fresh: random.chance(0.2)});
};

/** Answers the question of a task's run, in each of the ways that people have. */
const answerTask = (
	person: Person,
	traceId: string,
	{taskId}: Task,
	questions: readonly Question[],
): Promise<unknown> => {
	const {context, random} = person;
	const feedback = random.pick(['that', 'as you like']);
	return random.pick<() => Promise<unknown>>([
		() => retryTask(context, {traceId, taskId, feedback}),
		() => rejectProposal(context, {traceId, taskId, feedback}),
		() => Promise.all(questions.map(question => answer(person, traceId, question))),
	])();
};

/**
 * Answers a question from any time, open or not. Sometimes two answers come at once, or one without
 * validation.
 */
const answerAtRandom = async (
	person: Person,
	traceId: string,
	asked: readonly Question[],
): Promise<unknown> => {
	const {context, random} = person;
	const open = asked.filter(one => one.answer === undefined);
	const question = random.pickAny(random.chance(0.9) && open.length > 0 ? open : asked);
	if (question === undefined) return;
	const {questionId} = question;
	if (random.chance(0.2))
		return say(context, traceId, 'INSIGHT', {kind: 'human.answer', questionId, text: 'unchecked'});
	const times = random.chance(0.3) ? [1, 2] : [1];
	return Promise.all(times.map(() => answer(person, traceId, question)));
};

const answer = ({context, random}: Person, traceId: string, {questionId, options}: Question) => {
	const words = options === undefined || random.chance(0.5) ? {text: 'as you like'} : {option: options[0]};
	const payload = {kind: 'human.answer', questionId, ...words};
	return emitEvent(context, {type: 'INSIGHT', payload}, {traceId, agentId: context.by});
};

/** Appends the first request of a trace. */
export const begin = (person: Person, traceId: string): Promise<unknown> =>
	person.random.pick<() => Promise<unknown>>([
		() =>
			say(person.context, traceId, 'SIGNAL', {
				...{kind: 'feature.requested', title: 'Do it'},
				...planReviewField(person.context.colony, emptyTrace(traceId), undefined),
			}),
		() => requestBeeRun(person.context, {role: 'builder', body: 'change it', traceId}),
		() => createTasks(person.context, planFor(person, traceId)),
		() => createTasks(person.context, planFor(person, traceId)),
	])();

const planFor = ({context, random}: Person, traceId: string, gates: readonly string[] = []) => ({
	traceId,
	items: randomPlan(random, context.colony, `${random.hex(3)}-`, gates),
	autorun: random.chance(0.2),
});

/** Merges at a gate without git, through the landing queue if this story has one. */
const land = async ({merge, request, landing}: Person, traceId: string, taskId: string): Promise<void> => {
	if (request === undefined || landing === undefined || landing.chance(0.1)) return merge(traceId, taskId);
	await request(traceId, {taskId, first: landing.chance(0.2), again: landing.chance(0.7)});
};

/** Approves a task. */
const approve = async (
	person: Person,
	traceId: string,
	task: Task | undefined,
	withoutGuard = false,
): Promise<void> => {
	if (task === undefined) return;
	const {context} = person;
	const {taskId} = task;
	const summary = withoutGuard ? unguarded : 'as it should be';
	if (task.review === 'final') await land(person, traceId, taskId);
	else await approveProposal(context, {traceId, taskId, summary, withoutGuard});
};

const say = ({bus, ids, by, colony}: ActionContext, traceId: string, type: EventType, payload: Payload) =>
	bus.append({traceId, agentId: by, type, payload, ...colony.defaults.budget}, {id: ids.event()});
