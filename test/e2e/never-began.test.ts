import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type ColonyOnDisk, createColony, linesOf, type ScriptedBee} from '../helpers/colony-on-disk.ts';

const scout: ScriptedBee = {
	script: 'echo looked',
	subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
};
const cue = 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\n';
const files = {'.hive/cues/feature.yaml': cue};

const request = (colony: ColonyOnDisk) => colony.ask(['cue', 'run', 'feature', 'x', '--trace', 't']);
const untilIdle = (colony: ColonyOnDisk, ...more: string[]) => colony.hive(['run', '--until-idle', ...more]);

describe('hive run --until-idle with a request that no run has begun', () => {
	it('exits with 8 and names the unreadable bee file, each time until the request is repeated', async () => {
		const colony = await createColony({bees: {scout}, files});
		const file = '.hive/bees/scout.yaml';
		const whole = await colony.read(file);
		await request(colony);
		await colony.write(file, 'adapter: [\n');
		const why = `no bee takes feature.requested; ${file} cannot be read`;
		const next = 'ask again in the trace, or end it: hive kill --trace t';
		const text = `t never began: ${why}\n       Next: once a bee takes it, ${next}\n`;
		expect(await untilIdle(colony)).toMatchObject({exitCode: 8, stdout: text});
		expect(await untilIdle(colony, '--trace', 't')).toMatchObject({exitCode: 8, stdout: text});
		const {exitCode, stdout} = await untilIdle(colony, '--json');
		expect(exitCode).toBe(8);
		expect(linesOf(stdout).map(line => JSON.parse(line))).toEqual([
			{v: 1, traceId: 't', neverBegan: why, next: `once a bee takes it, ${next}`},
		]);

		await colony.write(file, whole);
		expect(await untilIdle(colony)).toMatchObject({
			exitCode: 8,
			stdout: `t never began: scout did not take feature.requested when it came\n       Next: ${next}\n`,
		});
		await request(colony);
		const served = await untilIdle(colony);
		expect(served.exitCode).toBe(0);
		expect(served.stdout).not.toContain('never began');
		expect((await untilIdle(colony)).exitCode).toBe(0);
	});

	it('exits with 8 while no bee takes the request, and with 0 once its trace is killed', async () => {
		const colony = await createColony({bees: {scout}, files});
		await rm(join(colony.root, '.hive/bees/scout.yaml'));
		await request(colony);
		for (const _ of ['now', 'later']) {
			const {exitCode, stdout} = await untilIdle(colony);
			expect(exitCode).toBe(8);
			expect(stdout).toContain('t never began: no bee takes feature.requested\n');
		}
		await colony.ask(['kill', '--trace', 't']);
		expect(await untilIdle(colony)).toMatchObject({exitCode: 0, stdout: ''});
	});

	it('exits with 8 while runs of other traces occupy every slot, and with 0 when they have ended', async () => {
		const colony = await createColony({
			bees: {scout, builder: {script: 'wait_for go; echo built'}, mason: {script: 'echo built'}},
			settings: {defaults: {max_parallel_runs: 1}},
			files,
		});
		const reactor = colony.follow();
		await colony.ask(['task', 'create', '--trace', 'other', '--task', 'a', '-b', 'x', '--bee', 'builder']);
		await reactor.event({kind: 'task.status', taskId: 'a', status: 'running'});
		await colony.notes(1);
		await reactor.kill('SIGTERM');
		await request(colony);
		await colony.ask(['task', 'create', '--trace', 'u', '--task', 'b', '-b', 'x', '--bee', 'mason']);
		const slot = 'its turn: 1 of 1 agents running (defaults.max_parallel_runs)';
		for (const [traceId, what] of [
			['t', 'a run of scout'],
			['u', 'its task b'],
		] as const) {
			const {exitCode, stdout} = await untilIdle(colony, '--trace', traceId);
			expect(exitCode).toBe(8);
			expect(linesOf(stdout).at(-1)).toBe(`${traceId} never began: ${what} waits for ${slot}`);
		}
		await colony.open('go');
		const rest = await untilIdle(colony);
		expect(rest.stdout).not.toContain('never began');
		expect(await untilIdle(colony, '--trace', 't')).toMatchObject({exitCode: 0, stdout: ''});
	});

	it('exits with 0 for an informational signal, and for answered requests', async () => {
		const colony = await createColony({bees: {scout}, files});
		const signal = {traceId: 'info', type: 'SIGNAL', payload: {kind: 'build.done', title: 'x'}};
		await colony.ask(['event', 'emit', '--stdin'], {input: JSON.stringify(signal)});
		await request(colony);
		await colony.ask(['event', 'emit', '--stdin'], {input: JSON.stringify({...signal, traceId: 't'})});
		for (const more of [[], ['--trace', 'info'], ['--trace', 't'], []]) {
			const {exitCode, stdout} = await untilIdle(colony, ...more);
			expect(exitCode).toBe(0);
			expect(stdout).not.toContain('never began');
		}
	});
});
