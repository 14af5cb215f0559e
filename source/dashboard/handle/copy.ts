import {awaitsPerson} from '../../domain/task.ts';
import {commandLineOf} from '../../host/actions/command-line.ts';
import {actionTable} from '../../host/actions/table.ts';
import {approveCommand} from '../../host/review/approve-command.ts';
import {asksPerson} from '../../host/views/run.ts';
import {copyText} from '../keys/app-rows.ts';
import {showToast} from '../store/notice-changes.ts';
import {selectedSession} from '../store/program.ts';
import {focusedPane, subjectOf} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import type {HandleContext} from './context.ts';

/** Copies through the terminal, which may be on another machine, and to this machine's clipboard. */
const copyToClipboards = ({screen, world: services}: HandleContext, text: string): void => {
	screen.copy(text);
	services.copy(text);
};

/** Copies the id of the selection; in a diff the patch. */
export const copyId = (context: HandleContext): void => {
	const {store} = context;
	const text = copyText(store.getState());
	if (text === undefined) return;
	copyToClipboards(context, text);
	store.dispatch(showToast(text.includes('\n') ? formatCopied(store.getState()) : `${text} copied.`, 'info'));
};

const formatCopied = ({detail}: State): string => (detail ? 'Text copied.' : 'Patch copied.');

export const copyCommand = (context: HandleContext): void => {
	const {store} = context;
	const command = commandFor(store.getState());
	copyToClipboards(context, command);
	store.dispatch(showToast(`Copied: ${command}`, 'info'));
};

/** The command that shows or performs the selection. */
const commandFor = (state: State): string => {
	const {trace, task, run, invite} = subjectOf(state);
	const pane = focusedPane(state);
	if (invite) return `hive invite accept ${invite.inviteId}`;
	const session = selectedSession(state);
	if (session && (pane === 'log' || pane === 'sessions')) return `hive session attach ${session.sessionId}`;
	if (run && (pane === 'log' || pane === 'sessions' || pane === 'runs' || pane === 'allRuns'))
		return `hive logs ${run.agentId}`;
	if (pane === 'events') return `hive replay ${trace?.traceId}`;
	if (trace && run && pane !== 'traces' && asksPerson(trace, run))
		return `hive bee retry ${run.agentId} --feedback '<answer>'`;
	if (!task || pane === 'traces') return `hive task list --trace ${trace?.traceId}`;
	const subject = {traceId: trace?.traceId, taskId: task.taskId};
	if (task.waitsFor === 'question')
		return commandLineOf(actionTable['task.retry'], {...subject, feedback: '<answer>'});
	if (awaitsPerson(task) && task.review === 'final') {
		const {preview} = state;
		const tree =
			preview?.state === 'ready' && preview.key.startsWith(`${trace?.traceId}/${task.taskId}@`)
				? preview.preview.tree
				: '';
		return approveCommand(subject, tree);
	}
	if (awaitsPerson(task)) return commandLineOf(actionTable['proposal.approve'], subject);
	if (task.status === 'failed') return commandLineOf(actionTable['task.retry'], subject);
	return `hive task show --trace ${trace?.traceId} --task ${task.taskId}`;
};
