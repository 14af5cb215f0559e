import {describe, expect, test} from 'vitest';
import {invitesOf, openInvites} from '../../../source/host/views/invite.ts';
import {claimOf, createEvent, finishOf, killOf, reduceAll, reduceLater} from '../../helpers/events.ts';
import {answerOf, inviteOf, requestOf} from '../../helpers/invites.ts';

const standing = (invites: ReturnType<typeof openInvites>) =>
	invites.map(({inviteId, status}) => `${inviteId} ${status}`);

const trace = reduceAll(
	createEvent('SIGNAL', {kind: 'feature.requested', title: 'x'}, {energyBudget: 12}),
	...['later', 'left', 'busy', 'no', 'newer', 'newest'].map(id => inviteOf(id)),
	answerOf('later', 'defer'),
	answerOf('left', 'accept'),
	requestOf('left'),
	claimOf('s', '', {trigger: 10}),
	finishOf('s'),
	answerOf('busy', 'accept'),
	requestOf('busy'),
	answerOf('no', 'reject'),
);

describe('the list of invites to accept', () => {
	test('begins with pending invites, longest waiting first, then deferred and incomplete ones', () => {
		expect(standing(openInvites([trace]))).toEqual([
			'newer pending',
			'newest pending',
			'later deferred',
			'left incomplete',
		]);
		expect(standing(invitesOf([trace], 'all'))).toHaveLength(6);
		expect(standing(invitesOf([trace], 'accepted'))).toEqual(['busy accepted']);
	});

	test('is empty in a killed trace', () => {
		const killed = reduceLater(trace, killOf());
		expect(standing(invitesOf([killed], 'incomplete'))).toEqual(['left incomplete']);
		expect(openInvites([killed])).toEqual([]);
	});
});
