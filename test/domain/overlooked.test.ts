import {expect, test} from 'vitest';
import {overlookedWarnings} from '../../source/domain/overlooked.ts';

const commits = [{sha: 'a'.repeat(40), author: 'An agent', subject: 'Add a key'}];

test.each([
	['merge', '1 commit to be merged with more than the diff shows'],
	['squash', '1 commit with more than the diff shows, which a squash leaves out and other strategies land'],
	['rebase', '1 commit to be replayed with more than the diff shows'],
] as const)('a warning about a commit says what a %s does with it', (strategy, words) => {
	expect(overlookedWarnings({commits, strategy})).toEqual([
		`${words}: aaaaaaaaaaaa "Add a key" by An agent.`,
	]);
});
