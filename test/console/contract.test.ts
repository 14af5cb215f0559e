import {symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {addresses} from '../../source/console/addresses.ts';
import {reads} from '../../source/console/reads.ts';
import {errorTable} from '../../source/domain/error-table.ts';
import {actionIds} from '../../source/host/actions/table.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {startNatsServer} from '../helpers/nats-server.ts';
import {createSessionScene} from '../helpers/talk.ts';
import {openRig} from './rig.ts';

const posts = actionIds.flatMap(id => addresses[id].paths.map(path => [id, path] as const));

const filled = (path: string, names: Readonly<Record<string, string>>): string =>
	path.replace(/:(\w+)/g, (_, name) => names[name] ?? 'nothing');

it('every route answers as declared, from the creation of a task to its end', async () => {
	const colony = await createSessionScene({bees: {builder}});
	const rig = await openRig(colony);
	const {ask, send} = rig;

	// A repeated request with the same key creates one task.
	const made = {title: 'Add a page', body: 'x', bee: 'builder'};
	const keyed = {json: made, headers: {'idempotency-key': 'k1'}};
	const {traceId, taskId, message} = await ask('/api/tasks', keyed, 201);
	expect(message).toBe('Trace Add a page');
	expect(await ask('/api/tasks', keyed, 201)).toMatchObject({traceId, taskId});
	expect(await ask('/api/tasks', {...keyed, json: {...made, title: 'Another'}}, 422)).toMatchObject({
		code: 'key_reused',
	});
	await colony.hive(['run', '--until-idle']);
	await expect
		.poll(() => rig.model.traces().get(traceId)?.tasks.get('_review')?.status)
		.toBe('waiting_review');
	const [{agentId}] = (await ask(`/api/traces/${traceId}/runs`)).items;

	// A session is requested and starts.
	colony.follow();
	const asked = await ask('/api/sessions', {json: {bee: 'talker', body: 'Say what is wrong'}}, 201);
	const sessionOf = async () =>
		(await ask('/api/sessions')).items.find((one: {traceId: string}) => one.traceId === asked.traceId);
	await expect.poll(sessionOf).toMatchObject({bee: 'talker', state: 'idle', title: 'Say what is wrong'});
	const {sessionId} = await sessionOf();
	const lines = async () => (await ask(`/api/sessions/${sessionId}/screen`)).lines;
	await expect.poll(lines).toContainEqual(expect.stringContaining('talker of [Say what is wrong]'));
	// The transcript follows the screen: it is at rest once it has the same text.
	const lastEntry = async () => (await ask(`/api/sessions/${sessionId}/transcript`)).entries.at(-1);
	await expect
		.poll(lastEntry)
		.toMatchObject({text: expect.stringContaining('talker of [Say what is wrong]')});
	const names = {traceId, taskId, agentId, sessionId};

	// The only route that needs a query.
	const {fork, work} = await ask(`/api/traces/${traceId}/tasks/${taskId}/changes`);
	const line = new URLSearchParams({path: `${taskId}.txt`, side: 'new', line: '1', fork, work});
	const addressOf = (path: string): string =>
		`${filled(path, names)}${path.endsWith('/line') ? `?${line}` : ''}`;

	// Reads need a token, and return an entity tag, with which an unchanged answer is not sent again.
	for (const {path} of reads) {
		expect([path, (await send(addressOf(path))).status]).toEqual([path, 401]);
		const answer = await send(addressOf(path), {as: 'read'});
		expect([path, answer.status], await answer.clone().text()).toEqual([path, 200]);
		const tag = answer.headers.get('etag') ?? '';
		const again = await send(addressOf(path), {as: 'read', headers: {'if-none-match': tag}});
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
	const log = await ask(`/api/runs/${traceId}/${agentId}/log`);
	expect(log).toMatchObject({lines: [{text: `Built ${taskId}`}], from: 0, nextCursor: 1});
	const newLines = await ask(`/api/runs/${traceId}/${agentId}/log?after=1`);
	expect(newLines).toMatchObject({lines: [], from: 1, nextCursor: 1});
	expect((await ask(`/api/runs/${traceId}/${agentId}/events`)).items).toContainEqual(
		expect.objectContaining({agentId}),
	);

	const [changed] = (await ask(`${gate}/changes`)).changes;
	expect(changed.lines).toContainEqual({kind: 'added', text: `made by ${taskId}`, new: 1});

	// Artifacts of runs are served only if listed, and not through a link.
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

	// Every action has a route, needs a token that may act, and states why it is refused.
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

	for (const what of ['start', 'stop']) {
		const url = `/api/runtime/${what}`;
		expect([what, (await send(url, {json: {}})).status]).toEqual([what, 401]);
		expect(await ask(url, {json: {}, as: 'read'}, 403)).toMatchObject({code: 'read_only'});
		await ask(url, {json: {}});
	}

	// A text reaches the session, and the session ends.
	const talked = `/api/sessions/${sessionId}`;
	await ask(`${talked}/send`, {json: {text: 'say hello'}});
	await expect.poll(lines).toContainEqual(expect.stringContaining('heard hello'));
	await ask(`${talked}/stop`, {json: {}});
	await expect.poll(sessionOf).toMatchObject({state: 'cancelled'});
	expect((await ask('/api/sessions?text=heard%20HELLO')).items).toMatchObject([
		{sessionId, count: 1, matches: [{role: 'agent', text: 'heard hello'}]},
	]);
	expect((await ask('/api/sessions?text=drone')).items).toEqual([]);

	// A merge needs the tree that was shown.
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

	// The log records the device of each request.
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
			...[
				'/api/openapi.json',
				'/api/stream',
				'/api/devices/:device',
				'/api/review-marks',
				'/api/forge/webhook',
			],
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
	const other = await send('/api/traces', {as: 'act', method: 'PUT'});
	expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
	const ids = Object.values<Record<string, {operationId: string}>>(api.paths).flatMap(operations =>
		Object.values(operations).map(({operationId}) => operationId),
	);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).not.toContain(undefined);
});

it('an approved merge waits for its checks in the queue, and is checked again only as it was seen', async () => {
	const verify = {commands: [['true']], required: true};
	const colony = await createColony({bees: {builder}, settings: {verify}});
	const rig = await openRig(colony);
	const {ask, model} = rig;
	const {traceId} = await ask('/api/tasks', {json: {title: 'Add a page', body: 'x', bee: 'builder'}}, 201);
	await colony.hive(['run', '--until-idle']);
	const gate = `/api/traces/${traceId}/tasks/_review`;
	await expect.poll(async () => (await ask('/api/inbox')).count).toBe(1);

	// The base moves, so that no check has seen what would land.
	await colony.write('beside.md', 'Another program was here.\n');
	await colony.commit('Something else');
	expect(await ask('/api/landing', {as: 'read'})).toEqual({landing: []});
	expect((await ask(gate)).landing).toMatchObject({queued: null, left: null, checks: 'true'});
	const {tree} = await ask(`${gate}/preview`);
	for (const path of ['approve', 'landing/retry']) {
		const url = `${gate}/${path}`;
		expect(await ask(url, {json: {}}, 400)).toMatchObject({code: 'usage'});
		expect(await ask(url, {json: {tree, wait: true}}, 400)).toMatchObject({errors: [{path: 'wait'}]});
		const foreign = {json: {}, headers: {'if-match': `"${'0'.repeat(40)}"`}};
		expect(await ask(url, foreign, 409)).toMatchObject({code: 'stale_view'});
		expect(await ask(url, {json: {tree: '0'.repeat(40)}}, 409)).toMatchObject({code: 'stale_view'});
	}

	// Without a reactor it stays in the queue: no request lasts as long as a check.
	expect(await ask(`${gate}/approve`, {json: {tree}})).toMatchObject({landing: {position: 1, tree}});
	await expect.poll(() => model.traces().get(traceId)?.landing?.tree).toBe(tree);
	const {landing} = await ask('/api/landing', {as: 'read'});
	expect(landing).toMatchObject([{traceId, taskId: '_review', position: 1, tree, state: 'waiting'}]);
	expect(landing).toEqual((await colony.ask(['status'])).landing);
	expect(await ask('/api/inbox')).toMatchObject({count: 0});
	expect((await ask('/api/traces')).items).toMatchObject([
		{state: 'landing', landing: {queued: {text: 'number 1 on main, waits for its checks'}}},
	]);

	// It is taken out, and back with the person; then it is checked as it was seen.
	const cancel = `/api/traces/${traceId}/landing/cancel`;
	expect(await ask(cancel, {json: {}})).toMatchObject({taskId: '_review'});
	await expect.poll(() => model.traces().get(traceId)?.landing).toBe(undefined);
	expect(await ask(cancel, {json: {}}, 409)).toMatchObject({code: 'wrong_status'});
	expect((await ask(gate)).landing).toMatchObject({queued: null, left: {check: null}});
	const seen = {json: {}, headers: {'if-match': `"${tree}"`}};
	expect(await ask(`${gate}/landing/retry`, seen)).toMatchObject({landing: {position: 1, tree}});
	const merged = await ask(`${gate}/approve`, {json: {tree, withoutChecks: true, reason: 'It is late'}});
	expect(merged).toMatchObject({base: 'main', landing: null});
	await expect.poll(() => model.traces().get(traceId)?.landing).toBe(undefined);
	expect((await ask(`/api/traces/${traceId}`)).landing).toMatchObject({
		queued: null,
		left: null,
		unchecked: [{tree, base: 'main', by: 'console', reason: 'It is late'}],
	});

	const {actions} = await ask('/api/actions');
	const fieldsOf = (id: string) =>
		actions.find((one: {id: string}) => one.id === id).fields.map(({name}: {name: string}) => name);
	expect(fieldsOf('proposal.approve')).not.toContain('wait');
	expect(fieldsOf('landing.retry')).toEqual(['traceId', 'taskId', 'tree']);
	const api = await ask('/api/openapi.json');
	const posted = (path: string) => api.paths[path].post.requestBody.content['application/json'].schema;
	const task = '/api/traces/{traceId}/tasks/{taskId}';
	expect(Object.keys(posted(`${task}/landing/retry`).properties)).toEqual(['tree', 'expected']);
	expect(Object.keys(posted(`${task}/approve`).properties)).not.toContain('wait');
});

it('while the log is unreachable every route reports it, and a repeated request succeeds afterwards', async () => {
	const bus = await startNatsServer();
	onTestFinished(bus.dispose);
	const {ask, send, model} = await openRig(await createColony({bees: {builder}, bus}));
	const made = {title: 'Add a page', body: 'x', bee: 'builder'};
	const {traceId, taskId} = await ask('/api/tasks', {json: made}, 201);
	await bus.stop();
	const away = {
		status: 503,
		title: errorTable.bus_unreachable.message,
		code: 'bus_unreachable',
		detail: expect.stringContaining(`127.0.0.1:${bus.port}`),
		hint: expect.stringContaining('continues by itself'),
	};
	const topUp = {json: {amount: 5}, headers: {'idempotency-key': 'k1'}};
	expect(await ask(`/api/traces/${traceId}/energy/add`, topUp, 503)).toMatchObject(away);
	for (const {path} of reads) {
		const answer = await send(filled(path, {traceId, taskId}), {as: 'read'});
		if (answer.status !== 503) {
			// Some routes answer without the log, and some subjects are missing.
			expect([path, answer.status < 500], await answer.text()).toEqual([path, true]);
			continue;
		}
		expect(answer.headers.get('content-type')).toBe('application/problem+json');
		expect([path, await answer.json()]).toMatchObject([path, away]);
	}
	expect(await ask('/api/events', {}, 503)).toMatchObject(away);
	await expect.poll(async () => (await ask('/api/colony')).bus.state).toBe('unreachable');
	await bus.start();
	await expect
		.poll(async () => (await send(`/api/traces/${traceId}/energy/add`, {as: 'act', ...topUp})).status)
		.toBe(200);
	await ask(`/api/traces/${traceId}/energy/add`, topUp);
	await expect.poll(() => model.traces().get(traceId)?.energyRemaining).toBe(17);
});
