import {expect, test} from 'vitest';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {mostInvites} from '../../source/ledger/invites.ts';
import {loadPending} from '../../source/reactor/pending.ts';
import {createManualClock} from './rig.ts';
import {pendingInvite, pendingRun} from './scene.ts';

test('a run that is asked for once more stays pending when the first asking is dropped after it', async () => {
	const pending = await loadPending(createMemoryBus({clock: createManualClock()}).bucket('reactor'));
	const first = pendingRun('code.proposal.isolated', 'guard', {trigger: 3});
	const repeat = {...first, asked: 9};
	pending.consider('t', 3, {runs: [first], invite: undefined});
	pending.consider('t', 9, {runs: [repeat], invite: undefined});
	expect(pending.of('t')).toEqual([repeat]);
	pending.drop('t', first);
	expect(pending.of('t')).toEqual([repeat]);
	pending.consider('t', 3, {runs: [first], invite: undefined});
	expect(pending.of('t')).toEqual([repeat]);
	pending.drop('t', repeat);
	expect(pending.of('t')).toEqual([]);
});

test('invites that are asked for survive the reactor, are asked for once, and are never too many', async () => {
	const bucket = createMemoryBus({clock: createManualClock()}).bucket('reactor');
	const pending = await loadPending(bucket);
	const ask = (number: number) =>
		pending.consider('t', number, {runs: [], invite: pendingInvite(`inv-${number}`)});
	ask(3);
	ask(3);
	await pending.save(pending.cursor());
	const again = await loadPending(bucket);
	expect(again.invitesOf('t')).toEqual([pendingInvite('inv-3')]);
	expect([again.traces(), again.considered()]).toEqual([['t'], 3]);
	again.dropInvite('t', 'inv-3');
	expect(again.traces()).toEqual([]);
	for (let number = 1; number <= mostInvites + 5; number++) ask(number);
	expect(pending.invitesOf('t')).toHaveLength(mostInvites);
});
