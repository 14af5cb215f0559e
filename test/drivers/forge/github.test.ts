import {expect, it} from 'vitest';
import type {ForgeCheck} from '../../../source/ports/forge.ts';
import {draft, openForge} from '../../contract/forge-rig.ts';

/** A request that is open, at a forge whose next answers are given. */
const openRequest = async () => {
	const opened = await openForge('github');
	await opened.push('work');
	return {...opened, request: await opened.forge.openRequest(draft)};
};

it('reads each end of a check run as passed, failed or pending', async () => {
	const {forge, server, request} = await openRequest();
	const ends: readonly (readonly [string, string | null, ForgeCheck['state']])[] = [
		...([
			['queued', null, 'pending'],
			['in_progress', null, 'pending'],
			['waiting', null, 'pending'],
		] as const),
		...([
			['completed', 'success', 'passed'],
			['completed', 'neutral', 'passed'],
		] as const),
		...([
			['completed', 'skipped', 'passed'],
			['completed', 'failure', 'failed'],
		] as const),
		...([
			['completed', 'timed_out', 'failed'],
			['completed', 'cancelled', 'failed'],
		] as const),
		...([
			['completed', 'action_required', 'failed'],
			['completed', 'stale', 'failed'],
		] as const),
		...([
			['completed', 'startup_failure', 'failed'],
			['completed', null, 'failed'],
		] as const),
	];
	const runs = ends.map(([status, conclusion], id) => ({
		...{id, name: `${status} ${conclusion}`, status, conclusion, html_url: null},
		...{details_url: 'https://ci.example/1', output: {title: 'Title', summary: null}},
	}));
	server.fail({match: /check-runs$/, answer: {status: 200, body: {total_count: 13, check_runs: runs}}});
	const {checks} = await forge.readRequest(request.number);
	expect(checks.map(({state}) => state)).toEqual(ends.map(([, , state]) => state));
	expect(checks[0]).toMatchObject({summary: 'Title', url: 'https://ci.example/1'});
});

it('reads an errored status as failed, also beside check runs', async () => {
	const {forge, server, request} = await openRequest();
	const statuses = ['success', 'pending', 'failure', 'error'].map(state => ({
		...{context: state, state, description: null, target_url: null},
	}));
	server.fail({match: /\/status$/, answer: {status: 200, body: {statuses, total_count: 4}}});
	const {checks} = await forge.readRequest(request.number);
	expect(checks.map(({state}) => state)).toEqual(['passed', 'pending', 'failed', 'failed']);
});

it('reads reviews that say something, and the quoted line of a comment', async () => {
	const {forge, server, request} = await openRequest();
	server.comment(request.number, {author: 'ada', kind: 'review', body: 'Fine.'});
	server.comment(request.number, {author: 'ada', kind: 'review', body: ' '});
	const hunk = '@@ -1,2 +1,2 @@\n kept\n-  was here';
	const place = {path: 'a b.ts', line: 2, side: 'old', hunk} as const;
	server.comment(request.number, {author: 'ada', kind: 'line', body: 'Why?', place});
	const {comments} = await forge.readRequest(request.number);
	expect(comments.map(({text}) => text)).toEqual(['Fine.', 'Why?']);
	expect(comments[1]?.place).toEqual({path: 'a b.ts', line: 2, side: 'old', quote: '  was here'});
});

it('reads a comment of a deleted account, of an outdated line and of a whole file', async () => {
	const {forge, server, request} = await openRequest();
	const common = {
		...{html_url: 'https://forge.example/1', created_at: '2026-01-01T00:00:00Z', body: null, path: 'a.ts'},
		...{author_association: 'OWNER', diff_hunk: '', side: 'RIGHT', line: null},
	};
	const body = [
		{...common, id: 1, user: null, original_line: 7},
		{...common, id: 2, user: {login: 'ada'}, original_line: null},
	];
	server.fail({match: /pulls\/1\/comments$/, answer: {status: 200, body}});
	const {comments} = await forge.readRequest(request.number);
	expect(comments).toMatchObject([
		{id: 'line-1', author: 'ghost', mayWrite: false, text: '', place: {line: 7, quote: ''}},
		{id: 'line-2', author: 'ada', mayWrite: true},
	]);
	expect(comments[1]).not.toHaveProperty('place');
});

it('trusts the associations that may write', async () => {
	const {forge, server, request} = await openRequest();
	const associations = ['OWNER', 'MEMBER', 'COLLABORATOR', 'CONTRIBUTOR', 'FIRST_TIMER', 'NONE'];
	const body = associations.map((association, id) => ({
		...{id, html_url: '', created_at: `2026-01-01T00:00:0${id}Z`, body: association},
		...{author_association: association, user: {login: `user${id}`}},
	}));
	server.fail({match: /issues\/1\/comments$/, answer: {status: 200, body}});
	const {comments} = await forge.readRequest(request.number);
	expect(comments.filter(({mayWrite}) => mayWrite).map(({text}) => text)).toEqual(associations.slice(0, 3));
});

it('waits in the process for a limit that passes within two seconds only', async () => {
	const {forge, server} = await openForge('github');
	const body = {message: 'You have exceeded a secondary rate limit.'};
	server.fail({match: /user$/, answer: {status: 403, body, headers: {'retry-after': '1'}}});
	expect((await forge.examine()).login).toBe('hive-bot');
	server.fail({match: /user$/, times: 2, answer: {status: 403, body, headers: {'retry-after': '1'}}});
	await expect(forge.examine()).rejects.toMatchObject({trouble: 'limited'});
	server.fail({match: /user$/, answer: {status: 403, body, headers: {'retry-after': '3'}}});
	await expect(forge.examine()).rejects.toMatchObject({trouble: 'limited'});
});

it('names the scopes of the token, and none if GitHub does not say', async () => {
	const {forge, server} = await openForge('github');
	expect((await forge.examine()).scopes).toEqual(['repo', 'read:org']);
	server.fail({
		match: /user$/,
		answer: {status: 200, body: {login: 'hive-bot'}, headers: {'x-oauth-scopes': ''}},
	});
	expect((await forge.examine()).scopes).toEqual([]);
});

it('may not push to an archived repository', async () => {
	const {forge, server} = await openForge('github');
	const body = {full_name: 'ada/hive', default_branch: 'main', archived: true, permissions: {push: true}};
	server.fail({match: /repos\/ada\/hive$/, answer: {status: 200, body}});
	expect((await forge.examine()).mayPush).toBe(false);
});

it('writes through the queues that space out writes', async () => {
	const {open, server} = await openForge('github');
	const {number} = server.openIssue();
	await open({isHasty: false}).noteOnIssue(number, {text: 'Begun', marker: '<!-- x -->'});
	expect(server.model.issues[0]?.comments).toHaveLength(1);
});
