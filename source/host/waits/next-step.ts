import {formatInstallHint} from '../../colony/agent-tools.ts';
import type {NewerHive} from '../../domain/machine-status.ts';
import type {Reason} from '../../domain/reason.ts';
import {topUpCommand} from '../../domain/reserve.ts';
import type {Trace} from '../../domain/trace.ts';
import {runningCheck} from '../../ledger/landing-queue.ts';
import type {PendingRun} from '../../reactor/machine.ts';

/** The step that a person can take for a task. Undefined if there is none. */
export const nextStep = (reason: Reason, trace: Trace, taskId: string): string | undefined => {
	const {traceId} = trace;
	const act = (subcommand: string, task = taskId) => `hive ${subcommand} --trace ${traceId} --task ${task}`;
	switch (reason.for) {
		case 'dependency':
			return reason.status === 'failed' ? act('task retry', reason.taskId) : undefined;
		case 'left':
			return `${act('task start')} starts it all the same`;
		case 'plan':
			return `hive plan show --trace ${traceId}`;
		case 'queue':
			return `${act('task start')} starts it out of turn`;
		case 'landing':
			return nextOfLanding(trace);
		case 'honey':
			return topUpCommand(traceId, reason.lacks);
		case 'run':
			return `hive logs ${reason.run.agentId} --follow`;
		case 'reactor':
			return reason.checkout === undefined ? 'hive run' : undefined;
		case 'version':
			return formatUpdateStep(reason);
		case 'review':
			return reason.waitsFor === 'question'
				? act('task retry').concat(' --feedback "<answer>"')
				: reason.review === 'final'
					? // The diff is printed with the command that approves exactly that state.
						`hive proposal diff --trace ${traceId}`
					: act('proposal approve');
		case 'retry':
			return act('task retry');
		case 'limit':
			return `${act('task retry')} goes on at once`;
		default:
			return undefined;
	}
};

/** The step that a person can take for a direct run. Undefined if there is none. */
export const nextOfPending = (
	reason: Reason,
	trace: Trace,
	{trigger, bee}: PendingRun,
): string | undefined => {
	if (reason.for === 'limit') {
		const last = [...trace.runs.values()].findLast(run => run.trigger === trigger && run.bee === bee);
		return last && `hive bee retry ${last.agentId} goes on at once`;
	}
	if (reason.for === 'configuration' && reason.lack === 'program')
		return `install ${formatInstallHint(reason.name)}, or name another tool in .hive/bees; it begins then`;
	return nextStep(reason, trace, '');
};

const nextOfLanding = (trace: Trace): string => {
	const check = runningCheck(trace);
	return check === undefined ? 'hive landing list' : `hive logs ${check.agentId} --follow`;
};

/** The step on the machine whose hive is older. */
export const formatUpdateStep = ({older}: NewerHive): string =>
	`update hive ${older === undefined ? 'on this machine' : `at ${older}`}, and start its reactor again`;
