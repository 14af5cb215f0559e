import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {link, mkdir, readdir, rename, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {publishSpooled} from '../../source/dispatch/spool.ts';
import {answerDefer, answerEmit} from '../../source/host/emit/answer-emit.ts';
import {spooledName} from '../../source/runs/spool.ts';
import {withTimeout} from '../helpers/with-timeout.ts';
import {createRig, type Rig, scripted, traceId} from './rig.ts';

const sleeper = {bees: {sleeper: scripted('exec sleep 600'), plain: scripted('true')}};

const note = (summary: string, more: object = {}) => ({
	...{type: 'INSIGHT', payload: {kind: 'context.note', summary}},
	...more,
});

const idOf = (n: number): string => n.toString(16).padStart(28, '0');

const spoolIn = (rig: Rig, agentId: string): string => join(rig.directoryOf(agentId), 'sandbox/spool');

/** Writes events into the spool, numbered from `from` (default 1). */
const queue = (rig: Rig, agentId: string, events: readonly (object | string)[], from = 1): void => {
	for (const [index, event] of events.entries()) {
		const name = spooledName({id: idOf(from + index), defer: false});
		const text = typeof event === 'string' ? event : JSON.stringify(event);
		writeFileSync(join(spoolIn(rig, agentId), name), text);
	}
};

const summaries = async (rig: Rig) => (await rig.events('context.note')).map(({payload}) => payload.summary);

const refusals = async (rig: Rig) => (await rig.events('action.refused')).map(({payload}) => payload.message);

const warningsOf = async (rig: Rig): Promise<string> =>
	JSON.stringify((await rig.events('run.finished')).map(({payload}) => payload.warnings ?? []));

/** Stops a run of the sleeper, and collects it. */
const end = async (rig: Rig, agentId: string) => {
	await rig.processes.stop(rig.directoryOf(agentId), agentId, 0);
	return rig.collect(agentId);
};

describe('the spool of a run', () => {
	test('is published in order as events of the run when the run is collected, and is then removed', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('plain');
		expect(await rig.modeOf(spoolIn(rig, agentId))).toBe('700');
		queue(
			rig,
			agentId,
			['one', 'two', 'three'].map(word => note(word)),
		);
		const deferred = JSON.stringify(note('at the end'));
		await writeFile(join(spoolIn(rig, agentId), spooledName({id: idOf(0), defer: true})), deferred);
		await rig.ended(agentId);
		const {run} = await rig.collect(agentId);
		expect(run.status).toBe('completed');
		expect(await summaries(rig)).toEqual(['one', 'two', 'three', 'at the end']);
		expect((await rig.events('context.note')).map(({id}) => id)).toEqual([1, 2, 3, 0].map(idOf));
		expect((await rig.audit(agentId)).filter(kind => kind === 'context.note')).toHaveLength(4);
		expect(await readdir(rig.directoryOf(agentId))).not.toContain('sandbox');
		expect(await warningsOf(rig)).toBe('[[]]');
	});

	test('is published while the run works, at the first poll and with each new file', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		queue(rig, agentId, [note('before')]);
		const over = new AbortController();
		onTestFinished(() => over.abort());
		rig.dispatcher.follow(...(await rig.runOf(agentId)), over.signal, () => {});
		for (const [index, word] of ['before', 'after', 'and after'].entries()) {
			if (index > 0) queue(rig, agentId, [note(word)], index + 1);
			await withTimeout(comes(rig, word), () => word);
		}
		expect(await summaries(rig)).toEqual(['before', 'after', 'and after']);
		expect(rig.reports).toEqual([]);
	});

	test('is published once however often it is read, questions included', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		const events = [note('once'), {type: 'SIGNAL', payload: {kind: 'human.question', text: 'Which?'}}];
		// A reactor published the events and died before it removed the files.
		for (const [index, event] of events.entries())
			await answerEmit(rig.context, {text: JSON.stringify(event), traceId, agentId, id: idOf(index + 1)});
		queue(rig, agentId, events);
		const text = JSON.stringify(note('deferred'));
		await answerDefer(rig.context, {text, traceId, agentId, id: idOf(9)});
		await writeFile(join(spoolIn(rig, agentId), spooledName({id: idOf(9), defer: true})), text);
		await end(rig, agentId);
		expect((await rig.text(agentId, 'pending.ndjson')).trim().split('\n')).toHaveLength(1);
		expect(await rig.events('context.note')).toHaveLength(1);
		expect(await rig.events('human.question')).toHaveLength(1);
		expect(await refusals(rig)).toEqual([]);
	});

	test.each([
		['left there', 'running', true],
		['lost', 'ready', false],
	])('has the end of a question: with one that is %s, the task is %s', async (_, status, isLeft) => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('plain');
		const questionId = 'q-1';
		await rig.say({
			...{traceId, agentId, type: 'SIGNAL'},
			payload: {kind: 'human.question', questionId, text: 'Which?', waits: true},
		});
		await rig.say({traceId, type: 'SIGNAL', payload: {kind: 'human.answer', questionId, text: 'This'}});
		const ended = {type: 'SIGNAL', payload: {kind: 'ask.ended', questionId, delivered: true}};
		if (isLeft) queue(rig, agentId, [ended]);
		await rig.ended(agentId);
		const {run, tasks} = await rig.collect(agentId);
		expect(run.questions).toMatchObject([isLeft ? {delivered: true} : {text: 'Which?'}]);
		expect(tasks.get('one')?.status).toBe(status);
	});

	test('is validated like all events of the run, and each refusal is noted in the trace', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		await rig.say({traceId: 'victim', type: 'SIGNAL', payload: {kind: 'feature.requested', title: 'Theirs'}});
		queue(rig, agentId, [
			note('as another', {agentId: 'another'}),
			note('as no text', {agentId: {toString: 1}}),
			note('elsewhere', {traceId: 'victim'}),
			{type: 'SIGNAL', payload: {kind: 'system.kill'}},
			{type: 'INSIGHT', payload: {kind: 'trace.title'}},
			'no json',
			'x'.repeat(1024 * 1024 + 1),
			note('y'.repeat(300 * 1024)),
			note('z'.repeat(256 * 1024 - 70)),
			note('good'),
		]);
		await end(rig, agentId);
		expect(await summaries(rig)).toEqual(['good']);
		expect(await refusals(rig)).toEqual([
			expect.stringContaining('may not emit events as "another"'),
			expect.stringContaining('agentId must be text'),
			expect.stringContaining('context.note was refused'),
			expect.stringContaining('Agents may not emit system.kill'),
			expect.stringContaining('payload.title required'),
			expect.stringContaining('The queued event was refused'),
			expect.stringContaining('The queued event was refused'),
			expect.stringContaining('the limit is 262144'),
		]);
		expect(await warningsOf(rig)).toBe('[[]]');
	});

	test('is subject to the event limit of the run: the excess is noted once and dropped', async () => {
		const rig = await createRig({...sleeper, settings: {defaults: {max_events: 3}}});
		const agentId = await rig.begin('sleeper');
		queue(
			rig,
			agentId,
			Array.from({length: 20}, (_, n) => note(`note ${n}`)),
		);
		await end(rig, agentId);
		expect(await summaries(rig)).toEqual(['note 0', 'note 1', 'note 2']);
		expect(await refusals(rig)).toEqual([expect.stringContaining('A run may emit 3 events')]);
	});
});

describe('a spool with many events', () => {
	test('yields to other work between its events', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		queue(rig, agentId, [note('one'), note('two'), note('three')]);
		const order: string[] = [];
		setTimeout(() => order.push('other work'));
		const emitSpooled = async () => {
			order.push('event');
			return undefined;
		};
		await publishSpooled({...rig.ports, emitSpooled}, {traceId, agentId});
		expect(order.slice(0, 2)).toEqual(['event', 'other work']);
		expect(order).toHaveLength(4);
	});

	test('is read up to the limit of the reader, and continued from there', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		queue(rig, agentId, [note('one'), note('two'), note('three')]);
		let elapsed = 0;
		const ports = {
			...rig.ports,
			clock: {...rig.ports.clock, elapsed: () => elapsed},
			emitSpooled: async () => {
				elapsed += 150;
				return undefined;
			},
		};
		const run = {traceId, agentId};
		expect(await publishSpooled(ports, run, 250)).toEqual({hasMore: true, wasCut: true});
		expect(await readdir(spoolIn(rig, agentId))).toHaveLength(1);
		expect(await publishSpooled(ports, run, 250)).toEqual({hasMore: false, wasCut: false});
		expect(await readdir(spoolIn(rig, agentId))).toEqual([]);
	});
});

/** Resolves when the log has a note with this summary. */
const comes = async (rig: Rig, summary: string): Promise<void> => {
	const over = new AbortController();
	for await (const events of rig.bus.follow({after: 0, signal: over.signal}))
		if (events.some(({payload}) => payload.summary === summary)) return over.abort();
};

describe('hostile entries of a spool', () => {
	test('are neither read nor followed, and do not block the other events', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		const spool = spoolIn(rig, agentId);
		const secret = join(rig.root, 'secret');
		await writeFile(secret, JSON.stringify(note('secret')));
		const name = (n: number) => join(spool, spooledName({id: idOf(n), defer: false}));
		await symlink(secret, name(1));
		await link(secret, name(2));
		execFileSync('mkfifo', [name(3)]);
		await mkdir(join(name(4), 'deep'), {recursive: true});
		await symlink('/dev/zero', name(5));
		await mkdir(join(spool, 'started'));
		await writeFile(join(spool, 'exit'), '{"exitCode":0,"leftNothing":true}');
		await writeFile(join(spool, `../${idOf(6)}.emit`), JSON.stringify(note('beside')));
		for (let n = 0; n < 10_000; n++) writeFileSync(join(spool, `garbage-${n}`), '');
		queue(rig, agentId, [note('good')], 7);
		const {run} = await end(rig, agentId);
		expect(run.status).not.toBe('running');
		expect(await summaries(rig)).toEqual(['good']);
		expect(await warningsOf(rig)).toBe('[[]]');
		expect(await readdir(rig.directoryOf(agentId))).not.toContain('sandbox');
		expect(await rig.files.read(secret)).toContain('secret');
	});

	test('are ignored when they replace the spool folder', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		const spool = spoolIn(rig, agentId);
		queue(rig, agentId, [note('moved')]);
		await rename(spool, join(rig.root, 'elsewhere'));
		await symlink(join(rig.root, 'elsewhere'), spool);
		await end(rig, agentId);
		expect(await summaries(rig)).toEqual([]);
		expect(await readdir(join(rig.root, 'elsewhere'))).toHaveLength(1);
	});

	test('are read in batches of 1,000 events', async () => {
		const rig = await createRig(sleeper);
		const agentId = await rig.begin('sleeper');
		queue(
			rig,
			agentId,
			Array.from({length: 1200}, () => 'no json'),
		);
		await end(rig, agentId);
		expect(await refusals(rig)).toHaveLength(1);
		expect(await warningsOf(rig)).toContain('more than 1,000');
	});
});
