import {appendFile, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {commandGroups} from '../../source/cli/commands.ts';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {startServerOfTest} from '../helpers/server-of-test.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

/** No server listens at this address. */
const address = 'nats://someone:p@ssword@127.0.0.1:1';
const sentence = 'The bus at 127.0.0.1:1 cannot be reached: connection refused.';
const changed = 'The log is at 127.0.0.1:1 now, but this process works on the log at embedded.';
const event = JSON.stringify({traceId: 'a', type: 'INSIGHT', payload: {kind: 'review.note', body: 'x'}});

const machineFile = ({home}: ColonyOnDisk): string => join(home, '.config/hive/scratch/config.yaml');
const nameBus = (colony: ColonyOnDisk): Promise<void> =>
	appendFile(machineFile(colony), `bus:\n  url: ${address}\n`);
const traces = async (colony: ColonyOnDisk): Promise<number> =>
	(await colony.ask<{traces: object[]}>(['status'])).traces.length;

const trace = ['--trace', 'a'];
const task = [...trace, '--task', 'x'];

/** Every command that needs a colony, with valid arguments. */
const needing: Readonly<Record<string, readonly string[]>> = {
	...{run: ['--until-idle'], status: [], 'cue list': [], 'cue run': ['feature', 'x']},
	...{'task create': ['--title', 'x', '--bee', 'builder'], 'task list': trace, 'task show': task},
	...{'task start': task, 'task cancel': task, 'task retry': task, 'bee run': ['builder', '-b', 'x']},
	...{'bee retry': ['a'], kill: trace, freeze: trace, thaw: trace},
	...{'proposal list': [], 'proposal show': trace, 'proposal diff': trace},
	...{'proposal approve': task, 'proposal update': trace, 'proposal reject': [...task, '--feedback', 'x']},
	...{'landing list': [], 'landing cancel': trace, 'landing retry': task},
	...{restore: ['a'], prune: [], purge: trace, 'energy show': trace},
	...{'energy add': [...trace, '--amount', '1'], replay: ['a'], why: ['x'], blame: ['x']},
	...{'plan show': trace, 'plan accept': trace, 'plan edit': [...trace, '--tasks', '-']},
	...{'plan return': [...trace, '--body', 'x']},
	...{'question list': [], answer: ['q', '--body', 'x']},
	...{'permission list': [], 'permission remove': ['1']},
	...{logs: ['a'], 'inspect usage': trace, export: trace},
	...{'invite list': [], 'invite accept': ['i'], 'invite reject': ['i']},
	...{'invite record': [...trace, '--bee', 'drone', '-b', 'x']},
	...{
		'bee chat': ['builder'],
		'session list': [],
		'session search': ['x'],
		'session attach': ['a'],
		'session replay': ['a'],
	},
	...{'session send': ['a', '-b', 'x'], 'session stop': ['a']},
	...{wait: [...trace, '--for', 'idle'], 'trace show': ['a'], 'trace take': trace},
	...{console: [], 'console link': [], 'console token': []},
	...{'console devices': [], 'console revoke': ['3f9c0a71d2b4']},
	...{'forge list': [], 'forge watch': ['--once'], 'forge send': trace},
	...{'gate chat': [], 'gate pair': [], 'gate chats': [], 'gate unpair': ['7']},
};
/** Commands that answer in the form that agents read. */
const answering: Readonly<Record<string, readonly string[]>> = {
	...{'event emit': ['--stdin'], 'event validate': ['--stdin']},
	...{'event pending': [...trace, '--agent', 'b'], 'event flush': [...trace, '--agent', 'b']},
};

test('every command is listed as needing a colony or as working without one', () => {
	const ofFiles = [
		...['init', 'colony topology', 'nuc export', 'nuc import'],
		...['contain show', 'contain try'],
	];
	// The server of tools starts in any state, and answers with the refusal when it is asked.
	const apart = [
		'dashboard',
		'doctor',
		'demo',
		'torture',
		'help',
		'completion',
		'mcp',
		'bus move',
		'bus verify',
		...ofFiles,
	];
	const known = [...Object.keys(needing), ...Object.keys(answering), ...apart];
	expect(commandGroups.flatMap(({commands}) => Object.keys(commands)).toSorted()).toEqual(known.toSorted());
});

const ways = [
	['HIVE_BUS_URL', async () => ({HIVE_BUS_URL: address})],
	[
		'bus.url',
		async (colony: ColonyOnDisk) => {
			await nameBus(colony);
			return {};
		},
	],
	[
		'nats.url',
		async (colony: ColonyOnDisk) => {
			await appendFile(machineFile(colony), `"nats": {url: "${address}"}\n`);
			return {};
		},
	],
] as const;

describe.each(ways)('an unreachable bus address in %s', (_, give) => {
	test('prevents the dashboard from opening', async () => {
		const colony = await createColony();
		const env = {...colony.env, ...(await give(colony))};
		const terminal = openTerminal([process.execPath, builtCommand()], {cwd: colony.root, env});
		expect((await terminal.ended).exitCode).toBe(6);
		expect(terminal.raw()).toContain(sentence);
		terminal.close();
	});

	test('makes event emit fail, although a reactor with a local log runs', async () => {
		// The quick path of the command reads only this form of the file.
		const colony = await createColony({files: {'.hive/colony.yaml': 'slug: scratch\n'}});
		const reactor = colony.follow(['run']);
		await colony.ask(['task', 'create', '--title', 'x', '--bee', 'builder', '--autorun']);
		await reactor.event({kind: 'task.status', status: 'waiting_review'});
		const env = await give(colony);
		const {exitCode, stdout} = await colony.hive(['event', 'emit', '--stdin'], {env, input: event});
		expect([exitCode, JSON.parse(stdout)]).toMatchObject([
			6,
			{ok: false, error: 'bus_unreachable', details: [{message: sentence}]},
		]);
		await reactor.kill('SIGTERM');
	});

	test('is an error in doctor, which still runs its other checks', async () => {
		const colony = await createColony();
		const env = await give(colony);
		const {exitCode, stdout} = await colony.hive(['doctor', '--json'], {env});
		expect([exitCode, JSON.parse(stdout).findings]).toMatchObject([
			6,
			[{rule: 'bus-reached', level: 'error', path: '127.0.0.1:1', message: sentence}, {level: 'advisory'}],
		]);
		expect(stdout).not.toContain('p@ssword');
	});

	test('does not affect commands that need no colony', async () => {
		const colony = await createColony();
		const env = await give(colony);
		for (const args of [['--version'], ['help'], ['status', '--help'], ['completion', 'bash']])
			expect([args, (await colony.hive(args, {env})).exitCode]).toEqual([args, 0]);
	});
});

// `nats.url` takes the same code path as `bus.url`.
test.each(ways.slice(0, 2))(
	'%s with an unreachable bus makes every command that needs a colony fail, without showing the password',
	async (_, give) => {
		const colony = await createColony();
		const env = await give(colony);
		for (const [path, args] of Object.entries(needing)) {
			const {exitCode, stdout, stderr} = await colony.hive([...path.split(' '), ...args, '--json'], {env});
			expect([path, exitCode, JSON.parse(stdout)]).toMatchObject([
				path,
				6,
				{
					ok: false,
					error: {code: 'bus_unreachable', message: sentence, hint: expect.stringContaining('HIVE_BUS_URL')},
				},
			]);
			expect(`${stdout}${stderr}`).not.toContain('p@ssword');
		}
		for (const [path, args] of Object.entries(answering)) {
			const {exitCode, stdout} = await colony.hive([...path.split(' '), ...args], {env, input: event});
			expect([path, exitCode, JSON.parse(stdout)]).toMatchObject([
				path,
				6,
				{ok: false, error: 'bus_unreachable', details: [{message: sentence}]},
			]);
		}
	},
);

describe('an unreachable address in HIVE_BUS_URL', () => {
	test('prevents the demo from starting, but not a colony from being made', async () => {
		const colony = await createColony({files: {'.hive/colony.yaml': ''}});
		await colony.remove('.hive');
		const env = {HIVE_BUS_URL: address, TMPDIR: colony.home};
		const {exitCode, stderr} = await colony.hive(['demo'], {env});
		expect([exitCode, stderr]).toEqual([6, expect.stringContaining(sentence)]);
		expect(await readdir(colony.root)).not.toContain('.hive');
		expect((await colony.hive(['init'], {env})).exitCode).toBe(0);
		expect(await readdir(colony.root)).toContain('.hive');
	});
});

describe('a bus address that is written while hive runs', () => {
	test('ends a reactor and its standby before either does more work', async () => {
		const colony = await createColony();
		const reactor = colony.follow();
		await reactor.says('runs here');
		const next = colony.follow();
		await next.says('following it');
		await nameBus(colony);
		for (const {ended} of [reactor, next])
			expect(await ended).toMatchObject({exitCode: 6, events: [{ok: false, error: {message: changed}}]});
	});

	test('ends a dashboard and its reactor', async () => {
		const colony = await createColony();
		const {root: cwd, env} = colony;
		const terminal = openTerminal([process.execPath, builtCommand()], {cwd, env});
		await terminal.until(screen => screen.includes('reactor ● this process'));
		await nameBus(colony);
		expect((await terminal.ended).exitCode).toBe(6);
		expect(terminal.raw()).toContain(changed);
		expect(terminal.modes().alternate).toBe(false);
		terminal.close();
	});
});

test('a colony with its log elsewhere refuses a bus setting that is removed or newly set', async () => {
	const server = await startServerOfTest();
	const named = {HIVE_BUS_URL: server.url};
	const address = `the log on the bus at 127.0.0.1:${server.port}`;
	for (const [env, other, words] of [
		[{}, named, `${address} is another one`],
		[named, {}, 'the embedded log is another one'],
	] as const) {
		const colony = await createColony();
		await colony.ask(['task', 'create', '--title', 'x', '--bee', 'builder'], {env});
		await colony.hive(['run', '--until-idle'], {env});
		const refused = await colony.ask(['status'], {env: other, exit: 5});
		expect(refused).toMatchObject({
			error: {
				code: 'log_replaced',
				message: expect.stringContaining(words),
				hint: expect.stringContaining('HIVE_BUS_URL'),
			},
		});
		expect((await colony.hive(['status'], {env})).exitCode).toBe(0);
		await colony.remove('.hive/runs/.newest');
		expect((await colony.ask<{traces: object[]}>(['status'], {env: other})).traces).toEqual([]);
	}
});

test('an empty bus address counts as unset', async () => {
	const colony = await createColony();
	await appendFile(machineFile(colony), 'bus: {url: ""}\n');
	const {exitCode} = await colony.hive(['status'], {env: {HIVE_BUS_URL: ''}});
	expect(exitCode).toBe(0);
	expect(await traces(colony)).toBe(0);
});
