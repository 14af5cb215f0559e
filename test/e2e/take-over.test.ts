import {readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {ColonyOnDisk, ScriptedBee} from '../helpers/colony-on-disk.ts';
import {createMachines, createTasks} from '../helpers/machines.ts';
import {startNatsServer} from '../helpers/nats-server.ts';
import {startTcpProxy} from '../helpers/tcp-proxy.ts';

const builder: ScriptedBee = {
	worktree: true,
	publishes: [
		{type: 'MUTATION', kind: 'code.proposal.isolated'},
		{type: 'INSIGHT', kind: 'run.summary'},
		{type: 'INSIGHT', kind: 'context.note'},
	],
	script: `
echo "begun by $HIVE_AGENT_ID" >>"$HIVE_TASK_ID.txt"
case $HIVE_TASK_ID in
a | speaker) wait_for "$HIVE_TASK_ID" ;;
own) wait_for "$HIVE_AGENT_ID" ;;
esac
[ "$HIVE_TASK_ID" != speaker ] || emit '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"late"}}' >../../../said
echo "made" >>"$HIVE_TASK_ID.txt"`,
};

/** One colony on two machines. The second machine reaches the server through its own proxy. */
const createTwo = async () => {
	const server = await startNatsServer();
	onTestFinished(server.dispose);
	const network = await startTcpProxy(server.port);
	onTestFinished(network.close);
	const links = [{url: server.url}, {url: `nats://127.0.0.1:${network.port}`}];
	const [one, other = one] = await createMachines(server, links, {bees: {builder}});
	return {one, other, network};
};

type Reactor = ReturnType<ColonyOnDisk['follow']>;

const startReactor = async (colony: ColonyOnDisk): Promise<Reactor> => {
	const reactor = colony.follow(['run']);
	await reactor.says('runs here');
	return reactor;
};

const take = (traceId: string): string[] => ['trace', 'take', '--trace', traceId];
const approve = (traceId: string): string[] => [
	'proposal',
	'approve',
	'--trace',
	traceId,
	'--task',
	'_review',
];

const waitsForReview = (reactor: Reactor) =>
	reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});

/** Returns the text of a file from the kept changes of a run. */
const restored = async (colony: ColonyOnDisk, agentId: string, file: string): Promise<string> => {
	const to = join(colony.home, 'restored');
	await colony.ask(['restore', agentId, '--to', to]);
	return readFile(join(to, file), 'utf8');
};

/** The other machine has a trace at its gate, and its reactor ends. */
const createAbandoned = async (how: NodeJS.Signals = 'SIGTERM') => {
	const {one, other} = await createTwo();
	const reactor = await startReactor(other);
	const traceId = await createTasks(one, 'a');
	await one.open('a');
	await waitsForReview(reactor);
	await reactor.kill(how);
	return {one, other, traceId};
};

describe('a trace whose machine is gone', () => {
	it('is taken over with the changes of its runs, and merged here', async () => {
		const {one, other, traceId} = await createAbandoned('SIGKILL');
		await rm(other.root, {recursive: true});
		await rm(other.home, {recursive: true});
		expect(await one.ask(take(traceId))).toMatchObject({traceId, already: false, runs: [], kept: []});
		expect(await one.ask(take(traceId))).toMatchObject({already: true});
		const {patch} = await one.ask<{patch: string}>(['proposal', 'diff', '--trace', traceId]);
		expect(patch).toContain('+made');
		await one.ask(approve(traceId));
		expect(await one.read('a.txt')).toMatch(/^begun by .*\nmade\n$/);
	});

	it('continues here after the tasks that were done there', async () => {
		const {one, other} = await createTwo();
		const [gone, traceId] = [await startReactor(other), await createTasks(one, 'a', 'own')];
		await one.open('a');
		await gone.event({kind: 'task.completed', taskId: 'a'});
		await one.notes(2);
		await gone.event({kind: 'task.status', taskId: 'own', status: 'running'});
		await gone.kill('SIGTERM');
		const {runs} = await one.ask<{runs: string[]}>(take(traceId));
		expect(runs).toHaveLength(1);
		const here = await startReactor(one);
		const {payload} = await here.event({kind: 'run.finished', agentId: runs[0]});
		expect(payload).toMatchObject({status: 'failed', summary: expect.stringContaining('trace was taken')});
		await one.ask(['task', 'retry', '--trace', traceId, '--task', 'own']);
		const {payload: again} = await here.event({kind: 'energy.consume', taskId: 'own'});
		await one.open(String(again.agentId));
		await waitsForReview(here);
		await one.ask(approve(traceId));
		expect(await one.read('a.txt')).toContain('made');
		// The lost run had not ended, so none of its changes were kept.
		expect((await one.read('own.txt')).match(/begun/g)).toHaveLength(1);
	});

	it('is refused while the reactor there is alive, and while this clone lacks the base commits of its work', async () => {
		const {one, other} = await createTwo();
		const reactor = await startReactor(other);
		await one.git(['commit', '--quiet', '--allow-empty', '--message', 'newer']);
		await other.git(['pull', '--quiet']);
		const traceId = await createTasks(one, 'a');
		await one.open('a');
		await waitsForReview(reactor);
		expect(await one.ask(take(traceId), {exit: 4})).toMatchObject({
			error: {code: 'elsewhere', message: expect.stringContaining('is alive')},
		});
		await reactor.kill('SIGTERM');
		await one.git(['reset', '--quiet', '--hard', 'HEAD~']);
		await one.git([
			'-c',
			'gc.reflogExpireUnreachable=now',
			'reflog',
			'expire',
			'--expire-unreachable=now',
			'--all',
		]);
		await one.git(['prune', '--expire=now']);
		const before = await one.replay(traceId);
		expect(await one.ask(take(traceId), {exit: 4})).toMatchObject({
			error: {
				code: 'elsewhere',
				message: expect.stringMatching(/lacks the commit [0-9a-f]{40}, which the work is based on/),
			},
		});
		expect(await one.replay(traceId)).toEqual(before);
	});

	it.each(['take.fetched', 'take.adopted'])(
		'is complete here although the take-over was killed at %s',
		async point => {
			const {one, traceId} = await createAbandoned();
			const killed = await one.hive(take(traceId), {env: {HIVE_CRASH_AT: point}});
			expect(killed.exitCode).not.toBe(0);
			expect(await one.ask(take(traceId))).toMatchObject({already: false});
			await one.ask(approve(traceId));
			expect(await one.read('a.txt')).toContain('made');
		},
	);
});

describe('a machine that returns to a trace that was taken over', () => {
	it('ends its runs, keeps and reports their changes, and appends nothing more to the trace', async () => {
		const {one, other} = await createTwo();
		const gone = await startReactor(other);
		const traceId = await createTasks(one, 'speaker');
		await one.notes(1);
		await gone.event({kind: 'task.status', taskId: 'speaker', status: 'running'});
		await gone.kill('SIGKILL');
		const {
			runs: [agentId = ''],
		} = await one.ask<{runs: string[]}>(take(traceId));
		// The agent continues there without a reactor.
		await one.open('speaker');
		await other.exitOf(traceId, agentId);
		expect(JSON.parse(await other.read('said'))).toMatchObject({ok: false, error: 'elsewhere'});
		const before = await one.replay(traceId);
		const back = await startReactor(other);
		await back.says(`The trace ${traceId} was taken by`);
		await back.says(`hive restore ${agentId}`);
		expect(await one.replay(traceId)).toEqual(before);
		expect(await restored(other, agentId, 'speaker.txt')).toContain('made');
	});

	it('stops an agent that is still at work', async () => {
		const {one, other} = await createTwo();
		const gone = await startReactor(other);
		const traceId = await createTasks(one, 'a');
		await one.notes(1);
		await gone.event({kind: 'task.status', taskId: 'a', status: 'running'});
		await gone.kill('SIGKILL');
		const {
			runs: [agentId = ''],
		} = await one.ask<{runs: string[]}>(take(traceId));
		const back = await startReactor(other);
		await other.exitOf(traceId, agentId);
		await back.says('1 run ended here');
		expect(await one.notes()).toHaveLength(1);
	});

	it('and was disconnected keeps the changes of its agents, without events about them', async () => {
		const {one, other, network} = await createTwo();
		const away = await startReactor(other);
		const traceId = await createTasks(one, 'a');
		await one.notes(1);
		const {payload} = await away.event({kind: 'task.status', taskId: 'a', status: 'running'});
		const agentId = String(payload.agentId);
		network.cut();
		await one.ask(take(traceId));
		const here = await startReactor(one);
		await here.event({kind: 'run.finished', agentId, status: 'failed'});
		await one.open('a');
		await other.exitOf(traceId, agentId);
		network.mend();
		await away.says(`The trace ${traceId} was taken by`);
		await one.ask(['task', 'retry', '--trace', traceId, '--task', 'a']);
		await one.notes(2);
		await one.open('a');
		await waitsForReview(here);
		const events = await one.replay(traceId);
		expect(events.filter(({payload}) => payload.kind === 'code.proposal.isolated')).toHaveLength(1);
		expect(
			events.filter(event => event.payload.agentId === agentId && event.payload.kind === 'run.finished'),
		).toHaveLength(1);
		expect(await restored(other, agentId, 'a.txt')).toContain('made');
		await one.ask(approve(traceId));
		expect((await one.read('a.txt')).match(/made/g)).toHaveLength(1);
	});

	it('can take the trace back only when none of its agents there is at work', async () => {
		const {one, other} = await createTwo();
		const gone = await startReactor(other);
		const traceId = await createTasks(one, 'a');
		await one.notes(1);
		const {payload} = await gone.event({kind: 'task.status', taskId: 'a', status: 'running'});
		await gone.kill('SIGKILL');
		await one.ask(take(traceId));
		const here = await startReactor(one);
		await here.event({kind: 'run.finished', agentId: payload.agentId});
		await here.kill('SIGTERM');
		expect(await other.ask(take(traceId), {exit: 4})).toMatchObject({error: {code: 'run_open'}});
		expect((await other.hive(['run', '--until-idle'])).stderr).toContain('1 run ended here');
		expect(await other.ask(take(traceId))).toMatchObject({already: false});
		expect(await restored(other, String(payload.agentId), 'a.txt')).toContain('begun');
	});

	it('ends its runs of a trace that was purged in the meantime', async () => {
		const {one, other} = await createTwo();
		const gone = await startReactor(other);
		const traceId = await createTasks(one, 'a');
		await one.notes(1);
		const {payload} = await gone.event({kind: 'task.status', taskId: 'a', status: 'running'});
		await gone.kill('SIGKILL');
		await one.ask(take(traceId));
		const here = await startReactor(one);
		await here.event({kind: 'run.finished', agentId: payload.agentId});
		await one.ask(['kill', '--trace', traceId]);
		await one.ask(['purge', '--trace', traceId, '--confirm', traceId]);
		const back = await startReactor(other);
		await back.says(`The trace ${traceId} was purged: 1 run ended here`);
		await other.exitOf(traceId, String(payload.agentId));
	});

	it('can take the trace back with newer work, and keeps its own earlier changes', async () => {
		const {one, other} = await createTwo();
		const gone = await startReactor(other);
		const traceId = await createTasks(one, 'a');
		await one.open('a');
		await waitsForReview(gone);
		await gone.kill('SIGTERM');
		await one.ask(take(traceId));
		const here = await startReactor(one);
		await one.ask(['wait', '--trace', traceId, '--for', 'review']);
		await one.ask(['proposal', 'reject', '--trace', traceId, '--task', '_review', '--feedback', 'again']);
		const {sequence} = await here.event({kind: 'run.finished', status: 'completed'});
		await here.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'}, sequence);
		await here.kill('SIGTERM');
		await writeFile(join(other.root, '.hive/worktrees', traceId, 'by-hand.txt'), 'mine\n');
		const {kept} = await other.ask<{kept: string[]}>(take(traceId));
		expect(await other.git(['show', `${kept[0]}:by-hand.txt`])).toBe('mine');
		const {patch} = await other.ask<{patch: string}>(['proposal', 'diff', '--trace', traceId]);
		expect(patch.match(/^\+made$/gm)).toHaveLength(2);
	});
});
