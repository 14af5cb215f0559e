import {expect, test} from 'vitest';
import {newsOf, type PullRequest} from '../../source/domain/pull-request.ts';
import {readNews} from '../../source/forge/read-news.ts';
import type {ForgeCheck} from '../../source/ports/forge.ts';
import {createEvent, item, planOf, reduceAll, statusOf} from '../helpers/events.ts';

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
const failing = (commit: string): ForgeCheck => ({
	...{name: 'lint', state: 'failed', commit, summary: 'too long', url: ''},
});
const about = {taskId: 'gate', tree: 'c'.repeat(40)};

/** A request whose failed check was sent to the agent. */
const sentRequest = (): PullRequest => {
	const {pullRequest} = reduceAll(
		planOf({...item('gate'), review: 'final'}),
		statusOf('gate', 'waiting_review'),
		createEvent('SIGNAL', {kind: 'pull_request.requested', ...about, base: 'main', by: 'ada'}),
		createEvent('SIGNAL', {kind: 'pull_request.pushed', ...about, number: 1, url: '', commit: first}),
		createEvent('SIGNAL', {kind: 'pull_request.news', taskId: 'gate', checks: [failing(first)]}),
		createEvent('SIGNAL', {
			...{kind: 'pull_request.sent', taskId: 'gate', reworkTaskId: 'rework', checks: ['lint']},
			...{comments: [], commit: first, auto: true},
		}),
	);
	if (pullRequest === undefined) throw new Error('There is no request.');
	return pullRequest;
};

const readThere = (known: PullRequest, commit: string) =>
	readNews(
		known,
		{
			request: {
				...{number: 1, url: '', state: 'open', isDraft: false, title: '', body: ''},
				...{branch: 'hive/one', base: 'main', head: commit},
			},
			checks: [failing(commit)],
			comments: [],
		},
		[],
	);

test('a failed check is sent once, although the forge shows it until the rework is pushed', () => {
	const known = sentRequest();
	expect(newsOf(known).failed).toEqual([]);
	expect(readThere(known, first)).toEqual({kind: 'none'});
});

test('a check that fails again on the rework is news again', () => {
	const known = {...sentRequest(), commit: second};
	expect(readThere(known, second)).toMatchObject({kind: 'news', checks: [failing(second)]});
});
