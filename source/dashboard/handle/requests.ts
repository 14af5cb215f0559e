import {exitCodes} from '../../domain/error-table.ts';
import type {Outcome} from '../../domain/errors.ts';
import type {Submission} from '../forms/form.ts';
import {whyReadOnly} from '../keys/resolve.ts';
import {shortId} from '../parts/words.ts';
import {settle} from '../settle.ts';
import {began, ended, say, setMode} from '../store/changes.ts';
import {browsing} from '../store/state.ts';
import type {World} from '../world.ts';
import type {HandleContext} from './context.ts';

/** Carries out what a dialog asked for; says that it is under way, and how it went. */
export const runRequest = async (context: HandleContext, submission: Submission): Promise<void> => {
	const {store, world, finish} = context;
	if (submission.request.act === 'quit')
		return finish({exitCode: exitCodes.done, bees: submission.button === 'stop' ? 'stop' : 'leave'});
	const reason = whyReadOnly(store.getState());
	// The dialog stays, with what was typed into it.
	if (reason !== undefined) return store.dispatch(say(reason, 'info'));
	store.dispatch(setMode(browsing));
	const what = wordsOf(submission.request);
	store.dispatch(began(what));
	const outcome = await settle(() => perform(world, submission));
	store.fold(ended(what));
	store.dispatch(
		outcome.ok
			? say(outcome.value.message, 'good')
			: say(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'),
	);
};

const doing = {
	approve: 'Approving',
	reject: 'Rejecting',
	retry: 'Retrying',
	cancel: 'Cancelling',
	kill: 'Killing',
	energy: 'Adding honey to',
} as const;

const wordsOf = (request: Exclude<Submission['request'], {readonly act: 'quit'}>): string => {
	if (request.act === 'cue') return 'Running the cue';
	const subject = 'taskId' in request ? `${request.taskId} · ` : '';
	return `${doing[request.act]} ${subject}${shortId(request.traceId)}`;
};

type Answer = Outcome<{readonly message: string}>;

const perform = ({act}: World, {request, button, choice, texts}: Submission): Promise<Answer> => {
	switch (request.act) {
		case 'approve':
			return act.approve(button === 'branch' ? {...request, merge: false} : request);
		case 'reject':
			return act.reject({...request, message: texts.message ?? ''});
		case 'retry':
			return act.retry({...request, feedback: texts.message ?? ''});
		case 'cancel':
			return act.cancel({...request, reason: texts.reason ?? ''});
		case 'kill':
			return act.kill({traceId: request.traceId, reason: texts.reason ?? ''});
		case 'energy':
			return act.addEnergy({traceId: request.traceId, amount: Number(choice)});
		case 'cue':
			return act.runCue({cueId: choice, text: texts.text ?? ''});
		case 'quit':
			return Promise.resolve({ok: true, value: {message: ''}});
	}
};
