import {describe, expect, test} from 'vitest';
import type {Trace} from '../../source/domain/trace.ts';
import {createRig, publishesIsolated, type Rig, scripted, traceId} from './rig.ts';

const maker = scripted('echo half >half.txt; echo >"$HIVE_RUN_DIR/made"; exec sleep 600', {
	worktree: true,
	publishes: publishesIsolated,
});

const beginHalfway = async (rig: Rig): Promise<string> => {
	const agentId = await rig.begin('maker');
	await rig.appears(agentId, 'made');
	return agentId;
};

/** Returns the trace after another checkout took it over. */
const takenBy = async (rig: Rig, place: string): Promise<Trace> => {
	await rig.say({traceId, type: 'SIGNAL', payload: {kind: 'trace.taken', place, from: 'here'}});
	return rig.trace();
};

describe('handing over a trace that another checkout has taken', () => {
	test('ends its run, keeps the changes of the run, and appends nothing to the log', async () => {
		const rig = await createRig({bees: {maker}});
		const agentId = await beginHalfway(rig);
		const trace = await takenBy(rig, 'there');
		const before = await rig.events();
		expect(await rig.dispatcher.evictRuns(trace)).toEqual([{agentId, isKept: true}]);
		expect(await rig.dispatcher.evictRuns(trace)).toEqual([]);
		expect(await rig.events()).toEqual(before);
		expect(await rig.processes.inspect(rig.directoryOf(agentId))).toMatchObject({state: 'ended'});
		expect(JSON.parse(await rig.text(agentId, 'status.json'))).toMatchObject({
			state: 'cancelled',
			error: 'its trace was taken by the checkout there',
		});
		const kept = `refs/hive/keep/${traceId}/${agentId}:half.txt`;
		expect(await rig.repository.git(['show', kept])).toBe('half');
	});

	test('leaves a trace alone that has come back in the meantime', async () => {
		const rig = await createRig({bees: {maker}});
		const agentId = await beginHalfway(rig);
		await takenBy(rig, 'there');
		const trace = await takenBy(rig, 'here');
		expect(await rig.dispatcher.evictRuns(trace)).toEqual([]);
		expect(await rig.processes.inspect(rig.directoryOf(agentId))).toMatchObject({state: 'alive'});
	});
});
