import type {ActionContext} from '../actions/context.ts';
import type {Acts, Seen} from '../dashboard/world.ts';
import {counted} from '../domain/counted.ts';
import {accepted, type Outcome} from '../domain/errors.ts';

/** What keys do, by the same actions as the commands; each is loaded when it is first done. */
export const createActs = (context: ActionContext): Acts => ({
	approve: async ({traceId, taskId, merge, seen}) => {
		const {approveProposal} = await import('../actions/approve-proposal.ts');
		const input = {traceId, taskId, merge, ...withTree(seen)};
		return said(await approveProposal(context, input), ({commit, base, branch}) =>
			branch !== ''
				? `approved; the work is left on ${branch}`
				: commit === ''
					? `approved ${taskId}`
					: `merged into ${base} as ${commit.slice(0, 7)}`,
		);
	},
	reject: async ({traceId, taskId, message, seen}) => {
		const {rejectProposal} = await import('../actions/reject-proposal.ts');
		const input = {traceId, taskId, feedback: message, expected: withTree(seen).expected};
		return said(await rejectProposal(context, input), ({reworkTaskId}) =>
			reworkTaskId === taskId ? `${taskId} goes back for rework` : `rework is task ${reworkTaskId}`,
		);
	},
	retry: async ({traceId, taskId, feedback, seen}) => {
		const {retryTask} = await import('../actions/retry-task.ts');
		const input = {traceId, taskId, feedback, expected: withTree(seen).expected};
		return said(await retryTask(context, input), ({repeats}) =>
			repeats === '' ? `${taskId} runs again` : `${repeats} looks at ${taskId} again`,
		);
	},
	cancel: async ({traceId, taskId, reason, seen}) => {
		const {cancelTask} = await import('../actions/cancel-task.ts');
		const input = {traceId, taskId, reason, expected: withTree(seen).expected};
		return said(await cancelTask(context, input), ({dependants}) =>
			[`cancelled ${taskId}`, ...dependants].join(', '),
		);
	},
	kill: async ({traceId, reason}) => {
		const {killTrace} = await import('../actions/kill-trace.ts');
		return said(
			await killTrace(context, {traceId, reason}),
			({cancelled, stopped}) =>
				`killed: ${counted(cancelled.length, 'task')} cancelled, ${counted(stopped.length, 'bee')} stopped`,
		);
	},
	addEnergy: async ({traceId, amount}) => {
		const {addEnergy} = await import('../actions/add-energy.ts');
		return said(
			await addEnergy(context, {traceId, amount}),
			({energyRemaining}) => `honey +${amount}, ${energyRemaining} left`,
		);
	},
	runCue: async ({cueId, text}) => {
		const {runCue} = await import('../actions/run-cue.ts');
		return said(await runCue(context, {cueId, text}), ({kind}) => `published ${kind}`);
	},
});

/** The tree that was previewed is told apart from what was seen of the task. */
const withTree = ({tree, ...expected}: Seen) => ({
	expected,
	...(tree === undefined || tree === '' ? {} : {tree}),
});

const said = <Value>(outcome: Outcome<Value>, words: (value: Value) => string): Outcome<{message: string}> =>
	outcome.ok ? accepted({message: words(outcome.value)}) : outcome;
