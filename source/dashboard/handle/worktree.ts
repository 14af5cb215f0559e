import {formatInjectedWarnings} from '../../domain/injected-warnings.ts';
import {openRuns} from '../../domain/trace.ts';
import {shellForm} from '../forms/worktree.ts';
import {outcomeOf} from '../outcome-of.ts';
import {worksInWorktree} from '../store/live.ts';
import {openLive} from '../store/live-changes.ts';
import {withTitles} from '../store/names.ts';
import {showToast} from '../store/notice-changes.ts';
import {focusedPane, subjectOf} from '../store/selectors.ts';
import type {HandleContext, Handler} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openForm, opening} from './open-form.ts';

/** Opens the live diff of the selected task, run or trace. */
export const showLive: Handler = ({store}) => {
	const state = store.getState();
	const {trace, task, run} = subjectOf(state);
	if (trace === undefined) return;
	const isOfTrace = focusedPane(state) === 'traces';
	store.dispatch(
		openLive({
			traceId: trace.traceId,
			...(task && !isOfTrace && {taskId: task.taskId}),
			...(run && !isOfTrace && {agentId: run.agentId}),
		}),
	);
};

/** Opens the worktree of the selected trace in the person's editor. */
export const editWorktree: Handler = context => void edit(context);

const edit = async (context: HandleContext): Promise<void> => {
	const found = await findWorktree(context);
	if (found) await lendTerminal(context, () => context.world.editFile(found.path));
};

/** Opens a shell there. Asks first if a run works there, or if git would run planted programs. */
export const openShell: Handler = context => void shell(context);

const shell = async (context: HandleContext): Promise<void> => {
	const found = await findWorktree(context);
	if (found === undefined) return;
	const {path, trace, planted} = found;
	const runs = openRuns(trace).filter(worksInWorktree);
	const warnings = formatInjectedWarnings(planted);
	if (runs.length === 0 && warnings.length === 0) return runShell(context, path);
	openForm(context, shellForm(opening(context), trace, {path, runs, warnings}));
};

/** Lends the terminal to a shell in the folder. */
export const runShell = async (context: HandleContext, folder: string): Promise<void> => {
	await lendTerminal(context, () => context.world.openShell(folder));
};

/** The worktree of the selected trace. If it cannot be opened, a message says why. */
const findWorktree = async ({store, world: services}: HandleContext) => {
	const {trace} = subjectOf(store.getState());
	if (trace === undefined) return undefined;
	const {traceId} = trace;
	const found = await outcomeOf(services, () => services.worktree(traceId));
	if (found.ok) return {...found.value, trace};
	const {message, hint} = found.refusal;
	store.dispatch(showToast(withTitles(`${message} ${hint}`, store.getState().traces, {traceId}), 'bad'));
	return undefined;
};
