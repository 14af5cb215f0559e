import {expect, test} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';

const deferring = (end: string) => `
defer() { printf '%s' "$1" | hive event emit --stdin --defer >>"$HIVE_RUN_DIR/answers"; }
defer '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"first"}}'
defer '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"second"}}'
defer '{"type":"SIGNAL","payload":{"kind":"system.kill"}}'
hive event pending >>"$HIVE_RUN_DIR/answers"
${end}`;

const task = (colony: Awaited<ReturnType<typeof createColony>>, trace: string) =>
	colony.ask(['task', 'create', '--trace', trace, '--title', 'Defer', '--bee', 'planner']);

test('deferred events of a run are published after it ended well, in order and before its summary', async () => {
	const colony = await createColony({bees: {planner: {script: deferring('echo Planned')}}});
	await task(colony, 'good');
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
	const events = await colony.replay('good');
	const run = events.find(({payload}) => payload.kind === 'run.finished')?.payload.agentId;
	const kinds = events
		.filter(({agentId}) => agentId === run)
		.map(({payload}) => payload.summary ?? payload.kind);
	expect(kinds).toEqual(['first', 'second', 'Planned']);
	const answers = await colony.read(`.hive/runs/good/${run}/answers`);
	const [first, , denied, pending] = answers
		.trim()
		.split('\n')
		.map(line => JSON.parse(line));
	expect(Object.keys(first)).toEqual([
		...['ok', 'deferred', 'traceId', 'type', 'kind', 'id', 'pendingPath', 'warnings'],
	]);
	expect(denied).toMatchObject({ok: false, error: 'defer_denied'});
	expect(pending).toEqual({
		ok: true,
		traceId: 'good',
		agentId: run,
		count: 2,
		kinds: ['context.note', 'context.note'],
	});
});

test('deferred events of a failed run wait until a person flushes them', async () => {
	const colony = await createColony({bees: {planner: {script: deferring('exit 1')}}});
	await task(colony, 'bad');
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(9);
	const run = (await colony.replay('bad')).find(({payload}) => payload.kind === 'run.finished')?.payload
		.agentId;
	const of = ['--trace', 'bad', '--agent', `${run}`];
	expect(await colony.ask(['event', 'pending', ...of])).toMatchObject({v: 1, ok: true, count: 2});
	const {stdout, stderr, exitCode} = await colony.hive(['event', 'flush', ...of]);
	expect({stderr, exitCode, answer: JSON.parse(stdout)}).toEqual({
		stderr: '',
		exitCode: 0,
		answer: {ok: true, traceId: 'bad', agentId: run, published: 2, discarded: 0},
	});
	expect((await colony.replay('bad')).slice(-2).map(({payload}) => payload.summary)).toEqual([
		'first',
		'second',
	]);
	expect(await colony.ask(['event', 'flush', '--discard', ...of])).toMatchObject({
		published: 0,
		discarded: 0,
	});
	expect(
		await colony.ask(['event', 'pending', '--trace', 'bad', '--agent', 'ghost'], {exit: 3}),
	).toMatchObject({
		ok: false,
		error: 'run_not_found',
	});
});

test('event commands answer in the same form outside a colony', async () => {
	const colony = await createColony();
	const {stdout, exitCode} = await colony.hive(['event', 'emit', '--stdin'], {cwd: colony.home, input: '{}'});
	expect({exitCode, answer: JSON.parse(stdout)}).toEqual({
		exitCode: 5,
		answer: {ok: false, error: 'not_a_repository', details: [expect.objectContaining({path: ''})]},
	});
});
