import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {statusWords} from '../../domain/status-words.ts';
import {isShown, titleOf} from '../../domain/trace.ts';
import {openLedger} from '../../ledger/ledger.ts';
import type {Action} from './action.ts';

/** Returns the one task of the trace that the action fits. Refuses if it fits none, or several. */
export const chooseTask = async (
	{bus}: Pick<ActionContext, 'bus'>,
	{id, fitsTask}: Pick<Action, 'id' | 'fitsTask'>,
	traceId: string,
): Promise<Outcome<string>> => {
	const ledger = await openLedger(bus);
	await ledger.load([traceId]);
	const trace = ledger.snapshot(traceId);
	if (!isShown(trace)) return traceNotFound(traceId);
	const fitting = [...trace.tasks.values()].filter(task => fitsTask?.({trace, task}));
	const [one, ...more] = fitting;
	if (one !== undefined && more.length === 0) return accepted(one.taskId);
	const words = `hive ${id.replaceAll('.', ' ')}`;
	if (one === undefined)
		return refuse('wrong_status', {
			message: `No task of "${titleOf(trace)}" fits "${words}" now.`,
			hint: `See its tasks with "hive task list --trace ${traceId}".`,
		});
	return refuse('usage', {
		message: `${fitting.length} tasks of "${titleOf(trace)}" fit "${words}": name one with --task.`,
		details: fitting.map(({taskId, title, status}) => ({
			path: `--task ${taskId}`,
			message: `${title} (${statusWords(status)})`,
		})),
	});
};
