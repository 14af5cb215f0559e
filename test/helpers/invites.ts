import type {NewEvent} from '../../source/domain/event.ts';
import {createEvent} from './events.ts';

/** Creates a pending invite of the drone, unless the fields differ. */
export const inviteOf = (inviteId: string, fields: object = {}, extra: Partial<NewEvent> = {}): NewEvent =>
	createEvent(
		'SIGNAL',
		{kind: 'session.invite', inviteId, bee: 'drone', task: 'Talk it over', status: 'pending', ...fields},
		extra,
	);

export const answerOf = (inviteId: string, action: string): NewEvent =>
	createEvent('SIGNAL', {kind: 'beekeeper.ready', inviteId, action}, {agentId: 'human'});

/** Creates the request for the session that accepts an invite. */
export const requestOf = (inviteId: string): NewEvent =>
	createEvent(
		'SIGNAL',
		{kind: 'session.requested', bee: 'drone', body: 'Talk it over', inviteId},
		{agentId: 'human'},
	);
