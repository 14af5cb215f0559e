import {expect, test} from 'vitest';
import {createRig, publishesIsolated, scripted} from './rig.ts';

const say = 'echo "$HIVE_PORT" >>"$HIVE_RUN_DIR/ports"';
const hook = {post_exec: ['sh', '-c', say]};
const claiming = (claimed: string[]) => () => ({
	portBlocks: {
		claim: async (checkout: string) => {
			claimed.push(checkout);
			return {first: 20_000 + claimed.length * 10};
		},
	},
});

test('an agent, the setup of its worktree and its post_exec have the ports of the worktree', async () => {
	const claimed: string[] = [];
	const rig = await createRig({
		bees: {maker: scripted(say, {worktree: true, publishes: publishesIsolated, ...hook})},
		settings: {workspaces: {setup: ['sh', '-c', say]}},
		faulty: claiming(claimed),
	});
	const {agentId} = await rig.run('maker');
	expect(await rig.text(agentId, 'ports')).toBe('20010\n20010\n20010\n');
	expect(claimed).toEqual([expect.stringContaining('.hive/worktrees/')]);
});

test('a run in the root has the ports of the root', async () => {
	const claimed: string[] = [];
	const rig = await createRig({bees: {maker: scripted(say, hook)}, faulty: claiming(claimed)});
	const {agentId} = await rig.run('maker');
	expect(await rig.text(agentId, 'ports')).toBe('20010\n20010\n');
	expect(claimed).toEqual([rig.root]);
});

test('a run whose checkout gets no ports has none, reports why and ends normally', async () => {
	const rig = await createRig({
		bees: {maker: scripted('printenv HIVE_PORT || echo none')},
		environment: {HIVE_PORT: '1'},
		faulty: () => ({portBlocks: {claim: async () => ({problem: 'all are taken'})}}),
	});
	const {run} = await rig.run('maker');
	expect(run).toMatchObject({status: 'completed', summary: 'none'});
	expect(run.warnings).toEqual(['HIVE_PORT is not set: all are taken']);
});
