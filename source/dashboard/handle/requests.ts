import {exitCodes} from '../../domain/error-table.ts';
import {actionTable} from '../../host/actions/table.ts';
import type {Request, Submission} from '../forms/form.ts';
import {whyReadOnly} from '../keys/resolve.ts';
import {outcomeOf} from '../outcome-of.ts';
import {shortId} from '../parts/words.ts';
import {began, ended, say, setMode} from '../store/changes.ts';
import {browsing} from '../store/state.ts';
import type {HandleContext} from './context.ts';
import {beginChat} from './sessions.ts';

/** Carries out what a dialog asked for; says that it is under way, and how it went. */
export const runRequest = async (context: HandleContext, {request, button}: Submission): Promise<void> => {
	const {store, world, finish} = context;
	if (request.action === 'quit')
		return finish({exitCode: exitCodes.done, bees: button === 'stop' ? 'stop' : 'leave'});
	const reason = whyReadOnly(store.getState());
	// The dialog stays, with what was typed into it.
	if (reason !== undefined) return store.dispatch(say(reason, 'info'));
	store.dispatch(setMode(browsing));
	const what = wordsOf(request);
	store.dispatch(began(what));
	const outcome = await outcomeOf(() =>
		request.action === 'bee.chat' || request.action === 'invite.accept'
			? beginChat(context, request.action, request.input)
			: world.act(request.action, request.input),
	);
	store.fold(ended(what));
	store.dispatch(
		outcome.ok
			? say(outcome.value, 'good')
			: say(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'),
	);
};

const wordsOf = ({action, input}: Exclude<Request, {readonly action: 'quit'}>): string => {
	const {taskId, role, sessionId, traceId} = input;
	const ids = [sessionId, traceId].map(id => (typeof id === 'string' ? shortId(id) : undefined));
	const subject = [taskId, role, ...ids].filter(Boolean);
	return [actionTable[action].doing, subject.join(' · ')].filter(Boolean).join(' ');
};
