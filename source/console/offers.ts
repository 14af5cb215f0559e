import {type InviteStatus, mayMove} from '../domain/invite.ts';
import type {Subject} from '../host/actions/action.ts';
import {type ActionId, actionIds, actionTable} from '../host/actions/table.ts';
import type {OffersFor} from './views.ts';

/** Returns the actions of the table that are not blocked for the subject. */
export const offersFor: OffersFor = (subject: Subject) =>
	actionIds.filter(id => {
		const {blocked, input} = actionTable[id];
		const isOfTask = 'taskId' in input.shape;
		const fits = subject.task === undefined ? !isOfTask && 'traceId' in input.shape : isOfTask;
		return fits && blocked !== undefined && blocked(subject) === undefined;
	});

/** Returns the possible answers to an invite. */
export const answersTo = ({status}: {readonly status: InviteStatus}): readonly ActionId[] => [
	...(mayMove(status, 'accepted') ? ['invite.accept' as const] : []),
	...(mayMove(status, 'cancelled') ? ['invite.reject' as const] : []),
];
