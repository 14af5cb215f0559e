import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builder, type ColonyOnDisk, createColony, linesOf} from '../helpers/colony-on-disk.ts';
import type {NatsServer} from '../helpers/nats-server.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {startServerOfTest} from '../helpers/server-of-test.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

type Scene = {readonly server: NatsServer; readonly colony: ColonyOnDisk};

/**
 * Returns a colony on its own server with one task. Its bee repeats one event until it is accepted, then
 * builds.
 */
const start = async (): Promise<Scene> => {
	const server = await startServerOfTest();
	const event = `{"traceId":"$HIVE_TRACE_ID","agentId":"$HIVE_AGENT_ID","type":"INSIGHT","payload":{"kind":"context.note","summary":"x"}}`;
	const script = `
until emit "${event.replaceAll('"', '\\"')}" >"$HIVE_RUN_DIR/answer"; do note "refused $?"; wait_for emit || exit 1; done
note taken
wait_for go
${builder.script}`;
	const colony = await createColony({
		bus: server,
		bees: {builder: {...builder, script: `wait_for emit${script}`}},
	});
	await colony.ask(['task', 'create', ...task, '-b', 'The page']);
	return {server, colony};
};

const task = ['--trace', 't', '--task', 'page'];

/** Messages of a reactor about the lost and the recovered server. */
const words = ({url}: NatsServer) => {
	const address = url.replace('nats://', '');
	return {
		address,
		lost: `The connection to the bus at ${address} is lost.`,
		back: `The bus at ${address} can be reached again;`,
		refused: `The bus at ${address} cannot be reached: connection refused.`,
	};
};

/** Expects each event of a task once, and one start of its bee. */
const expectDoneOnce = async (colony: ColonyOnDisk): Promise<void> => {
	const log = await colony.replay('t');
	expect(
		log.map(({payload: {kind, taskId = '', status = ''}}) => `${kind} ${taskId} ${status}`.trim()),
	).toEqual([
		'task.plan',
		'task.ready page',
		'task.status page ready',
		'energy.consume page',
		'task.status page running',
		'context.note',
		'run.summary page',
		'code.proposal.isolated page',
		'run.finished page completed',
		'task.completed page completed',
		'task.plan',
		'task.status _review waiting_review',
	]);
	expect(new Set(log.map(({id}) => id)).size).toBe(log.length);
	expect((await colony.notes()).filter(note => note.startsWith('start'))).toHaveLength(1);
};

describe('a bus whose server dies', () => {
	it('makes the reactor report the outage once, wait, and resume without loss or duplicates', async () => {
		const {server, colony} = await start();
		const {lost, back} = words(server);
		const reactor = colony.follow();
		await reactor.event({kind: 'task.status', status: 'running'});
		const agentId = (await colony.notes(1))[0]?.split(' ').at(-1) ?? '';
		await server.stop('SIGKILL');
		await reactor.says(lost);
		await colony.open('emit');
		expect((await colony.notes(2))[1]).toBe('refused 6');
		await server.start();
		await reactor.says(back);
		await colony.open('emit');
		expect((await colony.notes(3))[2]).toBe('taken');
		await server.stop('SIGKILL');
		await reactor.says(lost, 2);
		await colony.open('go');
		await colony.exitOf('t', agentId);
		await server.start();
		await reactor.event({kind: 'task.status', status: 'waiting_review'});
		const {exitCode, stderr} = await reactor.kill('SIGTERM');
		expect(exitCode).toBe(143);
		expect(linesOf(stderr)).toEqual(
			['The reactor of this checkout runs here.', lost, back, lost, back].map(said =>
				expect.stringContaining(`hive: ${said}`),
			),
		);
		await expectDoneOnce(colony);
	});

	it('is reported by every command during the outage, with the next step', async () => {
		const {server, colony} = await start();
		const {refused, address} = words(server);
		await server.stop('SIGKILL');
		for (const args of [
			...[['status'], ['task', 'list', '--trace', 't'], ['kill', '--trace', 't'], ['run', '--until-idle']],
			...[
				['proposal', 'approve', ...task],
				['wait', '--trace', 't', '--for', 'idle'],
			],
		]) {
			const {exitCode, stdout, stderr} = await colony.hive(args);
			expect([args[0], exitCode, stdout]).toEqual([args[0], 6, '']);
			expect(linesOf(stderr)).toEqual([
				`hive: ${refused}`,
				expect.stringMatching(
					/^Start its server or fix the network; HIVE_BUS_URL and bus.url .*"hive doctor"/,
				),
			]);
		}
		const {exitCode, stdout} = await colony.hive(['doctor']);
		expect(exitCode).toBe(6);
		expect(stdout).toContain(`error     ${address}: The bus at ${address} cannot be reached:`);
	});

	it('does not keep a reactor from ending during the outage', async () => {
		const {server, colony} = await start();
		const reactor = colony.follow();
		await reactor.event({kind: 'task.status', status: 'running'});
		await server.stop('SIGKILL');
		await reactor.says(words(server).lost);
		expect((await reactor.kill('SIGTERM')).exitCode).toBe(143);
	});
});

it('a bus that stops answering for a while loses nothing and duplicates no work', async () => {
	const {server, colony} = await start();
	const {lost, back} = words(server);
	const reactor = colony.follow();
	await reactor.event({kind: 'task.status', status: 'running'});
	await colony.open('emit');
	await reactor.event({kind: 'context.note'});
	// Wait for the bee: the reactor may receive the event first, and a bee whose emit is refused waits for
	// ever.
	expect((await colony.notes(2))[1]).toBe('taken');
	server.signal('SIGSTOP');
	await colony.open('go');
	await reactor.says(lost);
	server.signal('SIGCONT');
	await reactor.says(back);
	await reactor.event({kind: 'task.status', status: 'waiting_review'});
	await reactor.kill('SIGTERM');
	await expectDoneOnce(colony);
});

describe('a bus that comes back without its log', () => {
	const wipe = async (server: NatsServer): Promise<void> => {
		await server.stop('SIGKILL');
		await rm(server.store, {recursive: true});
		await server.start();
	};

	it('ends the reactor, refuses writes, and is accepted once a person says so', async () => {
		const {server, colony} = await start();
		const reactor = colony.follow();
		await reactor.says('runs here');
		const next = colony.follow();
		await next.says('following it');
		await colony.notes(1);
		const newest = join(colony.root, '.hive/runs/.newest');
		await expect.poll(() => colony.exists('.hive/runs/.newest')).toBe(true);
		await wipe(server);
		const message = expect.stringMatching(/^The event log .* was deleted, truncated or replaced: /);
		const hint = expect.stringContaining('remove .hive/runs/.newest');
		for (const {ended} of [reactor, next]) {
			const {exitCode, events} = await ended;
			expect([exitCode, events.at(-1)]).toMatchObject([
				5,
				{ok: false, error: {code: 'log_replaced', message, hint}},
			]);
		}
		for (const args of [['status'], ['task', 'create', '-b', 'x'], ['kill', '--trace', 't']])
			expect(await colony.ask(args, {exit: 5})).toMatchObject({error: {code: 'log_replaced', message, hint}});
		await colony.open('emit');
		expect((await colony.notes(2))[1]).toBe('refused 5');
		const {bus, findings} = await colony.ask<{bus?: object; findings: object[]}>(['doctor'], {exit: 5});
		expect(bus).toMatchObject({buckets: []});
		expect(bus).not.toHaveProperty('log');
		expect(findings).toContainEqual(expect.objectContaining({rule: 'log-whole', level: 'error'}));
		await rm(newest);
		expect(await colony.ask(['status'])).toMatchObject({traces: []});
	});

	it('is reported by a dashboard, which stays read-only until a person accepts the log', async () => {
		const {server, colony} = await start();
		const terminal = await openDashboard(colony);
		await expect.poll(() => colony.exists('.hive/runs/.newest')).toBe(true);
		await wipe(server);
		const shown = await terminal.until(screen => flat(screen).includes('was deleted, truncated or replaced'));
		expect(shown).toContain('The page');
		terminal.type('K');
		await terminal.until(screen => screen.includes('The bus is unreachable: what you see is read only.'));
		await colony.remove('.hive/runs/.newest');
		await terminal.until(screen => !screen.includes('The page') && screen.includes('reactor ● this process'));
		await colony.ask(['task', 'create', '--trace', 'u', '--task', 'next', '-b', 'Another page']);
		await terminal.until(screen => screen.includes('Another page'));
		expect(await colony.notes(2)).toHaveLength(2);
	});
});

const flat = (screen: string): string => screen.replaceAll(/\s+/g, ' ');

/** Opens a dashboard whose reactor has begun the task. It closes with its test. */
const openDashboard = async ({root, env, notes}: ColonyOnDisk, size = {}): Promise<VirtualTerminal> => {
	const terminal = openTerminal([process.execPath, builtCommand()], {cwd: root, env, ...size});
	onTestFinished(async () => {
		terminal.signal('SIGTERM');
		await terminal.ended;
		terminal.close();
	});
	await notes(1);
	await terminal.until(screen => screen.includes('1 of 4 agents running'));
	return terminal;
};

describe.each([
	{columns: 80, rows: 24},
	{columns: 120, rows: 36},
])('a dashboard of $columns columns whose server dies', size => {
	it('reports since when, keeps the last known state, accepts no action, and recovers by itself', async () => {
		const {server, colony} = await start();
		const terminal = await openDashboard(colony, size);
		await server.stop('SIGKILL');
		const shown = await terminal.until(screen => /bus unreachable since \d\d:\d\d:\d\d/.test(screen));
		expect(shown).toContain('The page');
		terminal.type('K');
		await terminal.until(screen => screen.includes('The bus is unreachable: what you see is read only.'));
		await server.start();
		await terminal.until(screen => !screen.includes('bus unreachable since'));
		await colony.open('emit');
		await colony.notes(2);
		await colony.open('go');
		await terminal.until(screen => screen.includes('0 of 4 agents running'));
		expect((await colony.notes()).filter(note => note.startsWith('start'))).toHaveLength(1);
	});
});
