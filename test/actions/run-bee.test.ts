import {expect, test} from 'vitest';
import {requestBeeRun} from '../../source/actions/request-bee.ts';
import {createRig, scripted, traceId} from '../dispatch/rig.ts';
import {claimOf, item, planOf, readyOf} from '../helpers/events.ts';

test('a request to run a bee on a trace of another checkout is refused', async () => {
	const rig = await createRig({bees: {builder: scripted('true')}});
	for (const event of [planOf(item('one')), readyOf('one'), claimOf('a', 'one', {place: 'there'})])
		await rig.context.bus.append(event, {id: JSON.stringify(event)});
	const before = await rig.events();
	expect(await requestBeeRun(rig.context, {role: 'builder', body: 'x', traceId})).toMatchObject({
		refusal: {code: 'elsewhere', message: expect.stringContaining('there')},
	});
	expect(await rig.events()).toEqual(before);
});
