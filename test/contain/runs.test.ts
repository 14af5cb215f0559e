import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createRig, publishesIsolated, scripted, traceId} from '../dispatch/rig.ts';
import {canContain} from './namespaces.ts';

const git = 'git -c user.name=bee -c user.email=bee@localhost';

const contained = (script: string, more: object = {}) =>
	scripted(script, {worktree: true, publishes: publishesIsolated, contain: 'required', ...more});

describe.skipIf(!canContain.can)('a contained run', () => {
	it('commits to its branch, and proposes its files', async () => {
		const rig = await createRig({
			bees: {
				maker: contained(
					`echo one >one; git add one; ${git} commit -qm one; echo two >two; git status --short`,
				),
			},
		});
		const {run, status, agentId} = await rig.run('maker');
		expect([status, await rig.text(agentId, 'stderr.log')]).toMatchObject([{state: 'completed'}, '']);
		expect(run.warnings ?? []).toEqual([]);
		const proposal = (await rig.events('code.proposal.isolated')).at(-1);
		expect(proposal?.payload).toMatchObject({});
		const at = (...args: string[]) => rig.repository.git(args);
		expect(await at('log', '--format=%s', `hive/${traceId}`)).toContain('one');
		const worktree = join(rig.root, '.hive/worktrees', traceId);
		expect(await at('-C', worktree, 'status', '--short')).toBe('?? two');
		expect(await at('fsck', '--no-progress', '--no-dangling')).toBe('');
	});
});
