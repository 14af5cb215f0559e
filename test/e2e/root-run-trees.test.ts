import {expect, it} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';

it('a run in the root is proposed despite a git clean-up during the run, and leaves no ref', async () => {
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.root'}];
	const script = 'git prune --expire=now; git gc --quiet --prune=now; echo four >>readme.md';
	const colony = await createColony({bees: {builder: {worktree: false, publishes, script}}});
	await colony.write('unsaved.txt', 'in no commit\n');
	await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
	await colony.hive(['run', '--until-idle']);
	const proposal = (await colony.replay('t')).find(({payload}) => payload.kind === 'code.proposal.root');
	expect(proposal?.payload.diff).toContain('+four');
	expect(proposal?.payload.diff).not.toContain('in no commit');
	expect(await colony.git(['for-each-ref', 'refs/hive/run'])).toBe('');
});

it('a git clean-up between the end of a run and its collection removes none of its work', async () => {
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.root'}];
	const script = 'wait_for go; echo four >>readme.md';
	const colony = await createColony({bees: {builder: {worktree: false, publishes, script}}});
	await colony.write('unsaved.txt', 'in no commit\n');
	await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
	const reactor = colony.follow();
	const [start = ''] = await colony.notes(1);
	const agentId = start.split(' ').at(-1) ?? '';
	await reactor.kill('SIGKILL');
	await colony.open('go');
	await colony.exitOf('t', agentId);
	await colony.git(['gc', '--quiet', '--prune=now']);
	await colony.hive(['run', '--until-idle']);
	const proposal = (await colony.replay('t')).find(({payload}) => payload.kind === 'code.proposal.root');
	expect(proposal?.payload.diff).toContain('+four');
	expect(await colony.git(['for-each-ref', 'refs/hive/run'])).toBe('');
});

it('a ref of a run whose collection was killed is gone once the work is merged', async () => {
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.isolated'}];
	const script = 'echo four >>readme.md';
	const colony = await createColony({bees: {builder: {worktree: true, publishes, script}}});
	await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
	await colony.hive(['run', '--until-idle']);
	const ref = 'refs/hive/run/t/0123456789abcdef-after';
	await colony.git(['update-ref', ref, 'HEAD^{tree}']);
	await colony.ask(['proposal', 'approve', '--trace', 't', '--task', '_review']);
	expect(await colony.git(['for-each-ref', 'refs/hive/run', 'refs/hive/work'])).toBe('');
});
