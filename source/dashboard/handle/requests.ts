import {exitCodes} from '../../domain/error-table.ts';
import {actionTable, type ActionId as TableActionId} from '../../host/actions/table.ts';
import {readOnlyReason} from '../keys/resolve.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Request, Submission} from '../store/form.ts';
import {selectTrace} from '../store/list-changes.ts';
import {setMode} from '../store/mode-changes.ts';
import {type Traces, titleOfInput, withTitles} from '../store/names.ts';
import {actionEnded, actionStarted, showToast} from '../store/notice-changes.ts';
import {openTab} from '../store/pane-changes.ts';
import {browsing} from '../store/state.ts';
import {actOnMarked} from './approve-marked.ts';
import {runCommand} from './command.ts';
import {dropSentComments, saveDraft} from './comment.ts';
import type {HandleContext} from './context.ts';
import {requestChat} from './sessions.ts';
import {runShell} from './worktree.ts';

/** Performs the request of a dialog, and shows its progress and result. */
export const runRequest = async (context: HandleContext, {request, button}: Submission): Promise<void> => {
	const {store, world: services, finish} = context;
	services.faults.note(`do ${request.action}`);
	if (request.action === 'quit')
		return finish({exitCode: exitCodes.done, bees: button === 'stop' ? 'stop' : 'leave'});
	if (request.action === 'command') {
		store.dispatch(setMode(browsing));
		return runCommand(context, String(request.input.line ?? ''));
	}
	if (request.action === 'comment') {
		store.dispatch(setMode(browsing));
		return saveDraft(context, request.input);
	}
	if (request.action === 'shell') {
		store.dispatch(setMode(browsing));
		return runShell(context, String(request.input.path));
	}
	const reason = readOnlyReason(store.getState());
	// The mode is not changed, so the dialog keeps its text.
	if (reason !== undefined) return store.dispatch(showToast(reason, 'info'));
	if ('targets' in request) return actOnMarked(context, request);
	store.dispatch(setMode(browsing));
	const {traces} = store.getState();
	const progressText = formatProgress(request, traces);
	store.dispatch(actionStarted(progressText));
	const outcome = await outcomeOf(services, () =>
		request.action === 'bee.chat' || request.action === 'invite.accept'
			? requestChat(context, request.action, request.input)
			: services.act(request.action, request.input),
	);
	store.enqueue(actionEnded(progressText));
	const withTraceTitles = (text: string): string => withTitles(text, store.getState().traces, request.input);
	if (!outcome.ok)
		return store.dispatch(
			showToast(withTraceTitles(`${outcome.refusal.message} ${outcome.refusal.hint}`), 'bad'),
		);
	if (request.action === 'proposal.reject') store.dispatch(dropSentComments(request.input));
	const {said, traceId} = outcome.value;
	// Always selects the new trace. Opens its tab only if no dialog or other mode is open by now.
	if (request.action === 'cue.run' && traceId !== undefined) {
		store.dispatch(selectTrace(traceId));
		if (store.getState().mode.kind === 'browse') store.dispatch(openTab('traces'));
	}
	store.dispatch(showToast(withTraceTitles(said), 'good'));
};

const formatProgress = (
	{action, input}: Extract<Request, {readonly action: TableActionId}>,
	traces: Traces,
): string => {
	const {role, cueId, sessionId} = input;
	const named = titleOfInput(traces, typeof sessionId === 'string' ? {agentId: sessionId} : input);
	const subject = [role, cueId, named].filter(Boolean).join(' · ');
	return [actionTable[action].progressLabel, subject].filter(Boolean).join(' ');
};
