import {expect, it} from 'vitest';
import {claimOf, createEvent, finishOf, item, planOf, reduceAll, reduceLater} from '../helpers/events.ts';

/** Events that the spec scenarios lack: the whole life of an invite, and sessions. */
const invited = () =>
	reduceAll(
		planOf(item('a')),
		createEvent('SIGNAL', {
			kind: 'session.invite',
			inviteId: 'i',
			bee: 'builder',
			task: 'Talk it over',
			status: 'pending',
		}),
	);
const answered = (action: string) => createEvent('SIGNAL', {kind: 'beekeeper.ready', inviteId: 'i', action});
const asked = createEvent('SIGNAL', {
	kind: 'session.requested',
	bee: 'builder',
	body: 'Talk it over',
	inviteId: 'i',
});
const begun = (agentId: string, trigger: number) =>
	claimOf(agentId, '', {trigger, interactive: true, reason: 'session.start'});

it('an accepted invite has the session that answers it, and is incomplete once the session is over', () => {
	const accepted = reduceLater(invited(), answered('accept'), asked);
	const talking = reduceLater(accepted, begun('s1', accepted.sequence));
	expect(talking.invites.get('i')).toMatchObject({status: 'accepted', sessionId: 's1'});
	expect(talking.runs.get('s1')).toMatchObject({interactive: true, status: 'running'});
	const left = reduceLater(talking, finishOf('s1'));
	expect(left.invites.get('i')).toMatchObject({status: 'incomplete', sessionId: 's1'});
	expect(reduceLater(left, answered('accept'), asked).invites.get('i')).toMatchObject({status: 'accepted'});
});

it('a deferred invite can be rejected', () => {
	const deferred = reduceLater(invited(), answered('defer'));
	expect(deferred.invites.get('i')).toMatchObject({status: 'deferred'});
	expect(reduceLater(deferred, answered('reject')).invites.get('i')).toMatchObject({status: 'cancelled'});
});
