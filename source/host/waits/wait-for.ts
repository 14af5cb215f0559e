import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {isWaitingRun} from '../../domain/run.ts';
import type {TaskStatus} from '../../domain/task.ts';
import {isShown, openRuns, type Trace} from '../../domain/trace.ts';
import {awaitsBranch} from '../../ledger/final-gate.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {waitingRuns} from '../../ledger/questions.ts';
import type {Decision} from '../../reactor/decide.ts';
import {awaitsMerge} from '../../workspaces/merge/leave-branch.ts';
import type {Host} from '../host.ts';
import {readDecisions} from '../review/decisions.ts';
import {answerWait as answerGoal, type WaitAnswer, type WaitGoal} from './wait-answer.ts';
import {answerWait, questionWait, type Wait, waitsOf} from './waits.ts';

/** The result of the wait; `open` if the signal was aborted first. */
export type Waited = {
	readonly answer: WaitAnswer;
	/** The tasks that are not completed, and what each waits for. */
	readonly tasks: readonly {
		readonly taskId: string;
		readonly status: TaskStatus;
		readonly waits: readonly Wait[];
	}[];
	/** Runs without a task that ask a person, and what each asks. */
	readonly asking: readonly {readonly agentId: string; readonly waits: readonly Wait[]}[];
};

type Waiting = {
	readonly traceId: string;
	readonly goal: WaitGoal;
	readonly signal: AbortSignal;
	/** Called with whether a reactor works on the trace, each time the trace is checked and not over. */
	readonly attended: (isAttended: boolean) => void;
};

/**
 * Follows the log until the trace has reached the goal, or cannot without a person. It decides on the same
 * facts as the reactor and is notified of their changes: events and the configuration. Refused with
 * `trace_not_found`.
 */
export const waitFor = async (
	host: Pick<Host, 'open' | 'followConfiguration'>,
	{traceId, goal, signal, attended}: Waiting,
): Promise<Outcome<Waited>> => {
	const context = await host.open();
	const {bus} = context;
	const ledger = await openLedger(bus);
	const over = new AbortController();
	const ends = AbortSignal.any([signal, over.signal]);
	let outcome: Outcome<Waited> = traceNotFound(traceId);

	const checkGoal = async (): Promise<void> => {
		if (over.signal.aborted) return;
		const {caughtUp} = await following;
		await caughtUp();
		const decisions = await readDecisions(context, ledger);
		const trace = ledger.snapshot(traceId);
		if (!isShown(trace)) {
			outcome = traceNotFound(traceId);
			return over.abort();
		}
		const isAttended = await context.reactorIsAlive(traceId);
		const branch = await branchDiffers(context, trace);
		const decision = decisions.of(trace, {branchDiffers: branch});
		const answer = answerGoal(trace, decision, goal);
		const decisionNow = decisions.of(trace, {branchDiffers: branch, isAttended});
		outcome = accepted({answer, tasks: tasksIn(trace, decisionNow), asking: askingIn(trace)});
		if (answer.state === 'open') attended(isAttended);
		else over.abort();
	};
	/** One at a time: a decision reads its facts in several steps, and the ledger must not change meanwhile. */
	let turn = Promise.resolve();
	const inTurn = (work: () => Promise<void>): Promise<void> => {
		turn = turn.then(work);
		return turn;
	};
	const following = host.followConfiguration({
		signal: ends,
		changed: () => void inTurn(checkGoal).catch(() => over.abort()),
	});
	const followLog = async (): Promise<void> => {
		for await (const events of bus.follow({after: ledger.position(), signal: ends}))
			await inTurn(async () => {
				ledger.apply(events);
				if (events.some(event => event.traceId === traceId)) await checkGoal();
			});
	};
	try {
		await inTurn(checkGoal);
		await followLog();
		await turn;
		return outcome;
	} finally {
		over.abort();
	}
};

/** Like the reactor, asks git only if the log does not know. */
const branchDiffers = async ({git, colony}: ActionContext, trace: Trace): Promise<boolean> =>
	awaitsBranch(trace) && awaitsMerge(git, {root: colony.root, traceId: trace.traceId});

const tasksIn = (trace: Trace, {waits}: Decision): Waited['tasks'] =>
	[...trace.tasks.values()]
		.filter(({status}) => status !== 'completed')
		.map(task => ({
			taskId: task.taskId,
			status: task.status,
			waits: waitsOf(trace, task, waits.task(task)),
		}));

const askingIn = (trace: Trace): Waited['asking'] => [
	...waitingRuns(trace).map(run => ({agentId: run.agentId, waits: [questionWait(run)]})),
	...openRuns(trace)
		.filter(run => run.trigger !== undefined && isWaitingRun(run))
		.map(run => ({agentId: run.agentId, waits: [answerWait(run)]})),
];
