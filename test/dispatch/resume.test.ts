import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {sessionToResume} from '../../source/dispatch/resume.ts';
import {createEvent} from '../helpers/events.ts';
import {createRig, publishesIsolated, type Rig, scripted} from './rig.ts';

const tool = (params: object = {}) => ({
	...{adapter: 'alpha', params: {model: 'limited', ...params}, prompt_template: 'do.md'},
	...{worktree: true, publishes: publishesIsolated},
});

const rigWith = (params: object = {}) =>
	createRig({
		bees: {builder: tool(params), other: tool(), script: scripted('true', {worktree: true})},
		files: {'.hive/cache/topped-up': ''},
	});

/** Returns the task to ready and runs the bee again. */
const again = async (rig: Rig, bee = 'builder', more: object = {}) => {
	await rig.say(
		createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'one', message: 'Once more.', ...more}),
	);
	return rig.run(bee);
};

const resumes = async (rig: Rig, agentId: string): Promise<unknown> =>
	JSON.parse(await rig.text(agentId, 'meta.json')).resumes;

const waits = (rig: Rig) =>
	rig.say(createEvent('SIGNAL', {kind: 'task.status', taskId: 'one', status: 'waiting_review', summary: ''}));

describe('a run of an agent tool', () => {
	it('resumes the session of the last run of its bee on the task', async () => {
		const rig = await rigWith();
		const first = await rig.run('builder');
		expect(await resumes(rig, first.agentId)).toBeUndefined();
		await waits(rig);
		const second = await again(rig);
		expect(await resumes(rig, second.agentId)).toEqual({session: 'session-1', agentId: first.agentId});
		expect(JSON.parse(await rig.text(second.agentId, 'arguments.json'))).toContain('--resume');
	});

	it('begins a new session for another bee, and when a person or the bee file asks for one', async () => {
		const rig = await rigWith();
		await rig.run('builder');
		await waits(rig);
		expect(await resumes(rig, (await again(rig, 'other')).agentId)).toBeUndefined();
		await waits(rig);
		const fresh = await again(rig, 'builder', {fresh: true});
		expect(fresh.run.fresh).toBe(true);
		expect(await resumes(rig, fresh.agentId)).toBeUndefined();
		const set = await rigWith({resume: false});
		await set.run('builder');
		await waits(set);
		expect(await resumes(set, (await again(set)).agentId)).toBeUndefined();
	});

	it('begins a new session after a failed resume, and when no session is known', async () => {
		const rig = await rigWith();
		const first = await rig.run('builder');
		await waits(rig);
		const second = await again(rig);
		const meta = join(rig.directoryOf(second.agentId), 'meta.json');
		expect(JSON.parse(await rig.text(second.agentId, 'meta.json')).resumes.agentId).toBe(first.agentId);
		const [trace, run] = await rig.runOf(second.agentId);
		const bee = rig.ports.colony().bees.get('builder');
		if (bee === undefined) throw new Error('no builder');
		const workspace = JSON.parse(await rig.text(second.agentId, 'meta.json')).workspace;
		const next = (status: 'failed' | 'completed', more: object = {}) => {
			const runs = trace.runs.copy();
			runs.put(run.agentId, {...run, status, ...more});
			return sessionToResume(rig.ports, {...trace, runs}, {...run, agentId: 'next'}, {bee, workspace});
		};
		expect(await next('completed')).toMatchObject({session: 'session-1'});
		expect(await next('failed')).toBeUndefined();
		expect(await next('failed', {pausedUntil: '2026-03-01T15:00:00.000Z'})).toMatchObject({
			session: 'session-1',
		});
		await writeFile(meta, '{}');
		expect(await next('completed')).toBeUndefined();
	});
});
