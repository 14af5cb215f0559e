import {expect, it} from 'vitest';
import type {ForgeCheck} from '../../../source/ports/forge.ts';
import {draft, openForge} from '../../contract/forge-rig.ts';

const openRequest = async () => {
	const opened = await openForge('gitlab');
	await opened.push('work');
	return {...opened, request: await opened.forge.openRequest(draft)};
};

it('reads each status as passed, failed or pending', async () => {
	const {forge, server, request} = await openRequest();
	const states: readonly (readonly [string, boolean, ForgeCheck['state']])[] = [
		...([
			['created', false, 'pending'],
			['pending', false, 'pending'],
			['running', false, 'pending'],
		] as const),
		...([
			['success', false, 'passed'],
			['skipped', false, 'passed'],
			['failed', false, 'failed'],
		] as const),
		...([
			['canceled', false, 'failed'],
			['manual', false, 'pending'],
			['scheduled', false, 'pending'],
		] as const),
		...([
			['failed', true, 'passed'],
			['manual', true, 'passed'],
			['running', true, 'pending'],
		] as const),
	];
	const body = states.map(([status, isOptional], id) => ({
		...{id, name: `job ${id}`, status, allow_failure: isOptional, description: null, target_url: null},
	}));
	server.fail({match: /statuses$/, answer: {status: 200, body}});
	const {checks} = await forge.readRequest(request.number);
	expect(checks.map(({state}) => state)).toEqual(states.map(([, , state]) => state));
});

it('keeps the newest status of a job', async () => {
	const {forge, server, request} = await openRequest();
	const job = {name: 'build', allow_failure: false, description: null, target_url: null};
	const body = [
		{...job, id: 2, status: 'success'},
		{...job, id: 1, status: 'failed'},
	];
	server.fail({match: /statuses$/, answer: {status: 200, body}});
	const {checks} = await forge.readRequest(request.number);
	expect(checks.map(({state}) => state)).toEqual(['passed']);
});

it('leaves out what GitLab notes itself, and answers on a removed line', async () => {
	const {forge, server, request} = await openRequest();
	server.comment(request.number, {author: 'ada', kind: 'system', body: 'added 1 commit'});
	const place = {path: 'a.ts', line: 3, side: 'old', hunk: ''} as const;
	server.comment(request.number, {author: 'ada', kind: 'line', body: 'Why?', place});
	const {comments} = await forge.readRequest(request.number);
	expect(comments).toMatchObject([{text: 'Why?', place: {path: 'a.ts', line: 3, side: 'old', quote: ''}}]);
	expect(comments[0]?.url).toMatch(/merge_requests\/1#note_\d+$/);
});

it('reads pages in smaller parts if notes are so long that one is too large', async () => {
	const {open, server, request} = await openRequest();
	const forge = open({maxAnswerBytes: 300_000});
	for (let count = 0; count < 30; count++)
		server.comment(request.number, {author: 'ada', body: `${count} ${'x'.repeat(20_000)}`});
	const {comments} = await forge.readRequest(request.number);
	expect(comments.map(({text}) => Number(text.split(' ')[0]))).toEqual([...Array(30).keys()]);
});

it('fails if one note alone is too large', async () => {
	const {open, server, request} = await openRequest();
	const forge = open({maxAnswerBytes: 300_000});
	server.comment(request.number, {author: 'ada', body: 'x'.repeat(400_000)});
	await expect(forge.readRequest(request.number)).rejects.toMatchObject({
		...{trouble: 'invalid', message: 'GitLab answers with more than 300000 bytes.'},
	});
});

it('asks in several calls who of many authors may write', async () => {
	const {forge, server, request} = await openRequest();
	for (let count = 0; count < 150; count++) {
		if (count % 2 === 0) server.allow(`user${count}`, 'write');
		server.comment(request.number, {author: `user${count}`, body: 'x'});
	}
	const {comments} = await forge.readRequest(request.number);
	expect(comments.map(({mayWrite}) => mayWrite)).toEqual(comments.map((_, index) => index % 2 === 0));
	expect(server.count(/members\/all$/)).toBe(2);
});

it('names the scopes of the token, and none if it is of a kind that has none', async () => {
	const {forge, server} = await openForge('gitlab');
	expect((await forge.examine()).scopes).toEqual(['api']);
	server.fail({match: /self$/, answer: {status: 403, body: {message: '403 Forbidden'}}});
	expect((await forge.examine()).scopes).toEqual([]);
});

it('says what GitLab says of each field', async () => {
	const {forge, push, server} = await openForge('gitlab');
	await push('work');
	const body = {message: {base: ['is missing', 'is odd'], title: ["can't be blank"]}};
	server.fail({match: /^POST/, answer: {status: 400, body}});
	await expect(forge.openRequest(draft)).rejects.toMatchObject({
		...{trouble: 'refused', message: expect.stringContaining("base is missing,is odd, title can't be blank")},
	});
});
