import {expect, test} from 'vitest';
import {createWaiting, traceId} from './at-the-gate.ts';

// A name that git forbids stands in for a file without the right to read it, which root has.
test('a file that git does not take is named, and the work is merged once it is gone', async () => {
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
	expect(shown.stdout).toContain('not merged: git~1, which git does not take');
	for (const how of [[], ['--no-merge']]) {
		const {exitCode, stderr} = await colony.hive(colony.approve(...how));
		expect(exitCode).toBe(4);
		expect(stderr).toContain('git~1 is unreadable, or has a name');
		expect(stderr).toContain('make each readable');
	}
	expect(await colony.git(['rev-parse', 'main'])).toBe(main);
	expect(await colony.events('merge.started')).toEqual([]);
	await colony.remove(`.hive/worktrees/${traceId}/git~1`);
	await colony.ask(colony.approve());
	expect(await colony.read('made.txt')).toBe('words\n');
});
