import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {draft, openForge, providers} from './forge-rig.ts';

describe.each(providers)('a repository at %s', provider => {
	it('tells whose token it is, and what it may do', async () => {
		const {forge} = await openForge(provider);
		expect(await forge.examine()).toMatchObject({
			...{login: 'hive-bot', mayPush: true, repository: 'ada/hive', defaultBranch: 'main'},
		});
	});

	it('says if the token may not push', async () => {
		const {forge, server} = await openForge(provider);
		server.allow('hive-bot', 'read');
		expect((await forge.examine()).mayPush).toBe(false);
	});

	it('opens one request from a branch, however often it is asked', async () => {
		const {forge, server, push} = await openForge(provider);
		const head = await push('work');
		expect(await forge.findRequest('work')).toBeUndefined();
		const opened = await forge.openRequest({...draft, reviewers: ['ada'], labels: ['hive']});
		expect(opened).toEqual({
			...{number: 1, url: expect.stringMatching(/^http/), state: 'open', isDraft: false},
			...{title: 'Work', body: 'What was done.', branch: 'work', base: 'main', head},
		});
		const again = await forge.openRequest({...draft, title: 'Other'});
		expect(again).toEqual(opened);
		expect(await forge.findRequest('work')).toEqual(opened);
		expect(server.model.requests).toHaveLength(1);
		expect(server.model.requests[0]).toMatchObject({reviewers: ['ada'], labels: ['hive']});
	});

	it('opens no second request after an answer that was lost', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		server.fail({match: /^POST /, cut: 'after'});
		await expect(forge.openRequest(draft)).rejects.toMatchObject({trouble: 'unreachable'});
		expect(await forge.openRequest(draft)).toMatchObject({number: 1, state: 'open'});
		expect(server.model.requests).toHaveLength(1);
	});

	it('changes title and body', async () => {
		const {forge, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		await forge.editRequest(number, {title: 'Better'});
		await forge.editRequest(number, {body: 'More.'});
		expect((await forge.readRequest(number)).request).toMatchObject({title: 'Better', body: 'More.'});
	});

	it.each(['merge', 'squash', 'rebase'] as const)('names the commit of a %s on the base', async way => {
		const {forge, server, push, clone} = await openForge(provider);
		const head = await push('work');
		const {number} = await forge.openRequest(draft);
		await server.merge(number, way, {deletesBranch: true});
		const repository = await clone();
		await repository.git(['fetch', '--quiet', 'origin', 'main']);
		const base = await repository.git(['rev-parse', 'FETCH_HEAD']);
		const {request} = await forge.readRequest(number);
		// GitLab rebases the branch itself.
		const newest = provider === 'gitlab' && way === 'rebase' ? base : head;
		expect(request).toMatchObject({state: 'merged', head: newest, mergedAs: base});
		expect(await forge.findRequest('work')).toEqual(request);
	});

	it('reads what was said, and by whom, oldest first', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		server.comment(number, {author: 'ada', body: 'Why?'});
		const place = {path: 'work.txt', line: 1, side: 'new', hunk: '@@ -0,0 +1 @@\n+work'} as const;
		server.comment(number, {author: 'ben', body: 'A line', kind: 'line', place});
		server.comment(number, {author: 'hive-bot', body: 'An answer'});
		const {comments} = await forge.readRequest(number);
		expect(comments.map(({author, mayWrite, isOwn, text}) => ({author, mayWrite, isOwn, text}))).toEqual([
			{author: 'ada', mayWrite: true, isOwn: false, text: 'Why?'},
			{author: 'ben', mayWrite: false, isOwn: false, text: 'A line'},
			{author: 'hive-bot', mayWrite: true, isOwn: true, text: 'An answer'},
		]);
		expect(comments[1]?.place).toMatchObject({path: 'work.txt', line: 1, side: 'new'});
		expect(new Set(comments.map(({id}) => id)).size).toBe(3);
	});

	it('reads the newest checks of the newest commit', async () => {
		const {forge, server, push} = await openForge(provider);
		const commit = await push('work');
		const {number} = await forge.openRequest(draft);
		server.check({commit, name: 'build', state: 'pending'});
		server.check({commit, name: 'build', state: 'failed', summary: 'It broke.', url: 'https://ci.example/1'});
		server.check({commit, name: 'lint', state: 'passed', kind: 'status'});
		server.check({commit: 'a'.repeat(40), name: 'old', state: 'failed'});
		const {checks} = await forge.readRequest(number);
		expect(checks.map(({name, state, commit}) => ({name, state, commit}))).toEqual([
			{name: 'build', state: 'failed', commit},
			{name: 'lint', state: 'passed', commit},
		]);
		expect(checks[0]).toMatchObject({summary: 'It broke.', url: 'https://ci.example/1'});
	});

	it('answers a comment once, in its thread if it is on a line', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		const place = {path: 'work.txt', line: 1, side: 'new', hunk: '+work'} as const;
		const first = server.comment(number, {author: 'ada', body: 'A line', kind: 'line', place});
		const second = {author: 'ben', body: 'Yes', kind: 'line', place, thread: first.id} as const;
		server.comment(number, second);
		server.comment(number, {author: 'ada', body: 'Whole'});
		const {comments} = await forge.readRequest(number);
		for (const [index, comment] of comments.entries()) {
			const answer = {text: `Done ${index}`, marker: `<!-- ${index} -->`};
			await forge.reply(number, comment, answer);
			await forge.reply(number, comment, answer);
		}
		const own = server.model.requests[0]?.comments.filter(({author}) => author === 'hive-bot') ?? [];
		expect(own.map(({body}) => body)).toEqual([
			'Done 0\n\n<!-- 0 -->',
			'Done 1\n\n<!-- 1 -->',
			'Done 2\n\n<!-- 2 -->',
		]);
		expect(own.map(({thread}) => thread === first.id)).toEqual([true, true, false]);
	});

	it('reads an issue, and keeps one note on it', async () => {
		const {forge, server} = await openForge(provider);
		const {number} = server.openIssue({title: 'Broken', body: 'It fails.', author: 'ben'});
		expect(await forge.readIssue(number)).toMatchObject({
			...{number, isOpen: true, title: 'Broken', body: 'It fails.', author: 'ben', labels: []},
		});
		await forge.noteOnIssue(number, {text: 'Begun', marker: '<!-- x -->'});
		await forge.noteOnIssue(number, {text: 'Begun', marker: '<!-- x -->'});
		await forge.noteOnIssue(number, {text: 'Done', marker: '<!-- x -->'});
		expect(server.model.issues[0]?.comments.map(({body}) => body)).toEqual(['Done\n\n<!-- x -->']);
	});

	it('lists only issues that a login with the right to write has labelled', async () => {
		const {forge, server} = await openForge(provider);
		server.allow('tess', 'triage');
		for (const login of ['ada', 'ben', 'tess']) {
			const {number} = server.openIssue({title: login, author: 'ben'});
			server.label(number, 'hive', login);
		}
		const again = server.openIssue({title: 'again'});
		server.label(again.number, 'hive', 'ada');
		server.unlabel(again.number, 'hive', 'ada');
		server.label(again.number, 'hive', 'ben');
		const closed = server.openIssue({title: 'closed'});
		server.label(closed.number, 'hive', 'ada');
		server.closeIssue(closed.number);
		expect((await forge.issuesWithLabel('hive')).map(({title}) => title)).toEqual(['ada']);
	});

	it('leaves out issues that are known, before it asks who labelled them', async () => {
		const {forge, server} = await openForge(provider);
		for (const title of ['one', 'two']) {
			const {number} = server.openIssue({title});
			server.label(number, 'hive', 'ada');
		}
		const labellers = /\/issues\/1\/(events|resource_label_events)$/;
		expect((await forge.issuesWithLabel('hive', new Set([1]))).map(({title}) => title)).toEqual(['two']);
		expect(server.count(labellers)).toBe(0);
	});

	it('reads the comments on an issue, adds one, and removes it once', async () => {
		const {forge, server} = await openForge(provider);
		const issue = server.openIssue();
		const at = server.model.nextTime();
		issue.comments.push({id: 1, kind: 'whole', author: 'ada', body: 'Mine', at, thread: 1});
		issue.comments.push({id: 2, kind: 'whole', author: 'ben', body: 'Theirs', at, thread: 2});
		await forge.commentOnIssue(issue.number, 'Begun');
		const comments = await forge.issueComments(issue.number);
		expect(comments.map(({id: _, ...rest}) => rest)).toEqual([
			{author: 'ada', mayWrite: true, isOwn: false, text: 'Mine'},
			{author: 'ben', mayWrite: false, isOwn: false, text: 'Theirs'},
			{author: 'hive-bot', mayWrite: true, isOwn: true, text: 'Begun'},
		]);
		const id = comments.at(-1)?.id ?? 0;
		for (const _ of ['first', 'again']) await forge.removeIssueComment(issue.number, id);
		expect(issue.comments.map(({body}) => body)).toEqual(['Mine', 'Theirs']);
	});

	it('pays for what has changed only', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		const before = await forge.readRequest(number);
		const {remaining} = server.rate;
		expect(await forge.readRequest(number)).toEqual(before);
		expect(server.rate.remaining).toBe(remaining);
		expect(forge.limit()).toMatchObject({remaining, limit: 5000});
		server.comment(number, {author: 'ada', body: 'New'});
		expect((await forge.readRequest(number)).comments).toHaveLength(1);
	});

	it('opens a draft, and keeps it one under another title', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const opened = await forge.openRequest({...draft, isDraft: true});
		expect(opened).toMatchObject({isDraft: true, title: 'Work'});
		await forge.editRequest(opened.number, {title: 'Better'});
		expect((await forge.readRequest(opened.number)).request).toMatchObject({isDraft: true, title: 'Better'});
		expect(server.model.requests[0]?.isDraft).toBe(true);
	});

	it('opens a request without a reviewer that the forge does not take, and says so', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const opened = await forge.openRequest({...draft, reviewers: ['stranger'], labels: ['hive']});
		expect(opened).toMatchObject({number: 1, problems: [expect.stringMatching(/reviewer.*request 1/)]});
		expect(server.model.requests[0]?.labels).toEqual(['hive']);
	});

	it('opens no request from a branch that the forge does not have', async () => {
		const {forge} = await openForge(provider);
		await expect(forge.openRequest({...draft, branch: 'nowhere'})).rejects.toMatchObject({
			trouble: 'refused',
		});
	});

	it('finds the newest request from the branch, and none of a fork', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const first = await forge.openRequest(draft);
		await server.close(first.number);
		expect(await forge.findRequest('work')).toMatchObject({number: 1, state: 'closed'});
		const second = await forge.openRequest({...draft, title: 'Again'});
		await server.openRequest({branch: 'work', isFromFork: true});
		expect(await forge.findRequest('work')).toMatchObject({number: second.number, state: 'open'});
		await server.close(second.number);
		server.reopen(first.number);
		expect((await forge.readRequest(first.number)).request.state).toBe('open');
	});

	it('knows the newest commit of the branch', async () => {
		const {forge, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		const head = await push('work', {'work.txt': 'more\n'});
		expect((await forge.readRequest(number)).request.head).toBe(head);
	});

	it('keeps requests and issues apart', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest({...draft, labels: ['hive']});
		await expect(forge.readIssue(number)).rejects.toMatchObject({trouble: 'not_found'});
		expect(await forge.issuesWithLabel('hive')).toEqual([]);
		expect(server.model.requests).toHaveLength(1);
	});

	it('takes a push by git with the token alone', async () => {
		const {forge, server, push, clone} = await openForge(provider);
		await push('work');
		const repository = await clone();
		const askpass = join(repository.root, '../askpass');
		const head = await repository.commit('more');
		const pushAs = async (password: string) => {
			await writeFile(askpass, `#!/bin/sh\necho '${password}'\n`, {mode: 0o700});
			onTestFinished(() => rm(askpass, {force: true}));
			const ask = ['-c', `core.askPass=${askpass}`, '-c', 'credential.username=hive'];
			return repository.git([...ask, 'push', '--quiet', server.gitUrl(), 'HEAD:refs/heads/work']);
		};
		await expect(pushAs('wrong')).rejects.toThrow(/Authentication failed/);
		await pushAs(server.token);
		expect((await forge.openRequest(draft)).head).toBe(head);
	});
});
