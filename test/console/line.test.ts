import {expect, it} from 'vitest';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {openRig} from './rig.ts';

it('the API tells who wrote a line of a change, and refuses what is no line of it', async () => {
	const script = 'printf "one\\nchanged\\n" >lines.txt; echo "Changed the second line."';
	const bees = {builder: {...builder, script}};
	const colony = await createColony({bees, files: {'lines.txt': 'one\ntwo\n'}});
	const {ask, model} = await openRig(colony);
	const task = {title: 'Change a line', body: 'x', bee: 'builder'};
	const {traceId} = await ask('/api/tasks', {json: task}, 201);
	await colony.hive(['run', '--until-idle']);
	await expect.poll(() => model.traces().get(traceId)?.tasks.has('_review')).toBe(true);

	const at = `/api/traces/${traceId}/tasks/_review`;
	const {fork, work} = await ask(`${at}/changes`);
	const line = (given: object) =>
		`${at}/line?${new URLSearchParams({path: 'lines.txt', side: 'new', line: '2', fork, work, ...given})}`;
	expect(await ask(line({}))).toMatchObject({origin: {traceId, bee: 'builder', commit: '', unknown: []}});
	expect(await ask(line({side: 'old'}))).toMatchObject({
		origin: {traceId: '', bee: '', commit: expect.stringMatching(/^[0-9a-f]{40}$/)},
	});
	for (const wrong of [{line: '0'}, {line: 'x'}, {side: 'left'}, {path: ''}, {path: 'a\0b'}, {work: 'HEAD'}])
		await ask(line(wrong), {}, 400);
	await ask(line({path: '../secret', side: 'old'}), {}, 404);
	await ask(line({work: 'a'.repeat(40)}), {}, 409);
});
