import type {Subject} from '../host/actions/action.ts';
import {actionIds, actionTable} from '../host/actions/table.ts';
import type {OffersFor} from './views.ts';

/** Those of the table that are not blocked. */
export const offersFor: OffersFor = (subject: Subject) =>
	actionIds.filter(id => {
		const {blocked, input} = actionTable[id];
		const isOfTask = 'taskId' in input.shape;
		const fits = subject.task === undefined ? !isOfTask && 'traceId' in input.shape : isOfTask;
		return fits && blocked !== undefined && blocked(subject) === undefined;
	});
