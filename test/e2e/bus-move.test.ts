import {appendFile, cp, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {setTimeout as pass} from 'node:timers/promises';
import {type JetStreamManager, jetstreamManager} from '@nats-io/jetstream';
import {expect, onTestFinished, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {connect} from '../../source/drivers/nats-bus/connect.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {type ColonyOnDisk, createColony, openColony} from '../helpers/colony-on-disk.ts';
import {openClone, type Status} from '../helpers/machines.ts';
import {type NatsServer, startNatsServer} from '../helpers/nats-server.ts';
import {startHive} from '../helpers/run-hive.ts';
import {withTimeout} from '../helpers/with-timeout.ts';

const settings = {defaults: {default_bee: 'plain'}};
const bees = {
	plain: {script: 'true'},
	slow: {script: 'wait_for gate'},
	builder: {
		worktree: true,
		publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
		script: 'echo made >made.txt',
	},
};

/** A colony with its log in a file, whatever bus the tests run on. */
const start = async (): Promise<ColonyOnDisk> => {
	const {root, home, ...colony} = await createColony({bees, settings});
	return openColony({root, ...colony}, home, {HIVE_BUS_URL: ''});
};

const startServer = async (configuration?: string): Promise<NatsServer> => {
	const server = await startNatsServer(configuration);
	onTestFinished(server.dispose);
	return server;
};

const managerOf = async ({url, port}: NatsServer): Promise<JetStreamManager> => {
	const connection = await connect({servers: [url], shown: `127.0.0.1:${port}`});
	onTestFinished(() => connection.close());
	return jetstreamManager(connection);
};

const folderOf = ({home}: ColonyOnDisk): string => join(home, '.config/hive/scratch');
const configOf = (colony: ColonyOnDisk): string => join(folderOf(colony), 'config.yaml');
const work = async (colony: ColonyOnDisk, trace: string): Promise<void> => {
	await colony.ask(['task', 'create', '--trace', trace, '--title', 'x', '--bee', 'plain']);
	await colony.ask(['run', '--until-idle']).catch(() => {});
};
const sound = {ok: true, findings: []};
type Refused = {readonly error: {readonly code: string; readonly message: string; readonly hint: string}};

test('a colony continues its work after its log moved to a server, and after it moved back', async () => {
	const [colony, server] = [await start(), await startServer()];
	const address = `127.0.0.1:${server.port}`;
	await work(colony, 'a');
	await appendFile(configOf(colony), '# A comment of mine.\n');
	const before = await colony.replay('a');
	expect(await colony.ask(['bus', 'verify'])).toMatchObject({...sound, address: 'embedded'});

	const moved = await colony.ask(['bus', 'move', '--to', server.url]);
	expect(moved).toMatchObject({from: 'embedded', to: address, events: before.length, overridden: false});
	expect(await readFile(configOf(colony), 'utf8')).toContain(`url: ${server.url}`);
	expect(await readFile(configOf(colony), 'utf8')).toContain('# A comment of mine.');
	expect(await colony.replay('a')).toEqual(before);
	await work(colony, 'b');
	expect(await colony.ask(['bus', 'verify'])).toMatchObject({...sound, address, traces: 2});
	expect(await colony.ask(['bus', 'move', '--to', server.url], {exit: 4})).toMatchObject({
		error: {code: 'wrong_status'},
	});

	const there = [await colony.replay('a'), await colony.replay('b')];
	const back = await colony.ask<{aside: string}>(['bus', 'move', '--to', 'embedded']);
	expect(await readdir(folderOf(colony))).toContain(back.aside.split('/').at(-1));
	expect(await readFile(configOf(colony), 'utf8')).not.toContain('bus');
	expect([await colony.replay('a'), await colony.replay('b')]).toEqual(there);
	await work(colony, 'c');
	expect(await colony.ask(['bus', 'verify'])).toMatchObject({...sound, traces: 3});

	for (const [index, to] of [server.url, 'embedded'].entries()) {
		const {length} = await colony.replay('c');
		await colony.ask(['bus', 'move', '--to', to]);
		expect([await colony.replay('a'), await colony.replay('b')]).toEqual(there);
		expect(await colony.replay('c')).toHaveLength(length);
		await work(colony, `d${index}`);
		const note = {traceId: 'c', type: 'INSIGHT', payload: {kind: 'context.note', summary: to}};
		await colony.ask(['event', 'emit', '--stdin'], {input: JSON.stringify(note)});
		expect(await colony.replay('c')).toHaveLength(length + 1);
		expect(await colony.ask(['bus', 'verify'])).toMatchObject({...sound, traces: 4 + index});
		expect(await colony.ask<Status>(['status'])).toMatchObject({traces: {length: 4 + index}});
	}
});

test('a clone that names the server is told where the log is while it is embedded, and works again after', async () => {
	const [one, server] = [await start(), await startServer()];
	await work(one, 'a');
	await one.ask(['bus', 'move', '--to', server.url]);
	const other = await openClone(one, {url: server.url});
	await work(other, 'b');
	for (const round of ['c', 'd']) {
		await one.ask(['bus', 'move', '--to', 'embedded']);
		expect(await other.ask(['status'], {exit: 6})).toMatchObject({
			error: {code: 'log_moved', message: expect.stringContaining(one.root)},
		});
		await work(one, round);
		await one.ask(['bus', 'move', '--to', server.url]);
		await work(other, `${round}-there`);
		expect(await other.replay(round)).toEqual(await one.replay(round));
		expect(await one.replay(`${round}-there`)).toEqual(await other.replay(`${round}-there`));
	}
	expect(await other.ask(['bus', 'verify'])).toMatchObject({...sound, traces: 6});
});

test('a move that was completed long ago is not repeated, and leaves the closed file where it is', async () => {
	const [colony, one, two] = [await start(), await startServer(), await startServer()];
	await work(colony, 'a');
	await colony.ask(['bus', 'move', '--to', one.url]);
	await colony.ask(['bus', 'move', '--to', 'embedded']);
	await colony.ask(['bus', 'move', '--to', two.url]);
	const [present, address] = [await readdir(folderOf(colony)), `127.0.0.1:${two.port}`];
	for (const more of [[], ['--replace']])
		expect(
			await colony.ask(['bus', 'move', '--to', 'embedded', ...more], {env: {HIVE_BUS_URL: one.url}, exit: 6}),
		).toMatchObject({error: {code: 'log_moved', message: expect.stringContaining(address)}});
	expect(await readdir(folderOf(colony))).toEqual(present);
	await work(colony, 'b');
	await colony.ask(['bus', 'move', '--to', one.url]);
	expect(await colony.ask(['bus', 'verify'])).toMatchObject({
		...sound,
		address: `127.0.0.1:${one.port}`,
		traces: 2,
	});
});

test('the login stays for its server while the log is embedded, and no other server gets it', async () => {
	const [colony, server] = [await start(), await startServer('authorization {token: "s3cret-word"}')];
	const other = await startServer();
	await work(colony, 'a');
	await appendFile(configOf(colony), `bus:\n  url: ${server.url}\n  token: s3cret-word\n`);
	for (const to of [server.url, 'embedded', server.url, 'embedded'])
		expect(await colony.ask(['bus', 'move', '--to', to])).toMatchObject({overridden: false});
	expect(await readFile(configOf(colony), 'utf8')).toContain(`last_url: ${server.url}`);
	expect(await colony.ask(['bus', 'verify'])).toMatchObject({...sound, address: 'embedded'});
	expect((await colony.hive(['doctor'])).stdout).not.toContain('s3cret');
	expect(await colony.ask(['bus', 'move', '--to', other.url], {exit: 2})).toMatchObject({
		error: {code: 'usage', hint: expect.stringContaining('with its url')},
	});
	// A config.yaml of an older hive has a login without the address that it is for.
	const config = await readFile(configOf(colony), 'utf8');
	await writeFile(configOf(colony), config.replace(/last_url: .*/, 'url: ""'));
	await colony.ask(['bus', 'move', '--to', server.url], {exit: 2});
	await writeFile(configOf(colony), config.replace(/last_url: .*/, `url: ${server.url}`));
	expect(await colony.ask(['bus', 'move', '--to', server.url])).toMatchObject({from: 'embedded'});
});

test('a log that lacks events of the log on the server is refused, and the hints of the refusal work', async () => {
	const [one, server] = [await start(), await startServer()];
	const to = ['bus', 'move', '--to', server.url];
	await work(one, 'a');
	const other = await openClone(one, {url: ''});
	await work(other, 'b');
	await one.ask(to);
	const open = await other.ask<Refused>(to, {exit: 4});
	expect(open.error).toMatchObject({code: 'bus_not_empty', message: expect.stringContaining('an open log')});
	expect((await other.ask<Refused>([...to, '--replace'], {exit: 4})).error).toEqual(open.error);
	const env = {HIVE_BUS_URL: server.url};
	const unseen = await other.ask<Refused>(['status'], {env, exit: 5});
	expect(unseen.error).toMatchObject({
		code: 'log_replaced',
		hint: expect.stringContaining('.hive/runs/.newest'),
	});
	await other.remove('.hive/runs/.newest');
	expect(await other.ask(['status'], {env})).toMatchObject({traces: [{traceId: 'a'}]});
	await other.remove('.hive/runs/.newest');
	await one.ask(['bus', 'move', '--to', 'embedded']);
	const closed = await other.ask<Refused>(to, {exit: 4});
	expect(closed.error).toMatchObject({code: 'bus_not_empty', hint: expect.stringContaining('--replace')});
	await other.ask([...to, '--replace']);
	expect(await other.ask(['bus', 'verify'])).toMatchObject({...sound, traces: 1});
	expect(await other.replay('b')).not.toEqual([]);
	expect(await one.ask(['bus', 'verify'])).toMatchObject({...sound, address: 'embedded', traces: 1});
});

test('files that runs left before the move can be taken elsewhere once their machine is back', async () => {
	const [one, server] = [await start(), await startServer()];
	await one.ask(['task', 'create', '--trace', 'a', '--title', 'x', '--bee', 'builder']);
	await one.hive(['run', '--until-idle']);
	await one.ask(['bus', 'move', '--to', server.url]);
	const other = await openClone(one, {url: server.url});
	expect(await other.ask(['trace', 'take', '--trace', 'a'], {exit: 4})).toMatchObject({
		error: {hint: expect.stringContaining('Run "hive" in that checkout')},
	});
	await one.hive(['run', '--until-idle']);
	await other.ask(['trace', 'take', '--trace', 'a']);
	await other.ask(['proposal', 'approve', '--trace', 'a', '--task', '_review']);
	expect(await readFile(join(other.root, 'made.txt'), 'utf8')).toBe('made\n');
});

test('commands report where the log moved, with the old bus setting and without any setting', async () => {
	const [colony, server] = [await start(), await startServer()];
	await work(colony, 'a');
	await colony.ask(['bus', 'move', '--to', server.url]);
	const address = `127.0.0.1:${server.port}`;
	const config = await readFile(configOf(colony), 'utf8');
	await writeFile(configOf(colony), config.replace(/^bus:[\s\S]*/m, ''));
	for (const args of [['status'], ['task', 'create', '--title', 'x']])
		expect(await colony.ask(args, {exit: 6})).toMatchObject({
			error: {
				code: 'log_moved',
				message: expect.stringContaining(address),
				hint: expect.stringContaining('HIVE_BUS_URL'),
			},
		});
	expect((await colony.hive(['doctor'])).stdout).toContain(address);
	await writeFile(configOf(colony), config);
	await colony.ask(['bus', 'move', '--to', 'embedded']);
	const env = {HIVE_BUS_URL: server.url};
	expect(await colony.ask(['status'], {env, exit: 6})).toMatchObject({
		error: {code: 'log_moved', message: expect.stringContaining(colony.root)},
	});
});

test('a move is refused without changes while another process uses the log', async () => {
	const [colony, server] = [await start(), await startServer()];
	const reactor = colony.follow();
	await reactor.says('runs here');
	const to = ['bus', 'move', '--to', server.url];
	const refusal = (code: string) => ({error: {code}});
	expect(await colony.ask(to, {exit: 4})).toMatchObject(refusal('log_in_use'));
	await colony.ask(['task', 'create', '--trace', 'a', '--title', 'x', '--bee', 'slow', '--autorun']);
	await reactor.event({kind: 'energy.consume'});
	await colony.notes(1);
	await reactor.kill('SIGKILL');
	expect(await colony.ask(to, {exit: 4})).toMatchObject(refusal('run_open'));
	await colony.open('gate');
	await colony.hive(['run', '--until-idle']);
	const env = {HIVE_TRACE_ID: 'a', HIVE_AGENT_ID: 'b'};
	expect(await colony.ask(to, {env, exit: 4})).toMatchObject(refusal('not_for_agents'));
	for (const address of ['nowhere at all', 'http://127.0.0.1:1'])
		expect(await colony.ask(['bus', 'move', '--to', address], {exit: 2})).toMatchObject(refusal('usage'));
	expect(await colony.ask(['bus', 'move', '--to', 'nats://127.0.0.1:1'], {exit: 6})).toMatchObject(
		refusal('bus_unreachable'),
	);
	expect(await (await managerOf(server)).streams.names().next()).toEqual([]);
	expect(await colony.ask(to)).toMatchObject({from: 'embedded'});
});

test('a log shared by machines is not moved while a reactor of another machine is alive', async () => {
	const [colony, server] = [await start(), await startServer()];
	await work(colony, 'a');
	await colony.ask(['bus', 'move', '--to', server.url]);
	const elsewhere = await start();
	await cp(join(colony.root, '.hive'), join(elsewhere.root, '.hive'), {recursive: true});
	await elsewhere.remove('.hive/runs');
	await appendFile(configOf(elsewhere), `bus: {url: "${server.url}"}\n`);
	const reactor = elsewhere.follow();
	await reactor.says('runs here');
	const refused = await colony.ask(['bus', 'move', '--to', 'embedded'], {exit: 4});
	expect(refused).toMatchObject({
		error: {code: 'log_in_use', message: expect.stringContaining(elsewhere.root)},
	});
	await reactor.kill('SIGTERM');
	expect(await colony.ask(['bus', 'move', '--to', 'embedded'])).toMatchObject({to: 'embedded'});
});

test('a login in the new address is saved, used and never shown, and an overriding HIVE_BUS_URL is reported', async () => {
	const [colony, server] = [
		await start(),
		await startServer('authorization {user: ada, password: "s3cret-word"}'),
	];
	await work(colony, 'a');
	const url = `nats://ada:s3cret-word@127.0.0.1:${server.port}`;
	const {stdout, stderr, exitCode} = await colony.hive(['bus', 'move', '--to', url]);
	expect([exitCode, stderr]).toEqual([0, '']);
	expect(stdout).not.toContain('s3cret');
	expect(await colony.ask(['bus', 'verify'])).toMatchObject(sound);
	const back = await colony.ask(['bus', 'move', '--to', 'embedded'], {env: {HIVE_BUS_URL: url}});
	expect(back).toMatchObject({overridden: true});
});

const count = 3000;

/** A colony whose log has many events of many traces. */
const startLarge = async (): Promise<ColonyOnDisk> => {
	const colony = await start();
	const bus = await openSqliteBus({
		file: join(folderOf(colony), 'events.sqlite'),
		clock: createSystemClock(),
	});
	await Promise.all(
		Array.from({length: count}, (_, index) =>
			bus.append(
				{
					traceId: `t${index % 9}`,
					type: 'INSIGHT',
					payload: {kind: 'context.note', body: 'x'.repeat(2000), index},
				},
				{id: `t/${index}`},
			),
		),
	);
	for (let index = 0; index < 300; index++) await bus.blobs.put(`${index}${'y'.repeat(10_000)}`);
	await bus.close();
	return colony;
};

test('a move that is killed repeatedly at any moment loses and duplicates nothing', async () => {
	const [colony, server] = [await startLarge(), await startServer()];
	for (const to of [server.url, 'embedded', server.url]) {
		let isDone = false;
		let killed = 0;
		for (let patience = 150; !isDone; patience = Math.round(patience * 1.4)) {
			const child = startHive(['bus', 'move', '--to', to], {cwd: colony.root, env: colony.env});
			const said = text(child.stderr);
			const ended = new Promise<number | null>(resolve => child.on('close', resolve));
			const code = await Promise.race([ended, pass(patience).then(() => 'alive' as const)]);
			child.kill('SIGKILL');
			await withTimeout(ended, () => 'the end of a move');
			isDone = code !== 'alive' && code !== null;
			// The previous move was killed after it had finished, but before it reported success.
			const wasDone = code === 4 && killed > 0 && (await said).includes(' already, ');
			if (isDone && code !== 0 && !wasDone) throw new Error(await said);
			if (!isDone) killed += 1;
			const verified = await colony.hive(['bus', 'verify', '--json']);
			const {ok, error} = JSON.parse(verified.stdout);
			expect([ok, ['log_moved', 'log_half_copied', undefined].includes(error?.code)]).toEqual([
				error === undefined,
				true,
			]);
		}
		expect(killed).toBeGreaterThan(0);
		expect(await colony.ask(['bus', 'verify'])).toMatchObject({
			...sound,
			events: count,
			sums: count,
			traces: 9,
		});
	}
});
