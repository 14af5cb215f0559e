import {expect, it} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';

it('a sector that is a file fails its task with a message about the folder', async () => {
	const colony = await createColony({settings: {sectors: {docs: 'readme.md'}}});
	await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x', '--sector', 'docs']);
	await colony.hive(['run', '--until-idle']);
	expect((await colony.hive(['task', 'show', '--trace', 't', '--task', 'a'])).stdout).toContain(
		'The folder of the sector "docs" does not exist in',
	);
	const {stdout} = await colony.hive(['doctor']);
	expect(stdout).toContain('the folder readme.md of the sector "docs" does not');
});

it('hive event pending without a run names the flags that identify one', async () => {
	const colony = await createColony();
	const {stdout} = await colony.hive(['event', 'pending']);
	expect(stdout).toContain('--trace <id> and --agent <id>');
});
