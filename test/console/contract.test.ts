import {symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {addresses} from '../../source/console/addresses.ts';
import {reads} from '../../source/console/reads.ts';
import {errorTable} from '../../source/domain/error-table.ts';
import {actionIds} from '../../source/host/actions/table.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {openRig} from './rig.ts';

const posts = actionIds.flatMap(id => addresses[id].paths.map(path => [id, path] as const));

const filled = (path: string, names: Readonly<Record<string, string>>): string =>
	path.replace(/:(\w+)/g, (_, name) => names[name] ?? 'nothing');

it('every route answers as it is declared, and the life of a task goes through them', async () => {
	const colony = await createColony({bees: {builder}});
	const rig = await openRig(colony);
	const {ask, send} = rig;

	// A task is made once, however often it is asked for with the same key.
	const made = {title: 'Add a page', body: 'x', bee: 'builder'};
	const keyed = {json: made, headers: {'idempotency-key': 'k1'}};
	const {traceId, taskId, message} = await ask('/api/tasks', keyed, 201);
	expect(message).toBe(`Trace ${traceId}`);
	expect(await ask('/api/tasks', keyed, 201)).toMatchObject({traceId, taskId});
	expect(await ask('/api/tasks', {...keyed, json: {...made, title: 'Another'}}, 422)).toMatchObject({
		code: 'key_reused',
	});
	await colony.hive(['run', '--until-idle']);
	await expect
		.poll(() => rig.model.traces().get(traceId)?.tasks.get('_review')?.status)
		.toBe('waiting_review');
	const [{agentId}] = (await ask(`/api/traces/${traceId}/runs`)).items;
	const names = {traceId, taskId, agentId};

	// Reading: everything has a tag, and is not sent again to whoever has it.
	for (const {path} of reads.filter(({path: one}) => !one.includes('sessionId'))) {
		const answer = await send(filled(path, names), {as: 'read'});
		expect([path, answer.status], await answer.clone().text()).toEqual([path, 200]);
		const tag = answer.headers.get('etag') ?? '';
		const again = await send(filled(path, names), {as: 'read', headers: {'if-none-match': tag}});
		expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
		const odd = await send(`${filled(path, names)}?nonsense=1`, {as: 'read'});
		expect([path, odd.status]).toEqual([path, 400]);
	}
	const gate = `/api/traces/${traceId}/tasks/_review`;
	expect(await ask('/api/review-queue')).toMatchObject({count: 1, items: [{gate: 'final'}]});
	const inbox = await ask('/api/inbox');
	expect(inbox).toMatchObject({words: '1 review', items: [{kind: 'review', traceId, taskId: '_review'}]});
	expect((await ask('/api/colony')).counts).toMatchObject({inbox: inbox.count, reviews: 1});
	expect(await ask(`/api/traces/${traceId}/merge-diff`)).toMatchObject({
		defaultBranch: 'main',
		empty: false,
		diff: expect.stringContaining(`made by ${taskId}`),
	});
	expect((await ask(`/api/runs/${traceId}/${agentId}/log`)).lines).toMatchObject([{text: `Built ${taskId}`}]);
	expect((await ask(`/api/runs/${traceId}/${agentId}/events`)).items).toContainEqual(
		expect.objectContaining({agentId}),
	);

	const [{lines}] = (await ask(`${gate}/changes`)).changes;
	expect(lines).toContainEqual({kind: 'added', text: `made by ${taskId}`, new: 1});

	// What runs left: by the list alone, and through no link.
	const folder = join(colony.root, '.hive/runs', traceId, 'artifacts');
	await writeFile(join(folder, 'sketch.md'), '# The sketch\n');
	await symlink('/etc/passwd', join(folder, 'out.md'));
	const sketch = {
		ref: `.hive/runs/${traceId}/artifacts/sketch.md`,
		artifactKind: 'sketch',
		title: 'The sketch',
	};
	const artifacts = `/api/traces/${traceId}/artifacts`;
	expect((await ask(artifacts)).items).toContainEqual(sketch);
	const shown = await ask(`${artifacts}?ref=${encodeURIComponent(sketch.ref)}`);
	expect(shown).toEqual({...sketch, text: '# The sketch\n', truncated: false});
	for (const ref of ['.hive/config.yaml', sketch.ref.replace('sketch', 'out'), '../../../etc/passwd', '']) {
		const refused = await ask(`${artifacts}?ref=${encodeURIComponent(ref)}`, {}, 404);
		expect([ref, refused.code]).toEqual([ref, 'artifact_not_found']);
	}
	expect((await ask(gate)).task.offers).toEqual(
		expect.arrayContaining(['proposal.approve', 'proposal.reject']),
	);

	// Every action has a route, wants a token that may act, and says why it is not done.
	for (const [id, path] of posts) {
		const url = filled(path, {traceId: 'trace-none', taskId: 'none', agentId: 'none'});
		expect([id, (await send(url, {json: {}})).status]).toEqual([id, 401]);
		expect([id, (await send(url, {json: {}, as: 'read'})).status]).toEqual([id, 403]);
		const odd = await send(url, {json: {nonsense: 1}, as: 'act'});
		expect([id, odd.headers.get('content-type')]).toEqual([id, 'application/problem+json']);
		const {code, status} = (await odd.json()) as {code: string; status: number};
		expect([id, code]).toEqual([id, id === 'task.create' ? 'invalid_plan' : 'usage']);
		expect(status).toBe(errorTable[code as 'usage'].http);
	}

	// Nobody merges what they have not seen.
	const {tree} = await ask(`${gate}/preview`);
	expect(await ask(`${gate}/approve`, {json: {}}, 400)).toMatchObject({code: 'usage'});
	const foreign = {json: {}, headers: {'if-match': `"${'0'.repeat(40)}"`}};
	expect(await ask(`${gate}/approve`, foreign, 409)).toMatchObject({code: 'stale_view'});
	expect(
		await ask(`/api/traces/${traceId}/energy/add`, {json: {amount: 5}, headers: {'if-match': '"old"'}}, 409),
	).toMatchObject({code: 'stale_view'});
	expect(await ask(`/api/traces/${traceId}/energy/add`, {json: {amount: 5}})).toMatchObject({amount: 5});
	expect(await ask(`${gate}/approve`, {json: {}, headers: {'if-match': `"${tree}"`}})).toMatchObject({
		base: 'main',
		message: expect.stringMatching(/^Merged into main/),
	});

	// The log says who did it, and from where.
	const said = (await colony.replay(traceId)).filter(event => event.agentId === 'console');
	expect(said.map(({payload}) => [payload.kind, payload.device])).toEqual(
		expect.arrayContaining([
			['task.plan', 'token'],
			['energy.add', 'token'],
			['merge.started', 'token'],
		]),
	);

	const api = await ask('/api/openapi.json', {as: 'read'});
	const declared = Object.keys(api.paths).map(path => path.replace(/\{(\w+)\}/g, ':$1'));
	expect(new Set(declared)).toEqual(
		new Set([
			...['/api/login', '/api/logout', '/api/runtime/start', '/api/runtime/stop'],
			...['/api/openapi.json', '/api/stream'],
			...reads.map(({path}) => path),
			...posts.map(([, path]) => path),
		]),
	);
	expect(
		api.paths['/api/traces/{traceId}/energy/add'].post.requestBody.content['application/json'].schema,
	).toMatchObject({
		properties: {amount: {type: 'integer', minimum: 1}},
	});
	expect(await ask('/api/nonsense', {}, 404)).toMatchObject({code: 'unknown_route'});
});
