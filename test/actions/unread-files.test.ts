import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createWaiting, traceId} from './at-the-gate.ts';

// A name that git forbids stands in for a file that hive may not read, since root may read every file.
test('a file that git cannot add is named, and the work is merged after it is removed', async () => {
	const colony = await createWaiting(undefined, {
		bees: {
			builder: {
				worktree: true,
				publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
				script: "echo words >made.txt; echo more >'git~1'",
			},
		},
	});
	const main = await colony.git(['rev-parse', 'main']);
	expect(await colony.ask(['proposal', 'diff', '--trace', traceId])).toMatchObject({
		unread: ['git~1'],
		files: [{path: 'made.txt'}],
	});
	const shown = await colony.hive(['proposal', 'diff', '--trace', traceId]);
	expect(shown.stdout).toContain('not merged: git~1, which git cannot store');
	for (const how of [[], ['--no-merge']]) {
		const {exitCode, stderr} = await colony.hive(colony.approve(...how));
		expect(exitCode).toBe(4);
		expect(stderr).toContain('git~1 is unreadable, or has a name');
		expect(stderr).toContain('make each file readable');
	}
	expect(await colony.git(['rev-parse', 'main'])).toBe(main);
	expect(await colony.events('merge.started')).toEqual([]);
	await colony.remove(`.hive/worktrees/${traceId}/git~1`);
	await colony.ask(colony.approve());
	expect(await colony.read('made.txt')).toBe('words\n');
});

test('a file with invalid encoding blocks no other file from the proposal, and a later run repairs it', async () => {
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.isolated'}];
	const script = [
		'if [ "$HIVE_TASK_ID" = mend ]; then printf "\\377\\376w\\000" >s.u16; rm t.u16; exit 0; fi',
		'echo four >>a.txt; echo new >"new file.txt"; rm gone.txt; echo words >s.u16; echo words >t.u16',
	].join('\n');
	const item = {title: 'Work', bee: 'builder', body: 'x'};
	const tasks = [
		{...item, taskId: 'work'},
		{...item, taskId: 'stop', review: 'required', dependsOn: ['work']},
		{...item, taskId: 'mend', dependsOn: ['stop']},
	];
	const files = {
		'.gitattributes': '*.u16 text working-tree-encoding=UTF-16\n',
		'a.txt': 'a\n',
		'gone.txt': 'x\n',
	};
	const colony = await createWaiting(tasks, {bees: {builder: {worktree: true, publishes, script}}, files});
	const preview = await colony.ask<{unread: string[]; files: {path: string}[]}>([
		...['proposal', 'diff', '--trace', traceId],
	]);
	expect(preview.unread).toEqual(['s.u16', 't.u16']);
	expect(preview.files.map(({path}) => path).sort()).toEqual(['a.txt', 'gone.txt', 'new file.txt']);
	const [proposal] = await colony.events('code.proposal.isolated');
	expect(proposal?.payload).toMatchObject({taskId: 'work', files: 3});
	await colony.ask(colony.approve('--task', 'stop'));
	await colony.run(8);
	expect((await colony.events('code.proposal.isolated')).at(-1)?.payload.diff).toContain('s.u16');
	await colony.ask(colony.approve());
	expect((await readFile(join(colony.root, 's.u16'))).toString('hex')).toBe('fffe7700');
});
