import {randomUUID} from 'node:crypto';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isName, isTaskId} from '../../source/domain/ids.ts';
import {ask, offerTo} from '../../source/drivers/reactor-channel/ask.ts';
import {answerDefer, answerEmit} from '../../source/host/emit/answer-emit.ts';
import {createRig, scripted} from '../dispatch/rig.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';

/**
 * Invalid ids: each would leave its folder, act as an option, break a line or a ref, or collide with another
 * id.
 */
const hostile = [
	'',
	'.',
	'..',
	'../../escaped',
	'a/../../escaped',
	'/tmp/escaped',
	'-rf',
	'--output=escaped',
	'.hidden',
	'a..b',
	'a.lock',
	'a.',
	'a b',
	'a\nb',
	'a\0b',
	'a~1',
	'a:b',
	'@{u}',
	'$(touch escaped)',
	'`touch escaped`',
	'a\u202eb',
	'ünï',
	'x'.repeat(65),
	'*',
	'a>b',
	'__proto__',
];

test('an invalid id is neither a valid name nor a valid task id', () => {
	expect(hostile.filter(isName)).toEqual([]);
	expect(hostile.filter(isTaskId)).toEqual([]);
});

/**
 * Lists the folders of `.hive` and the refs that a trace, run or bee would get. Files that are being written,
 * and the reactor's notes on its log, are left out.
 */
const everything = async ({root, git}: {root: string; git: (args: string[]) => Promise<string>}) => [
	await readdir(root),
	await readdir(join(root, '.hive')),
	(await readdir(join(root, '.hive/runs')).catch(() => [])).filter(
		name => name !== '.newest' && !name.endsWith('.tmp'),
	),
	await git(['for-each-ref', '--format=%(refname)']),
];

describe('an invalid id in an event', () => {
	const fields = (id: string): object[] => [
		{traceId: id, type: 'INSIGHT', payload: {kind: 'review.note'}},
		{agentId: id, type: 'INSIGHT', payload: {kind: 'review.note'}},
		{type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [{taskId: id, title: 'x'}]}},
		{type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [{taskId: 'a', title: 'x', dependsOn: [id]}]}},
		{type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [{taskId: 'a', title: 'x', bee: id || '?'}]}},
		{type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [{taskId: 'a', title: 'x', sector: id || '?'}]}},
		{type: 'SIGNAL', payload: {kind: 'task.ready', taskId: id}},
		{
			type: 'SIGNAL',
			payload: {kind: 'energy.consume', amount: 1, agentId: id, bee: 'builder', place: 'here'},
		},
		{type: 'SIGNAL', payload: {kind: 'energy.consume', amount: 1, agentId: 'a', bee: id, place: 'here'}},
		{type: 'SIGNAL', payload: {kind: 'bee.requested', bee: id, body: 'x'}},
	];

	test.each(hostile.map(id => [JSON.stringify(id), id]))(
		'%s is refused in every field, at every entry point',
		async (_, id) => {
			const rig = await createRig({bees: {builder: scripted('true')}});
			const before = await everything({root: rig.root, git: rig.repository.git});
			for (const event of fields(id))
				for (const answer of [answerEmit, answerDefer]) {
					const request = {text: JSON.stringify({traceId: 'trace-1', ...event}), traceId: '', agentId: ''};
					const {exit, json} = await answer(rig.context, request);
					expect([event, json.ok, exit === 0]).toEqual([event, false, false]);
				}
			expect(await rig.events()).toEqual([]);
			expect(await everything({root: rig.root, git: rig.repository.git})).toEqual(before);
		},
	);
});

test('is refused by the socket of a reactor too, and no file is made', async () => {
	const colony = await createColony();
	const reactor = colony.follow(['run']);
	await colony.ask(['task', 'create', '--title', 'x', '--bee', 'builder', '--autorun']);
	await reactor.event({kind: 'task.status', status: 'waiting_review'});
	await expect.poll(() => colony.git(['for-each-ref', 'refs/hive/run'])).toBe('');
	const before = await everything(colony);
	const socket = join(colony.home, '.config/hive/scratch/reactor.sock');
	for (const id of hostile.filter(text => text !== '')) {
		for (const event of [
			{text: JSON.stringify({traceId: id, type: 'INSIGHT', payload: {kind: 'review.note'}})},
			{text: JSON.stringify({type: 'INSIGHT', payload: {kind: 'review.note'}}), traceId: id, agentId: 'a'},
			{text: JSON.stringify({type: 'INSIGHT', payload: {kind: 'review.note'}}), traceId: 'a', agentId: id},
		]) {
			const answer = await offerTo(socket, event, randomUUID(), 10_000);
			expect(JSON.stringify(answer)).toMatch(/schema_validation_failed|invalid_id|invalid_json/);
		}
		for (const event of [
			{traceId: id, type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [{taskId: 'a', title: 'x'}]}},
			{traceId: 'a', type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [{taskId: id, title: 'x'}]}},
			{traceId: id, type: 'SIGNAL', payload: {kind: 'trace.purged'}},
		])
			expect(await ask(socket, {op: 'append', id: randomUUID(), event}, 10_000)).toMatchObject({
				ok: false,
				error: {code: 'invalid_id'},
			});
	}
	await reactor.kill('SIGTERM');
	expect(await everything(colony)).toEqual(before);
});

test('no command accepts an invalid id', async () => {
	const colony = await createColony();
	const before = await everything(colony);
	for (const id of ['../../escaped', '-rf', 'a.lock', '$(touch escaped)']) {
		const at = [`--trace=${id}`];
		for (const args of [
			['task', 'create', '--title=x', ...at],
			['task', 'create', '--title=x', `--task=${id}`],
			['task', 'create', '--title=x', `--bee=${id}`],
			['task', 'create', '--title=x', `--sector=${id}`],
			['task', 'create', '--title=x', `--depends-on=${id}`],
			['task', 'show', ...at, `--task=${id}`],
			['bee', 'run', 'builder', '--body=x', ...at],
			['proposal', 'diff', ...at],
			['energy', 'add', '--amount=1', ...at],
			['kill', ...at],
			['event', 'pending', ...at, `--agent=${id}`],
			['event', 'flush', ...at, `--agent=${id}`],
			['restore', '--', id],
			['logs', '--', id],
			['replay', '--', id],
			['cue', 'run', '--', id, 'words'],
		]) {
			const {exitCode, stderr} = await colony.hive(args);
			expect([args.join(' '), [2, 3, 4, 5].includes(exitCode ?? -1) || stderr]).toEqual([
				args.join(' '),
				true,
			]);
		}
	}
	expect(await everything(colony)).toEqual(before);
});

test('files of .hive with invalid names are reported, and define no bees or cues', async () => {
	const colony = await createColony({bees: {builder}});
	for (const name of ['-x', 'a..b', 'a b', '$(touch escaped)', '.lock'])
		for (const kind of ['bees', 'cues'])
			await colony.write(`.hive/${kind}/${name}.yaml`, 'adapter: script\ncommand: ["true"]\nemit: task\n');
	const {stdout} = await colony.hive(['doctor', '--json']);
	for (const name of ['-x', 'a..b', 'a b', '$(touch escaped)']) expect(stdout).toContain(`bees/${name}.yaml`);
	const {stdout: bees} = await colony.hive(['colony', 'topology', '--json']);
	expect(bees).not.toContain('touch');
	expect(await colony.exists('escaped')).toBe(false);
});
