import {expect, it} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';

it('hive status describes the activity of a live run', async () => {
	const script = 'wait_for speak; echo "Reading the list"; echo "Sorting src/list.ts"; wait_for end';
	const colony = await createColony({bees: {builder: {script}}});
	await colony.ask([
		'task',
		'create',
		'--trace',
		't',
		'--title',
		'Sort the list',
		'--body',
		'Please',
		'--autorun',
	]);
	const run = colony.follow();
	await run.event({kind: 'task.status', status: 'running'});
	const lines = async () => (await colony.hive(['status'])).stdout.split('\n');
	expect(await lines()).toContain('builder at Sort the list: nothing said yet');
	await colony.open('speak');
	await expect
		.poll(lines)
		.toContainEqual(expect.stringMatching(/^builder at Sort the list: Sorting src\/list\.ts \(\d+ s ago\)$/));
	await colony.open('end');
	await run.event({kind: 'run.finished'});
	expect((await lines()).filter(line => line.startsWith('builder at'))).toEqual([]);
});
