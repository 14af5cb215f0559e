import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createForge} from '../../source/drivers/forge/create-forge.ts';
import type {ForgeTrouble} from '../../source/ports/forge.ts';
import {draft, failureOf, openForge, providers} from './forge-rig.ts';

const ownUser = /^GET \/api\/v\d\/user$/;
const never = new Promise<void>(() => {});

/** Another origin, with what it was asked. */
const startStranger = async () => {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(JSON.stringify(request.headers));
		response.end('[]');
	}).listen(0, '127.0.0.1');
	await new Promise<void>(resolve => void server.once('listening', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return {asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`};
};

describe.each(providers)('%s in trouble', provider => {
	const statuses: readonly (readonly [number, ForgeTrouble])[] = [
		...([
			[400, 'refused'],
			[401, 'unauthorized'],
			[403, 'forbidden'],
			[404, 'not_found'],
		] as const),
		...([
			[409, 'conflict'],
			[410, 'not_found'],
			[422, 'refused'],
			[429, 'limited'],
		] as const),
		...([
			[500, 'unreachable'],
			[503, 'unreachable'],
		] as const),
	];
	it.each(statuses)('explains %i as %s, without the token', async (status, trouble) => {
		const {forge, server} = await openForge(provider);
		const body = {message: `It failed for ${server.token}\u001b[2J.`};
		server.fail({match: ownUser, times: 9, answer: {status, body}});
		const error = await failureOf(forge.examine());
		expect(error.trouble).toBe(trouble);
		expect(error.message).toMatch(/^Git(Hub|Lab) .*\(\d+\)\. It says: It failed for \[redacted\]/);
		expect(error.message).not.toContain('\u001b');
	});

	it('does not accept another token', async () => {
		const {open} = await openForge(provider);
		expect((await failureOf(open({token: 'another-token-000'}).examine())).trouble).toBe('unauthorized');
	});

	it('fails at once when its limit is used up, and says until when', async () => {
		const {forge, server} = await openForge(provider);
		const resetAt = Math.ceil(Date.now() / 1000 + 1800) * 1000;
		server.exhaust(resetAt);
		const error = await failureOf(forge.findRequest('work'));
		expect(error).toMatchObject({trouble: 'limited', retryAt: resetAt});
		expect(server.calls).toHaveLength(1);
		expect(forge.limit()).toEqual({remaining: 0, limit: 5000, resetAt});
	});

	it('says until when a second limit holds', async () => {
		const {open, server} = await openForge(provider);
		const body = {message: 'You have exceeded a secondary rate limit.'};
		const headers = {'retry-after': '120'};
		server.fail({match: ownUser, answer: {status: provider === 'github' ? 403 : 429, body, headers}});
		const error = await failureOf(open({now: () => 5000}).examine());
		expect(error).toMatchObject({trouble: 'limited', retryAt: 125_000});
		expect(server.calls).toHaveLength(1);
	});

	it('is asked once more for a read after a failure', async () => {
		const {forge, server} = await openForge(provider);
		server.fail({match: ownUser, answer: {status: 502, body: '<html>'}});
		server.fail({match: /\/ada(\/|%2F)hive$/, cut: 'before'});
		expect((await forge.examine()).login).toBe('hive-bot');
		expect(server.count(ownUser)).toBe(2);
	});

	it('is sent no write twice', async () => {
		const {forge, server} = await openForge(provider);
		const {number} = server.openIssue();
		const note = {text: 'Begun', marker: '<!-- x -->'};
		server.fail({match: /^POST /, answer: {status: 502}});
		expect((await failureOf(forge.noteOnIssue(number, note))).trouble).toBe('unreachable');
		expect(server.count(/^POST /)).toBe(1);
		server.fail({match: /^POST /, cut: 'after'});
		expect((await failureOf(forge.noteOnIssue(number, note))).trouble).toBe('unreachable');
		await forge.noteOnIssue(number, note);
		expect(server.model.issues[0]?.comments).toHaveLength(1);
	});

	it('is sent no answer to a comment twice', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		const place = {path: 'work.txt', line: 1, side: 'new', hunk: '+work'} as const;
		server.comment(number, {author: 'ada', kind: 'line', body: 'Why?', place});
		const {comments} = await forge.readRequest(number);
		const to = comments[0] ?? {id: ''};
		server.fail({match: /^POST /, cut: 'after'});
		const answer = {text: 'Because.', marker: '<!-- 1 -->'};
		expect((await failureOf(forge.reply(number, to, answer))).trouble).toBe('unreachable');
		await forge.reply(number, to, answer);
		expect(server.model.requests[0]?.comments.map(({author}) => author)).toEqual(['ada', 'hive-bot']);
	});

	it('is unreachable if it does not answer in time', async () => {
		const {open, server} = await openForge(provider);
		server.fail({match: /./, times: 9, hold: never});
		const error = await failureOf(open({timeoutMs: 20}).findRequest('work'));
		expect(error).toMatchObject({
			trouble: 'unreachable',
			message: expect.stringContaining('did not answer within'),
		});
	});

	it('is unreachable if its answer does not end in time', async () => {
		const {open, server} = await openForge(provider);
		server.fail({match: /./, times: 9, stalls: true});
		const error = await failureOf(open({timeoutMs: 200}).findRequest('work'));
		expect(error).toMatchObject({
			...{trouble: 'unreachable', message: expect.stringContaining('did not answer within 0.2 seconds')},
		});
	});

	it('is asked once more for an answer that was cut', async () => {
		const {forge, server} = await openForge(provider);
		server.fail({match: ownUser, cut: 'within'});
		expect((await forge.examine()).login).toBe('hive-bot');
		server.fail({match: ownUser, times: 2, cut: 'within'});
		expect((await failureOf(forge.examine())).trouble).toBe('unreachable');
	});

	it('is unreachable if its connections end', async () => {
		const {forge, server} = await openForge(provider);
		server.fail({match: /./, times: 9, cut: 'before'});
		const error = await failureOf(forge.findRequest('work'));
		expect(error).toMatchObject({
			trouble: 'unreachable',
			message: expect.stringMatching(/^Git(Hub|Lab) cannot be reached: /),
		});
	});

	it.each(['{"login": ', '<html>', '[]', '', 'null', '{"login": 7, "username": 7}'])(
		'answers %j, which it does not document',
		async body => {
			const {forge, server} = await openForge(provider);
			server.fail({match: ownUser, times: 9, answer: {status: 200, body}});
			expect((await failureOf(forge.examine())).trouble).toBe('invalid');
		},
	);

	it('answers a list with an item that it does not document', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		const item = {id: 1, notes: 'none'};
		server.fail({match: /(comments|discussions)$/, times: 9, answer: {status: 200, body: [item]}});
		expect((await failureOf(forge.readRequest(number))).trouble).toBe('invalid');
	});

	it.each([301, 302, 307, 308])('sends no token to another address by a redirect (%i)', async status => {
		const {forge, server} = await openForge(provider);
		const {asked, url} = await startStranger();
		server.fail({match: /./, times: 9, answer: {status, headers: {location: `${url}/user`}}});
		const {number} = server.openIssue();
		for (const call of [forge.examine, () => forge.editRequest(number, {body: 'x'})]) {
			const {trouble, message} = await failureOf(call());
			expect(['invalid', 'refused']).toContain(trouble);
			expect(message).not.toContain(server.token);
		}
		expect(asked).toEqual([]);
	});

	it.each([301, 302, 303])('makes no read of a write by a redirect (%i)', async status => {
		const {forge, server} = await openForge(provider);
		const {number} = server.openIssue();
		const headers = {location: '/api/elsewhere'};
		server.fail({match: /^POST /, answer: {status, headers}});
		const error = await failureOf(forge.noteOnIssue(number, {text: 'Begun', marker: '<!-- x -->'}));
		expect(error.trouble).toBe('refused');
		expect(server.count(/elsewhere/)).toBe(0);
	});

	it('sends no token to another address by a next page', async () => {
		const {forge, server} = await openForge(provider);
		const {asked, url} = await startStranger();
		const headers = {link: `<${url}/issues?page=2>; rel="next"`};
		server.fail({match: /issues$/, times: 9, answer: {status: 200, body: [], headers}});
		expect((await failureOf(forge.issuesWithLabel('hive'))).trouble).toBe('invalid');
		expect(asked).toEqual([]);
	});

	it('redirects without an end', async () => {
		const {forge, server} = await openForge(provider);
		server.fail({match: /./, times: 99, answer: {status: 302, headers: {location: '/api/round'}}});
		expect((await failureOf(forge.examine())).trouble).toBe('invalid');
	});

	it('follows a repository that was renamed, and tells its new name', async () => {
		const {forge, open, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		const place = server.place(provider);
		server.rename('grace/beehive');
		expect((await forge.readRequest(number)).request.title).toBe('Work');
		await forge.editRequest(number, {body: 'More.'});
		expect(server.model.requests[0]?.body).toBe('More.');
		const renewed = open({place});
		expect((await renewed.examine()).repository).toBe('grace/beehive');
		expect(await renewed.findRequest('work')).toMatchObject({number});
		await renewed.editRequest(number, {title: 'Better'});
		expect(server.model.requests[0]?.title).toBe('Better');
	});

	it('loses and doubles no comment that moves to another page', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		for (let count = 0; count < 250; count++) server.comment(number, {author: 'ada', body: `c${count}`});
		server.fail({
			match: /^GET .*(issues\/1\/comments|discussions)$/,
			change: () => {
				server.model.requests[0]?.comments.shift();
				server.comment(number, {author: 'ada', body: 'c250'});
			},
		});
		const {comments} = await forge.readRequest(number);
		expect(comments.map(({text}) => text)).toEqual(Array.from({length: 250}, (_, index) => `c${index + 1}`));
	});

	it('loses and doubles no comment while the pages change all the time', async () => {
		const {forge, server, push} = await openForge(provider);
		await push('work');
		const {number} = await forge.openRequest(draft);
		const old = Array.from({length: 150}, (_, index) => `c${index}`);
		for (const body of old) server.comment(number, {author: 'ada', body});
		server.fail({
			match: /^GET .*(issues\/1\/comments|discussions)$/,
			times: 99,
			// What was last on the page is first on the next one.
			change: () => {
				server.comment(number, {author: 'ada', body: 'new'});
				const comments = server.model.requests[0]?.comments ?? [];
				comments.unshift(...comments.splice(-1));
			},
		});
		const {comments} = await forge.readRequest(number);
		expect(new Set(comments.map(({id}) => id)).size).toBe(comments.length);
		expect(comments.map(({text}) => text).filter(text => text !== 'new')).toEqual(old);
	});

	it('is cut to what hive keeps', async () => {
		const {forge, server, push} = await openForge(provider);
		const commit = await push('work');
		const opened = await server.openRequest({branch: 'work', title: 't'.repeat(9000), body: 'b'.repeat(2e6)});
		for (let count = 0; count < 2150; count++)
			server.comment(opened.number, {author: `user${count}`, body: `c${count}`});
		server.comment(opened.number, {author: 'ada', body: '\u{1f41d}'.repeat(500_000)});
		for (let count = 0; count < 300; count++) {
			const isLast = count === 299;
			const [state, summary] = [isLast ? ('failed' as const) : ('passed' as const), 's'.repeat(9000)];
			server.check({commit, name: `check ${count}`, state, summary, url: 'javascript:alert(1)'});
		}
		const {request, comments, checks} = await forge.readRequest(opened.number);
		expect(request.title.length).toBeLessThanOrEqual(501);
		expect(request.body.length).toBeLessThanOrEqual(65_537);
		expect(comments).toHaveLength(1000);
		expect(comments.at(-2)?.text).toBe('c2149');
		expect(comments.at(-1)?.text.length).toBeLessThanOrEqual(65_537);
		expect(checks).toHaveLength(200);
		expect(checks[0]).toMatchObject({name: 'check 299', state: 'failed', url: ''});
		expect(checks[0]?.summary.length).toBeLessThanOrEqual(4001);
	});

	it('looks at no more pages than hive keeps, whatever it links to', async () => {
		const {forge, server} = await openForge(provider);
		const address = `${server.place(provider).api}/endless/issues`;
		const headers = {link: `<${address}?page=2>; rel="next"`};
		server.fail({match: /issues$/, times: 99, answer: {status: 200, body: [], headers}});
		expect(await forge.issuesWithLabel('hive')).toEqual([]);
		expect(server.count(/issues$/)).toBeLessThan(20);
	});

	it('has nothing under that number', async () => {
		const {forge} = await openForge(provider);
		for (const call of [forge.readRequest, forge.readIssue])
			expect((await failureOf(call(77))).trouble).toBe('not_found');
	});

	it.each([
		'http://forge.example/api',
		'ftp://127.0.0.1/',
		'https://me:secret@forge.example/',
		'http://127.0.0.1.example/',
		'forge.example',
	])('is not asked at %s', async api => {
		const open = () => createForge({provider, api, repository: 'ada/hive'}, 'token-000', {userAgent: 'hive'});
		expect(open).toThrow(/has to begin with https:/);
		expect(open).not.toThrow(/secret/);
	});

	it.each(['hive', '../hive', 'ada/..', 'ada/hive/', 'ada/hi ve', 'ada/hive?x=1'])(
		'is not asked for the repository %j',
		async repository => {
			const place = {provider, api: 'https://forge.example', repository};
			expect(() => createForge(place, 'token-000', {userAgent: 'hive'})).toThrow(/owner\/name/);
		},
	);

	it.each(['', 'two words', 'line\nbreak'])('is not asked with the token %j', async token => {
		const place = {provider, api: 'https://forge.example', repository: 'ada/hive'};
		expect(() => createForge(place, token, {userAgent: 'hive'})).toThrow(/The token is empty, or has/);
	});
});
