import {expect, test} from 'vitest';
import {HiveError} from '../../source/domain/errors.ts';
import {isExhausted} from '../../source/domain/exhausted.ts';
import {createGit} from '../../source/drivers/git.ts';
import {runToEnd} from '../../source/drivers/run-to-end.ts';
import {createRig, publishesIsolated, scripted} from './rig.ts';

/** Returns a machine that fails to start git with EMFILE while `lacks` is true. */
const createLacking = async () => {
	const machine = {lacks: false};
	const git = createGit(process.env, undefined, (...call) =>
		machine.lacks
			? Promise.reject(Object.assign(new Error('spawn git EMFILE'), {code: 'EMFILE'}))
			: runToEnd(...call),
	);
	const bee = scripted('echo work >work.txt', {worktree: true, publishes: publishesIsolated});
	const rig = await createRig({bees: {builder: bee}, faulty: () => ({git})});
	return {...rig, machine};
};

test('a run that cannot begin for want of file descriptors stays open, and begins once some are free', async () => {
	const {begin, machine, trace, dispatcher, appears, ended, collect} = await createLacking();
	machine.lacks = true;
	await expect(begin('builder')).rejects.toMatchObject({
		refusal: {code: 'internal', hint: expect.stringContaining('ulimit -n')},
	});
	const now = await trace();
	const [run] = [...now.runs.values()];
	expect(run?.status).toBe('running');
	expect(now.tasks.get('one')?.status).toBe('running');
	expect(now.energyRemaining).toBe(11);
	machine.lacks = false;
	if (run === undefined) return;
	await dispatcher.begin(now, run);
	await appears(run.agentId, 'started');
	await ended(run.agentId);
	expect((await collect(run.agentId)).run).toMatchObject({status: 'completed'});
	expect((await trace()).energyRemaining).toBe(11);
});

test('a run that cannot be collected for want of file descriptors is collected later and completely', async () => {
	const {begin, machine, ended, collect} = await createLacking();
	const agentId = await begin('builder');
	await ended(agentId);
	machine.lacks = true;
	await expect(collect(agentId)).rejects.toMatchObject({refusal: {code: 'internal'}});
	machine.lacks = false;
	expect((await collect(agentId)).run).toMatchObject({status: 'completed'});
});

test('resource exhaustion is recognised by error codes and by the ends of lines, not by file names', () => {
	for (const message of [
		'git did not run in /repo: spawn git EMFILE',
		'git add failed: fatal: cannot open x: Too many open files',
		'fatal: cannot fork: Resource temporarily unavailable\nfatal: more',
	])
		expect(isExhausted(new HiveError('internal', {message}))).toBe(true);
	for (const message of [
		'error: open("too many open files"): Permission denied',
		'git add failed: too many open files are in the folder',
	])
		expect(isExhausted(new HiveError('internal', {message}))).toBe(false);
});
