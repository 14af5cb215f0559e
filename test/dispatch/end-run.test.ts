import {describe, expect, test} from 'vitest';
import {endRun} from '../../source/dispatch/end-run.ts';
import {claimOf, item, planOf, readyOf} from '../helpers/events.ts';
import {createRig, publishesIsolated, type Rig, scripted, traceId} from './rig.ts';

const maker = (script: string, more: object = {}) =>
	scripted(script, {worktree: true, publishes: publishesIsolated, ...more});

const endless = {bees: {maker: maker('echo half >half.txt; echo >"$HIVE_RUN_DIR/made"; exec sleep 600')}};

const beginHalfway = async (rig: Rig): Promise<string> => {
	const agentId = await rig.begin('maker');
	await rig.appears(agentId, 'made');
	return agentId;
};

const saidOf = async (rig: Rig, agentId: string): Promise<string[]> =>
	(await rig.events()).map(({id}) => id).filter(id => id.startsWith(`${traceId}/${agentId}/`));

describe('ending a run', () => {
	test('is recorded once when several processes end it, and all of them report success', async () => {
		const rig = await createRig(endless);
		const agentId = await beginHalfway(rig);
		const run = {traceId, agentId, reason: 'enough'};
		await Promise.all([rig.context.endRun(run), rig.context.endRun(run), rig.context.endRun(run)]);
		expect(await saidOf(rig, agentId)).toEqual([
			`${traceId}/${agentId}/failed/0`,
			`${traceId}/${agentId}/finished/0`,
		]);
		expect(await rig.look(agentId)).toMatchObject({
			run: {status: 'cancelled', exitCode: 143, summary: 'enough'},
			status: {state: 'cancelled', error: 'enough'},
			result: {status: 'cancelled', diagnostics: {error: 'enough'}},
		});
		expect(await rig.events('code.proposal.isolated')).toEqual([]);
	});

	test('keeps the recorded end of a run that has already ended', async () => {
		const rig = await createRig({bees: {maker: maker('echo whole >whole.txt; echo "Made it"')}});
		const agentId = await rig.begin('maker');
		await rig.ended(agentId);
		await rig.context.endRun({traceId, agentId, reason: 'too late'});
		expect(await rig.look(agentId)).toMatchObject({
			run: {status: 'completed', summary: 'Made it'},
			status: {state: 'completed'},
		});
		expect(await rig.events('code.proposal.isolated')).toHaveLength(1);
	});

	test('changes nothing when the run is closed', async () => {
		const rig = await createRig({bees: {maker: maker('true')}});
		const {agentId, status} = await rig.run('maker');
		const before = await rig.events();
		await rig.context.endRun({traceId, agentId, reason: 'too late'});
		expect(await rig.events()).toEqual(before);
		expect((await rig.look(agentId)).status).toEqual(status);
	});

	test('stops a run that a reactor owns, and leaves collecting it to the reactor', async () => {
		const rig = await createRig(endless);
		const agentId = await beginHalfway(rig);
		const {bus, processes, dispatcher, context} = rig;
		const ports = {
			bus,
			processes,
			dispatcher,
			colony: () => context.colony,
			reactorIsAlive: async () => true,
		};
		await endRun(ports, {traceId, agentId, reason: 'enough'});
		expect(await processes.inspect(rig.directoryOf(agentId))).toMatchObject({state: 'ended', exitCode: 143});
		expect((await rig.look(agentId).catch(() => undefined))?.result).toBeUndefined();
		expect(await rig.collect(agentId)).toMatchObject({run: {status: 'cancelled', summary: 'enough'}});
	});

	test('refunds the honey of a run that never began, once, and prevents its start', async () => {
		const rig = await createRig(endless);
		const agentId = 'aa11bb22cc33dd44';
		for (const event of [planOf(item('one')), readyOf('one'), claimOf(agentId, 'one', {bee: 'maker'})])
			await rig.say(event);
		const {energyRemaining} = await rig.trace();
		const claimed = await rig.runOf(agentId);
		const run = {traceId, agentId, reason: 'enough'};
		await Promise.all([rig.context.endRun(run), rig.context.endRun(run)]);
		expect((await rig.trace()).energyRemaining).toBe(energyRemaining + 1);
		// A reactor with an older view may still try to begin the run.
		await rig.dispatcher.begin(...claimed);
		const {status, result, run: ended} = await rig.look(agentId);
		expect([status.state, result.status, ended.status]).toEqual(['cancelled', 'cancelled', 'cancelled']);
		expect(await rig.events('energy.add')).toHaveLength(1);
		expect(await rig.processes.inspect(rig.directoryOf(agentId))).toMatchObject({neverBegan: true});
		expect(await rig.files.size(`${rig.directoryOf(agentId)}/made`)).toBeUndefined();
	});

	test('refunds nothing for a launched run whose directory is gone', async () => {
		const rig = await createRig(endless);
		const agentId = await beginHalfway(rig);
		await rig.processes.stop(rig.directoryOf(agentId), agentId, 0);
		await rig.files.remove(rig.directoryOf(agentId));
		await rig.context.endRun({traceId, agentId, reason: 'enough'});
		expect((await rig.look(agentId)).run).toMatchObject({status: 'cancelled', summary: 'enough'});
		expect(await rig.events('energy.add')).toEqual([]);
	});
});
