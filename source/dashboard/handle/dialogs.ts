import type {ActionId} from '../../host/actions/table.ts';
import {actionForm} from '../forms/action-form.ts';
import {cueForm, honeyForm, killForm} from '../forms/make.ts';
import {cancelForm, type retryForm, sendForm} from '../forms/task.ts';
import {showToast} from '../store/notice-changes.ts';
import {subjectOf} from '../store/selectors.ts';
import {selectedExample} from '../store/sheet-text.ts';
import {approve, approveSelected} from './approve.ts';
import {acceptConfiguration} from './configuration.ts';
import type {HandleContext, Handler} from './context.ts';
import {accept, decline} from './invites.ts';
import {openForm, opening} from './open-form.ts';
import {acceptPlan, editPlan, returnPlan} from './plan.ts';
import {reject} from './reject.ts';
import {repeat, retry} from './retry.ts';
import {openChatForm, openStopForm} from './sessions.ts';

/** Opens the dialog of an action: its own, else one with the fields of its input. */
export const dialogOf = (id: ActionId): Handler => ownDialogs[id] ?? askFor(id);

const askFor =
	(id: ActionId): Handler =>
	context => {
		const subject = subjectOf(context.store.getState());
		openForm(context, actionForm(opening(context), id, subject));
	};

/** Opens a dialog about the selected task, if there is one. */
const aboutTask =
	(make: typeof retryForm): Handler =>
	context => {
		const state = context.store.getState();
		const {trace, task} = subjectOf(state);
		if (trace && task) openForm(context, make(opening(context), trace, task));
	};

const aboutTrace =
	(make: typeof killForm): Handler =>
	context => {
		const {trace} = subjectOf(context.store.getState());
		if (trace) openForm(context, make(opening(context), trace));
	};

const askWith = (context: HandleContext, text: string): void => {
	const cues = context.world.cues();
	const {status, survey} = context.store.getState();
	if (status.isGone)
		context.store.dispatch(showToast('No cue can be run: the folder of this colony is gone.', 'bad'));
	else if (cues.length > 0) {
		const hasForge = survey?.hasForge === true;
		openForm(context, cueForm(context.world.now(), cues, {text, hasForge}));
	} else context.store.dispatch(showToast('This colony has no cues. They are files in .hive/cues/.', 'info'));
};

/** Opens the dialog of a cue with the example at the cursor, if there is one. */
export const example: Handler = context => askWith(context, selectedExample(context.store.getState()) ?? '');

const ownDialogs: Readonly<Partial<Record<ActionId, Handler>>> = {
	'proposal.approve': approve,
	// It approves again, so it shows what would land. The dialog runs failed checks again.
	'landing.retry': approveSelected,
	'proposal.reject': reject,
	'forge.send': aboutTrace(sendForm),
	'plan.accept': acceptPlan,
	'plan.edit': editPlan,
	'plan.return': returnPlan,
	'invite.accept': accept,
	'invite.reject': decline,
	'task.retry': retry,
	'bee.retry': repeat,
	'task.cancel': aboutTask(cancelForm),
	'energy.add': aboutTrace(honeyForm),
	kill: aboutTrace(killForm),
	'cue.run': context => askWith(context, ''),
	'bee.chat': openChatForm,
	'session.stop': openStopForm,
	'configuration.accept': acceptConfiguration,
};
