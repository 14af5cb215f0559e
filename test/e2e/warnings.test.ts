import {expect, it} from 'vitest';
import {builder, createColony} from '../helpers/colony-on-disk.ts';

const warning = 'post_exec ended with exit code 4: no network';
const maker = {...builder, post_exec: ['sh', '-c', 'echo "no network" >&2; exit 4']};

type Status = {traces: {traceId: string; runs: {agentId: string; bee: string; warnings: string[]}[]}[]};

it('warnings about a run are shown wherever people and scripts see the run', async () => {
	const colony = await createColony({bees: {maker, builder}});
	const of = (taskId: string) => ['--trace', 't', '--task', taskId];
	const create = (taskId: string, bee: string) =>
		colony.ask(['task', 'create', ...of(taskId), '--title', 'Make', '--bee', bee, '--review', 'required']);
	await create('a', 'maker');
	await create('b', 'builder');
	const {stdout: log} = await colony.hive(['run', '--until-idle']);
	expect(log).toMatch(new RegExp(`run\\.finished +a · completed · maker · Built a\\n +! ${warning}\\n`));
	await colony.ask(['proposal', 'approve', ...of('a')]);
	await colony.hive(['run', '--until-idle']);

	const {traces} = await colony.ask<Status>(['status']);
	const runs = traces[0]?.runs ?? [];
	expect(runs.map(({bee, warnings}) => [bee, warnings])).toEqual([
		['maker', [warning]],
		['builder', []],
	]);
	const agentId = runs[0]?.agentId;
	const text = async (...args: string[]) => (await colony.hive(args)).stdout;
	const line = `! maker ${agentId}: ${warning}\n`;
	expect(await colony.ask(['task', 'show', ...of('a')])).toMatchObject({
		runs: [{agentId, warnings: [warning]}],
	});
	expect(await text('task', 'show', ...of('a'))).toMatch(/maker +completed !1 /);
	expect(await text('task', 'show', ...of('a'))).toContain(line);
	expect(await text('task', 'show', ...of('b'))).not.toContain('!');
	expect(await text('status')).toMatch(/t +waiting_review !1 .*[\s\S]*\n!1: one warning about its runs/);
	expect(await text('replay', 't')).toContain(`! ${warning}\n`);

	const other = await colony.ask<{traceId: string}>(['bee', 'run', 'maker', '-b', 'x']);
	expect(other).toMatchObject({status: 'completed', warnings: [warning]});
	expect(await text('bee', 'run', 'builder', '-b', 'x')).not.toContain('!');
	expect(await text('bee', 'run', 'maker', '-b', 'x')).toContain(`! ${warning}\n`);
});

it('warnings about a run are shown in the review entry where the run is decided', async () => {
	const colony = await createColony({bees: {maker}});
	await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '--title', 'Make', '--bee', 'maker']);
	await colony.hive(['run', '--until-idle']);
	const {traces} = await colony.ask<Status>(['status']);
	const agentId = traces[0]?.runs[0]?.agentId;
	expect(await colony.ask(['proposal', 'list'])).toMatchObject({
		proposals: [{taskId: '_review', warnings: [{agentId, bee: 'maker', text: warning}]}],
	});
	const {stdout} = await colony.hive(['proposal', 'list']);
	expect(stdout).toMatch(/_review +final !1 /);
	expect(stdout).toContain(`! maker ${agentId}: ${warning}\n`);
});
