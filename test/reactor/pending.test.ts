import {expect, test} from 'vitest';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {loadPending} from '../../source/reactor/pending.ts';
import {createManualClock} from './rig.ts';
import {pendingRun} from './scene.ts';

test('a run that is asked for once more stays pending when the first asking is dropped after it', async () => {
	const pending = await loadPending(createMemoryBus({clock: createManualClock()}).bucket('reactor'));
	const first = pendingRun('code.proposal.isolated', 'guard', {trigger: 3});
	const repeat = {...first, asked: 9};
	pending.consider('t', 3, [first]);
	pending.consider('t', 9, [repeat]);
	expect(pending.of('t')).toEqual([repeat]);
	pending.drop('t', first);
	expect(pending.of('t')).toEqual([repeat]);
	pending.consider('t', 3, [first]);
	expect(pending.of('t')).toEqual([repeat]);
	pending.drop('t', repeat);
	expect(pending.of('t')).toEqual([]);
});
