import {describe, expect, test} from 'vitest';
import {maxRequestComments, maxRequestText, type PullRequest} from '../../source/domain/pull-request.ts';
import {readNews} from '../../source/forge/read-news.ts';
import type {ForgeCheck, ForgeComment, ForgeRequest} from '../../source/ports/forge.ts';

const [pushed, other] = ['a'.repeat(40), 'b'.repeat(40)];
const known: PullRequest = {
	...{
		taskId: '_review',
		state: 'open',
		by: 'human',
		tree: 't',
		base: 'main',
		approved: 1,
		approvedAt: '2026-01-01T00:00:00Z',
		number: 1,
	},
	...{commit: pushed, checks: [], comments: [], reworked: 0},
};
const request: ForgeRequest = {
	...{
		number: 1,
		url: '',
		state: 'open',
		isDraft: false,
		title: '',
		body: '',
		branch: 'hive/one',
		base: 'main',
	},
	head: pushed,
};
const check: ForgeCheck = {name: 'lint', state: 'failed', commit: pushed, summary: 'too long', url: ''};
const comment: ForgeComment = {
	...{
		id: 'c1',
		author: 'Ada',
		mayWrite: false,
		isOwn: false,
		at: '2026-01-01T00:00:00Z',
		text: 'Shorter.',
		url: '',
	},
};

const read = (
	view: {request?: Partial<ForgeRequest>; checks?: readonly ForgeCheck[]; comments?: readonly ForgeComment[]},
	before: Partial<PullRequest> = {},
	trusted: readonly string[] = [],
) =>
	readNews(
		{...known, ...before},
		{request: {...request, ...view.request}, checks: view.checks ?? [], comments: view.comments ?? []},
		trusted,
	);

describe('the end of a request', () => {
	test('is a merge with its commit, or a close', () => {
		expect(read({request: {state: 'merged', mergedAs: other}})).toEqual({
			kind: 'merged',
			commit: other,
			head: pushed,
		});
		expect(read({request: {state: 'closed'}})).toEqual({kind: 'closed'});
	});

	test.each([undefined, '', 'main', '--upload-pack=x'])(
		'waits while the merge has no commit: %s',
		mergedAs => {
			expect(read({request: {state: 'merged', ...(mergedAs !== undefined && {mergedAs})}})).toEqual({
				kind: 'none',
			});
		},
	);
});

describe('a check', () => {
	test('is news once for each state, commit and summary', () => {
		const news = {kind: 'news', checks: [check], comments: []};
		expect(read({checks: [check]})).toEqual(news);
		expect(read({checks: [check]}, {checks: [check]})).toEqual({kind: 'none'});
		for (const before of [{state: 'pending' as const}, {commit: other}, {summary: 'x'}])
			expect(read({checks: [check]}, {checks: [{...check, ...before}]})).toEqual(news);
	});

	test('without a name is named, and one without a commit is none', () => {
		expect(read({checks: [{...check, name: ' '}]})).toMatchObject({checks: [{name: 'check'}]});
		expect(read({checks: [{...check, commit: 'HEAD'}]})).toEqual({kind: 'none'});
	});
});

describe('a comment', () => {
	const trustOf = (given: Partial<ForgeComment>, trusted: readonly string[] = []) => {
		const news = read({comments: [{...comment, ...given}]}, {}, trusted);
		return news.kind === 'news' && news.comments[0]?.isTrusted;
	};

	test('counts by the right to write, or by the login', () => {
		expect([trustOf({}), trustOf({mayWrite: true}), trustOf({}, ['ada']), trustOf({}, ['ad'])]).toEqual([
			...[false, true, true, false],
		]);
	});

	test("is hive's own only if hive's login wrote it with the mark", () => {
		const text = 'Changed. <!-- hive:answer one c1 -->';
		expect(read({comments: [{...comment, text, isOwn: true}]})).toEqual({kind: 'none'});
		expect(read({comments: [{...comment, text}]})).toMatchObject({comments: [{id: 'c1'}]});
		expect(read({comments: [{...comment, isOwn: true}]})).toMatchObject({comments: [{id: 'c1'}]});
	});

	test('is news again once it is edited', () => {
		const {isOwn: _, mayWrite: __, place: ___, ...rest} = comment;
		const before = {comments: [{...rest, isTrusted: false}]};
		expect(read({comments: [comment]}, before)).toEqual({kind: 'none'});
		expect(read({comments: [{...comment, text: 'Longer.'}]}, before)).toMatchObject({
			comments: [{text: 'Longer.'}],
		});
	});

	test.each(['/etc/passwd', '../a', 'a/../../b', ''])(
		'on a path outside of the repository is on no line: %s',
		path => {
			const news = read({comments: [{...comment, place: {path, line: 1, side: 'new', quote: ''}}]});
			expect(news.kind === 'news' && news.comments[0]).not.toHaveProperty('path');
		},
	);

	test('is cut, and of many the newest are kept', () => {
		const many = Array.from({length: maxRequestComments + 5}, (_, index) => ({
			...{...comment, id: `c${index}`, text: 'x'.repeat(maxRequestText + 1)},
		}));
		const news = read({comments: many});
		const comments = news.kind === 'news' ? news.comments : [];
		expect(comments.map(({id}) => id)).toEqual(many.slice(5).map(({id}) => id));
		expect(comments.every(({text}) => text.length === maxRequestText)).toBe(true);
	});

	test('without words is no news', () => {
		expect(
			read({
				comments: [
					{...comment, text: ' \n'},
					{...comment, id: ''},
				],
			}),
		).toEqual({kind: 'none'});
	});
});

test('commits of other people are said once', () => {
	expect(read({request: {head: other}})).toEqual({kind: 'news', checks: [], comments: [], movedTo: other});
	expect(read({request: {head: other}}, {movedTo: other})).toEqual({kind: 'none'});
	expect(read({request: {head: 'not a commit'}})).toEqual({kind: 'none'});
});
