import {exitCodes} from '../../domain/error-table.ts';
import {actionTable} from '../../host/actions/table.ts';
import type {Request, Submission} from '../forms/form.ts';
import {whyReadOnly} from '../keys/resolve.ts';
import {outcomeOf} from '../outcome-of.ts';
import {shortId} from '../parts/words.ts';
import {began, ended, say, setMode} from '../store/changes.ts';
import {browsing} from '../store/state.ts';
import type {HandleContext} from './context.ts';

/** Carries out what a dialog asked for; says that it is under way, and how it went. */
export const runRequest = async (
	{store, world, finish}: HandleContext,
	{request, button}: Submission,
): Promise<void> => {
	if (request.action === 'quit')
		return finish({exitCode: exitCodes.done, bees: button === 'stop' ? 'stop' : 'leave'});
	const reason = whyReadOnly(store.getState());
	// The dialog stays, with what was typed into it.
	if (reason !== undefined) return store.dispatch(say(reason, 'info'));
	store.dispatch(setMode(browsing));
	const what = wordsOf(request);
	store.dispatch(began(what));
	const outcome = await outcomeOf(() => world.act(request.action, request.input));
	store.fold(ended(what));
	store.dispatch(
		outcome.ok
			? say(outcome.value, 'good')
			: say(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'),
	);
};

const wordsOf = ({action, input}: Exclude<Request, {readonly action: 'quit'}>): string => {
	const {taskId, traceId} = input;
	const subject = [taskId, typeof traceId === 'string' ? shortId(traceId) : undefined].filter(Boolean);
	return [actionTable[action].doing, subject.join(' · ')].filter(Boolean).join(' ');
};
