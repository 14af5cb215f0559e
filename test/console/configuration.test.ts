import {expect, test} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {openRig} from './rig.ts';

const path = '.hive/prompts/do.md';

test('a change below .hive/ that awaits a person is shown line by line and accepted only as shown', async () => {
	const colony = await createColony({files: {[path]: 'first\n'}});
	const {ask, send, context, model} = await openRig(colony);
	await context.writers?.beginWriting({id: 'run a', description: '"Sort the list" was running'});
	expect(await ask('/api/configuration/changes')).toEqual({seen: '', items: [], changes: []});
	await colony.write(path, 'second\n');
	const shown = await ask('/api/configuration/changes');
	expect(shown).toMatchObject({
		items: [{path, by: '"Sort the list" was running'}],
		changes: [{path, added: 1, removed: 1, lines: [{kind: 'hunk'}, {text: 'first'}, {text: 'second'}]}],
	});
	await expect.poll(() => model.inbox()).toMatchObject([{title: path, actions: ['configuration.accept']}]);
	const colonyNow = await ask('/api/colony');
	expect(colonyNow.awaiting).toEqual(colonyNow.problems);

	const accept = (seen: string, sent = {}, status = 200) =>
		ask('/api/configuration/accept', {json: {seen}, ...sent}, status);
	expect(await accept(shown.seen, {as: 'read'}, 403)).toMatchObject({code: 'read_only'});
	await colony.write(path, 'third\n');
	expect(await accept(shown.seen, {}, 409)).toMatchObject({code: 'stale_view'});
	expect((await send('/api/configuration/accept', {as: 'act', json: {}})).status).toBe(400);
	const {seen} = await ask('/api/configuration/changes');
	expect(await accept(seen)).toMatchObject({
		accepted: [path],
		message: '1 file below .hive/ is in force as you saw it.',
	});
	await expect.poll(() => model.inbox()).toEqual([]);
	expect((await ask('/api/configuration/changes')).seen).toBe('');
});
