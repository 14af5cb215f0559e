import type {Action} from './action.ts';
import {acceptConfiguration} from './configuration.ts';
import {sendToAgent} from './forge.ts';
import {acceptInvite, recordInvite, rejectInvite} from './invites.ts';
import {prune, purge, restore} from './keeping.ts';
import {cancelLanding, retryLanding} from './landing.ts';
import {acceptPlan, editPlan, returnPlan} from './plans.ts';
import {answerQuestion} from './questions.ts';
import {approve, reject, update} from './review.ts';
import {chatWithBee, sendText, stopSession} from './sessions.ts';
import {cancelTask, createTask, retryTask, startTask} from './tasks.ts';
import {addEnergy, freeze, kill, retryBee, runBee, runCue, takeTrace, thaw} from './traces.ts';

/**
 * Every human action on a colony. Commands, keys, the palette and all other faces are derived from these
 * rows.
 */
export const actionTable = {
	'proposal.approve': approve,
	'proposal.reject': reject,
	'proposal.update': update,
	'landing.cancel': cancelLanding,
	'landing.retry': retryLanding,
	'forge.send': sendToAgent,
	'plan.accept': acceptPlan,
	'plan.edit': editPlan,
	'plan.return': returnPlan,
	'task.create': createTask,
	'task.start': startTask,
	'task.retry': retryTask,
	'task.cancel': cancelTask,
	kill,
	freeze,
	thaw,
	'trace.take': takeTrace,
	'energy.add': addEnergy,
	'cue.run': runCue,
	'bee.run': runBee,
	'bee.retry': retryBee,
	'question.answer': answerQuestion,
	'bee.chat': chatWithBee,
	'session.send': sendText,
	'session.stop': stopSession,
	'invite.accept': acceptInvite,
	'invite.reject': rejectInvite,
	'invite.record': recordInvite,
	'configuration.accept': acceptConfiguration,
	restore,
	prune,
	purge,
} as const satisfies Readonly<Record<string, Action>>;

export type ActionId = keyof typeof actionTable;

export const isActionId = (name: string): name is ActionId => name in actionTable;

export const actionIds: readonly ActionId[] = Object.keys(actionTable).filter(isActionId);
