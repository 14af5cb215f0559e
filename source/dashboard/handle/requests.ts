import {exitCodes} from '../../domain/error-table.ts';
import {actionTable, type ActionId as TableActionId} from '../../host/actions/table.ts';
import {whyReadOnly} from '../keys/resolve.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Request, Submission} from '../store/form.ts';
import {selectTrace} from '../store/list-changes.ts';
import {setMode} from '../store/mode-changes.ts';
import {type Traces, titleOfInput, withTitles} from '../store/names.ts';
import {began, ended, say} from '../store/notice-changes.ts';
import {openTab} from '../store/pane-changes.ts';
import {browsing} from '../store/state.ts';
import {actOnMarked} from './approve-marked.ts';
import {runCommand} from './command.ts';
import {keepComment, sentComments} from './comment.ts';
import type {HandleContext} from './context.ts';
import {beginChat} from './sessions.ts';

/** Performs the request of a dialog, and shows its progress and result. */
export const runRequest = async (context: HandleContext, {request, button}: Submission): Promise<void> => {
	const {store, world, finish} = context;
	world.faults.note(`do ${request.action}`);
	if (request.action === 'quit')
		return finish({exitCode: exitCodes.done, bees: button === 'stop' ? 'stop' : 'leave'});
	if (request.action === 'command') {
		store.dispatch(setMode(browsing));
		return runCommand(context, String(request.input.line ?? ''));
	}
	if (request.action === 'comment') {
		store.dispatch(setMode(browsing));
		return keepComment(context, request.input);
	}
	const reason = whyReadOnly(store.getState());
	// The dialog stays open with its text.
	if (reason !== undefined) return store.dispatch(say(reason, 'info'));
	if ('targets' in request) return actOnMarked(context, request);
	store.dispatch(setMode(browsing));
	const {traces} = store.getState();
	const what = wordsOf(request, traces);
	store.dispatch(began(what));
	const outcome = await outcomeOf(world, () =>
		request.action === 'bee.chat' || request.action === 'invite.accept'
			? beginChat(context, request.action, request.input)
			: world.act(request.action, request.input),
	);
	store.fold(ended(what));
	const inTitles = (text: string): string => withTitles(text, store.getState().traces, request.input);
	if (!outcome.ok)
		return store.dispatch(say(inTitles(`${outcome.refusal.message} ${outcome.refusal.hint}`), 'bad'));
	if (request.action === 'proposal.reject') store.dispatch(sentComments(request.input));
	const {said, traceId} = outcome.value;
	// The new trace is selected and shown, unless the person does something else already.
	if (request.action === 'cue.run' && traceId !== undefined) {
		store.dispatch(selectTrace(traceId));
		if (store.getState().mode.kind === 'browse') store.dispatch(openTab('traces'));
	}
	store.dispatch(say(inTitles(said), 'good'));
};

const wordsOf = (
	{action, input}: Extract<Request, {readonly action: TableActionId}>,
	traces: Traces,
): string => {
	const {role, cueId, sessionId} = input;
	const named = titleOfInput(traces, typeof sessionId === 'string' ? {agentId: sessionId} : input);
	const subject = [role, cueId, named].filter(Boolean).join(' · ');
	return [actionTable[action].doing, subject].filter(Boolean).join(' ');
};
