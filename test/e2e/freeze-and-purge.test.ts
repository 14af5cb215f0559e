import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {createWaiting, traceId, writes} from '../actions/at-the-gate.ts';
import {builder, createColony, linesOf} from '../helpers/colony-on-disk.ts';

const onTrace = ['--trace', traceId];

describe('hive freeze', () => {
	it('freezes the live runs of one trace without a reactor, and thaw lets them continue to their end', async () => {
		const colony = await createColony({bees: {builder: {...builder, script: 'wait_for go; echo done'}}});
		await colony.ask(['task', 'create', ...onTrace, '--task', 'a', '-b', 'x']);
		const reactor = colony.follow();
		await colony.notes(1);
		await reactor.kill('SIGKILL');
		const {runs} = await colony.ask<{runs: {agentId: string; processes: number}[]}>(['freeze', ...onTrace]);
		expect(runs).toMatchObject([{bee: 'builder'}]);
		expect(runs[0]?.processes).toBeGreaterThan(0);
		expect(await colony.ask(['freeze', ...onTrace])).toMatchObject({runs});
		expect((await colony.hive(['thaw', ...onTrace])).stdout).toMatch(/^Thawed 1 run of trace-1 \(/);
		await colony.open('go');
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		expect(await colony.ask(['freeze', ...onTrace])).toMatchObject({runs: []});
		expect(await colony.ask(['freeze', '--trace', 'nobody'], {exit: 3})).toMatchObject({
			error: {code: 'trace_not_found'},
		});
	});

	it('does not prevent a frozen run from being killed', async () => {
		const colony = await createColony({bees: {builder: {...builder, script: 'wait_for never'}}});
		await colony.ask(['task', 'create', ...onTrace, '--task', 'a', '-b', 'x']);
		const reactor = colony.follow();
		await colony.notes(1);
		await colony.ask(['freeze', ...onTrace]);
		await colony.ask(['kill', ...onTrace]);
		await reactor.event({kind: 'run.finished', status: 'cancelled'});
	});
});

describe('hive purge', () => {
	const purge = (...more: string[]) => ['purge', ...onTrace, '--confirm', traceId, ...more];

	it('removes a merged trace with its events, and keeps its merge', async () => {
		const colony = await createWaiting(undefined, {bees: {builder: writes('new.txt', 'made')}});
		await colony.ask(colony.approve());
		const replayed = await colony.replay(traceId);
		const {removed, events} = await colony.ask<{removed: string[]; events: number}>(purge());
		expect(removed).toEqual(
			expect.arrayContaining([`hive/${traceId}`, join(colony.root, '.hive/runs', traceId)]),
		);
		expect(await colony.git(['for-each-ref', 'refs/hive', 'refs/heads/hive'])).toBe('');
		expect(existsSync(join(colony.root, '.hive/runs', traceId))).toBe(false);
		expect(await colony.read('new.txt')).toBe('made\n');
		expect(events).toBe(replayed.length);
		expect((await colony.replay(traceId)).map(({payload}) => payload.kind)).toEqual(['trace.purged']);
		expect((await colony.hive(purge())).stdout).toBe(`Nothing of ${traceId} was left.\n`);
	});

	it('leaves no text of the trace on disk or in lists, and its id cannot be reused', async () => {
		const colony = await createColony();
		const body = `a secret plan ${'of many words '.repeat(2000)}`;
		await colony.ask([
			'task',
			'create',
			'--trace',
			'other',
			'--task',
			'b',
			'-b',
			'stays',
			'--bee',
			'builder',
		]);
		await colony.ask(['task', 'create', ...onTrace, '--task', 'a', '--title', 'hush', '-b', body]);
		const reactor = colony.follow();
		// The other trace opens its review too, so its event would not do.
		expect((await colony.hive(['wait', ...onTrace, '--for', 'review'])).exitCode).toBe(0);
		await colony.ask(['kill', ...onTrace]);
		const stored = async () => {
			const {stdout} = await promisify(execFile)(
				'grep',
				['-rlE', 'secret plan|hush', join(colony.home, '.config'), join(colony.root, '.hive')],
				{encoding: 'utf8'},
			).catch(({stdout}) => ({stdout}));
			return linesOf(stdout);
		};
		expect(await stored()).not.toEqual([]);
		await colony.ask(purge('--discard-unmerged'));
		await reactor.event({kind: 'trace.purged'});
		const {traces} = await colony.ask<{traces: {traceId: string}[]}>(['status']);
		expect(traces).toMatchObject([{traceId: 'other'}]);
		const closed = {error: {code: 'trace_killed', message: expect.stringContaining('purged')}};
		expect(await colony.ask(['task', 'create', ...onTrace, '-b', 'again'], {exit: 4})).toMatchObject(closed);
		expect(await colony.ask(['task', 'list', ...onTrace], {exit: 3})).toMatchObject({
			error: {code: 'trace_not_found'},
		});
		expect((await reactor.kill('SIGINT')).exitCode).toBe(130);
		expect(existsSync(join(colony.root, '.hive/runs', traceId))).toBe(false);
		expect(await stored()).toEqual([]);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(existsSync(join(colony.root, '.hive/runs', traceId))).toBe(false);
		expect((await colony.replay('other')).length).toBeGreaterThan(1);
	});

	it('continues after an interruption when it is repeated', async () => {
		const colony = await createWaiting(undefined, {bees: {builder: writes('new.txt', 'made')}});
		await colony.ask(['kill', ...onTrace]);
		for (const point of ['said', 'worktreeRemoved', 'refsRemoved', 'runsRemoved']) {
			const env = {HIVE_CRASH_AT: `purge.${point}`};
			expect((await colony.hive(purge('--discard-unmerged'), {env})).exitCode).toBe(null);
			expect(await colony.ask(['status'])).toMatchObject({traces: []});
		}
		const {events} = await colony.ask<{events: number}>(purge());
		expect(events).toBeGreaterThan(1);
		expect(await colony.replay(traceId)).toHaveLength(1);
		expect(await colony.git(['for-each-ref', 'refs/hive', 'refs/heads/hive'])).toBe('');
		expect(existsSync(join(colony.root, '.hive/runs', traceId))).toBe(false);
	});

	it('is refused until the trace is killed, its work discarded and its id typed again', async () => {
		const colony = await createWaiting(undefined, {bees: {builder: writes('new.txt', 'made')}});
		const refused = async (args: readonly string[], exit: number, error: object) => {
			expect(await colony.ask(args, {exit})).toMatchObject({error});
			expect(await colony.read(`.hive/worktrees/${traceId}/new.txt`)).toBe('made\n');
		};
		await refused(purge(), 4, {
			code: 'wrong_status',
			message: 'The task _review of trace-1 is waiting_review.',
		});
		await colony.ask(['kill', ...onTrace]);
		await refused(['purge', ...onTrace, '--confirm', 'trace-2'], 2, {code: 'usage'});
		await refused(['purge', ...onTrace], 2, {code: 'usage'});
		await refused(purge(), 4, {
			code: 'wrong_status',
			details: [{path: 'new.txt', message: 'is only in the worktree'}],
		});
		await colony.ask(purge('--discard-unmerged'));
		expect(await colony.exists(`.hive/worktrees/${traceId}`)).toBe(false);
		expect(await colony.git(['for-each-ref', 'refs/hive', 'refs/heads/hive'])).toBe('');
		expect(await colony.git(['worktree', 'list'])).not.toContain(traceId);
	});

	it('is refused while a run is open, and never removes a folder that hive did not create', async () => {
		const colony = await createColony({bees: {builder: {...builder, script: 'wait_for go'}}});
		await colony.ask(['task', 'create', ...onTrace, '--task', 'a', '-b', 'x']);
		const reactor = colony.follow();
		await colony.notes(1);
		expect(await colony.ask(purge('--discard-unmerged'), {exit: 4})).toMatchObject({
			error: {code: 'run_open'},
		});
		await colony.ask(['kill', ...onTrace]);
		await reactor.event({kind: 'run.finished', status: 'cancelled'});
		await reactor.kill('SIGINT');
		const path = `.hive/worktrees/${traceId}`;
		await colony.remove(`${path}/.git`);
		await colony.write(`${path}/mine.txt`, 'mine\n');
		expect(await colony.ask(purge('--discard-unmerged'), {exit: 4})).toMatchObject({
			error: {code: 'wrong_status', message: expect.stringContaining('nothing was removed')},
		});
		expect(await colony.read(`${path}/mine.txt`)).toBe('mine\n');
	});

	it('keeps the branch that was left for a pull request', async () => {
		const colony = await createWaiting(undefined, {bees: {builder: writes('new.txt', 'made')}});
		await colony.ask(colony.approve('--no-merge'));
		await colony.ask(purge());
		expect(await colony.git(['show', `hive/${traceId}:new.txt`])).toBe('made');
		expect(await colony.git(['for-each-ref', 'refs/hive'])).toBe('');
	});
});
