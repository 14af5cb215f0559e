import {exitCodes} from '../../domain/error-table.ts';
import {accepted} from '../../domain/errors.ts';
import {type WaitGoal, waitGoals} from '../../host/waits/wait-answer.ts';
import {type Waited, waitFor} from '../../host/waits/wait-for.ts';
import type {Wait} from '../../host/waits/waits.ts';
import {command} from '../command.ts';
import {choice, duration, text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';

export const wait = command({
	path: 'wait',
	summary: 'Wait until a trace is completed, waits for a review, or is idle.',
	description:
		'Exits with 0 as soon as the trace is in that state, also if it is already. If nothing of the trace runs or is due, only a person can help. It then exits with 9 (a task failed or was cancelled), 7 (honey or a limit exhausted) or 8 (a person has to act). It starts nothing: without a live reactor it says so, and waits for one.',
	flags: {
		trace: text({...traceFlag, summary: 'Trace to wait for; the end of its id is enough.'}),
		for: choice({
			summary:
				'completed: every task is completed, and no gate follows; review: a person has to decide; idle: nothing runs or is due.',
			choices: waitGoals,
			required: true,
		}),
		timeout: duration({summary: 'Exit with 124 after this long.', hint: '<30m>'}),
	},
	examples: ['wait --trace c1b20001 --for review', 'wait --trace c1b20001 --for completed --timeout 30m'],
	json: '{v, traceId, for, came, because: empty or failed|honey|person|timeout|signal, tasks: [{taskId, status, waits: [{for, what, next}]}], asking: [{agentId, waits: [{for, what, next}]}]}',
	run: async ({trace: traceId, for: goal, timeout}, commandContext) => {
		const {clock} = await commandContext.open();
		const timeoutSignal = new AbortController();
		const cancel = timeout === undefined ? undefined : clock.after(timeout, () => timeoutSignal.abort());
		const waited = await waitFor(commandContext, {
			...{traceId, goal},
			signal: AbortSignal.any([commandContext.signal, timeoutSignal.signal]),
			attended: createAbsenceNote(traceId),
		});
		cancel?.();
		if (!waited.ok) return waited;
		const {answer, tasks, asking} = waited.value;
		const result = readResult(answer, commandContext.signal);
		return accepted({
			json: {traceId, for: goal, came: result === '', because: result, tasks, asking},
			text: [
				{text: formatResult(traceId, goal, result), style: result === '' ? 'good' : 'attention'},
				...tasks.map(({taskId, status, waits}) => waitLines(`${taskId} is ${status}`, waits)),
				...asking.map(({agentId, waits}) => waitLines(`${agentId} asks`, waits)),
			],
			exit: exits[result],
		});
	},
});

type WaitResult = '' | 'failed' | 'honey' | 'person' | 'timeout' | 'signal';

const readResult = (answer: Waited['answer'], interrupted: AbortSignal): WaitResult => {
	if (answer.state === 'reached') return '';
	if (answer.state === 'stuck') return answer.because;
	return interrupted.aborted ? 'signal' : 'timeout';
};

const exits: Readonly<Record<WaitResult, number>> = {
	'': exitCodes.done,
	failed: exitCodes.taskFailed,
	honey: exitCodes.honeyExhausted,
	person: exitCodes.waitingForHuman,
	timeout: exitCodes.timeout,
	signal: exitCodes.interrupted,
};

/** Texts for a trace that has reached its goal, and for one that has not. */
const states: Readonly<Record<WaitGoal, {readonly isReached: string; readonly missing: string}>> = {
	completed: {isReached: 'is completed', missing: 'is not completed'},
	review: {isReached: 'waits for a review', missing: 'has nothing to review'},
	idle: {isReached: 'is idle', missing: 'is not idle'},
};

const reasons: Readonly<Record<Exclude<WaitResult, ''>, string>> = {
	failed: 'a task failed or was cancelled',
	honey: 'the honey reserve, or a limit beside it, is exhausted',
	person: 'only a person can continue it',
	timeout: 'the time is up',
	signal: 'interrupted',
};

const formatResult = (traceId: string, goal: WaitGoal, result: WaitResult): string => {
	const {isReached, missing} = states[goal];
	return result === '' ? `${traceId} ${isReached}.` : `${traceId} ${missing}: ${reasons[result]}.`;
};

const waitLines = (what: string, waits: readonly Wait[]): string =>
	[
		`\n  ${what}`,
		...waits.flatMap(({for: kind, what, next}) => [
			`    ${kind}: ${what}`,
			...(next === undefined ? [] : [`    Next: ${next}`]),
		]),
	].join('\n');

/** Notes once that no reactor works on the trace, and again after one did meanwhile. */
const createAbsenceNote = (traceId: string): ((isAttended: boolean) => void) => {
	let isNoted = false;
	return isAttended => {
		if (!isAttended && !isNoted)
			process.stderr.write(
				`hive: No reactor works on ${traceId}. Start one with "hive run"; the trace then goes on.\n`,
			);
		isNoted = !isAttended;
	};
};
