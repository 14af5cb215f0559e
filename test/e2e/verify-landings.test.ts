import {expect, test} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';

test('"bus verify" tells checked merges from overrides, and names who did those and why', async () => {
	const settings = {verify: {commands: [['true']], required: true}};
	const colony = await createColony({settings});
	const landing = (traceId: string) => ['--trace', traceId, '--task', '_review'];
	for (const name of ['one', 'two'])
		await colony.ask([
			'task',
			'create',
			'--trace',
			name,
			'--task',
			name,
			'--autorun',
			'--title',
			name,
			'--body',
			'x',
		]);
	await colony.hive(['run', '--until-idle']);
	await colony.ask(['proposal', 'approve', ...landing('one')]);
	const override = ['--without-checks', '--reason', 'The checks are down.'];
	await colony.ask(['proposal', 'approve', ...landing('two'), ...override]);

	const verified = await colony.ask(['bus', 'verify']);
	expect(verified).toMatchObject({
		ok: true,
		landings: [
			{traceId: 'one', taskId: '_review', state: 'same', by: 'human'},
			{traceId: 'two', state: 'without_checks', by: 'human', reason: 'The checks are down.'},
		],
	});
	const said = await colony.hive(['bus', 'verify']);
	expect(said.stdout.replaceAll(/\s+/g, ' ')).toContain(
		'human landed two without checks: "The checks are down."',
	);
	expect(said.stdout).toContain('2 merges: 1 with the tree that was checked, 1 without the required checks.');
});
