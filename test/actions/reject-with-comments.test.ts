import {expect, test} from 'vitest';
import {builder} from '../helpers/colony-on-disk.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

test.each([
	['nothing', [], 'Rejected without a comment: find out what is wrong with the proposal, and change that.'],
	['blanks', ['--feedback', '  '], 'Rejected without a comment: '],
	['comments on lines alone', ['--comments', '-'], 'See the comments on lines.'],
])('a rejection with %s reaches the prompt of the next run', async (_, more, words) => {
	const colony = await createWaiting();
	const {reworkTaskId} = await colony.ask<{reworkTaskId: string}>(
		['proposal', 'reject', '--trace', traceId, '--task', '_review', ...more],
		{input: JSON.stringify([{path: 'work.txt', side: 'new', line: 1, text: 'In two words.'}])},
	);
	const [said] = await colony.events('human.feedback');
	expect(said?.payload).toMatchObject({taskId: reworkTaskId, message: expect.stringContaining(words)});
	const {task} = await colony.ask<{task: {body: string}}>([
		...['task', 'show', '--trace', traceId, '--task', reworkTaskId],
	]);
	expect(task.body).toContain(words);
});

test('comments on lines go with a rejection into the log and into the task that reworks them', async () => {
	const colony = await createWaiting();
	const reject = ['proposal', 'reject', '--trace', traceId, '--task', '_review', '--feedback', 'Almost.'];
	const comment = {path: 'work.txt', side: 'new', line: 1, endLine: 1, quote: 'built', text: 'In two words.'};
	const wrong = await colony.hive([...reject, '--comments', '-', '--json'], {
		input: JSON.stringify([{...comment, path: '../work.txt'}]),
	});
	expect(wrong.exitCode).toBe(2);
	expect(wrong.stdout).toContain('comments.0.path');
	await colony.write('said.json', JSON.stringify([comment]));
	const {reworkTaskId} = await colony.ask<{reworkTaskId: string}>([...reject, '--comments', 'said.json']);
	const [said] = await colony.events('human.feedback');
	expect(said?.payload).toMatchObject({taskId: reworkTaskId, message: 'Almost.', comments: [comment]});
	const {task} = await colony.ask<{task: {body: string}}>([
		...['task', 'show', '--trace', traceId, '--task', reworkTaskId],
	]);
	expect(task.body).toContain('work.txt, line 1:\n```\nbuilt\n```\nIn two words.');
});

test('a rework goes to the task that changed the commented file, unless the person names another', async () => {
	const colony = await createWaiting(
		[
			{taskId: 'first', title: 'Write the first'},
			{taskId: 'second', title: 'Write the second', dependsOn: ['first']},
		],
		{bees: {builder: {...builder, script: 'echo built >"$HIVE_TASK_ID.txt"; echo done'}}},
	);
	const comment = [{path: 'first.txt', side: 'new', line: 1, text: 'In two words.'}];
	const reject = (...more: string[]) =>
		colony.ask<{reworks: string}>(
			['proposal', 'reject', '--trace', traceId, '--task', '_review', '--comments', '-', ...more],
			{input: JSON.stringify(comment)},
		);
	expect(await reject()).toMatchObject({reworks: 'first'});
	await colony.run(8);
	expect(await reject('--rework', 'second')).toMatchObject({reworks: 'second'});
});
