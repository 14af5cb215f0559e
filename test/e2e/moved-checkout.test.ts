import {appendFile, cp, mkdtemp, readdir, readFile, realpath, rename, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createWaiting, traceId} from '../actions/at-the-gate.ts';
import {builder, type ColonyOnDisk, createColony, openColony} from '../helpers/colony-on-disk.ts';
import {machineOf} from '../helpers/machines.ts';
import {openRepository} from '../helpers/repository.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {startServerOfTest} from '../helpers/server-of-test.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

/** A free path, which is removed with its content when the test ends. */
const freePath = async (): Promise<string> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-elsewhere-')));
	onTestFinished(() => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	return join(folder, 'shop');
};

/** Moves the colony to another path, and leaves nothing at the old one. */
const moved = async ({root, home}: ColonyOnDisk): Promise<ColonyOnDisk> => {
	const to = await freePath();
	await rename(root, to);
	return openColony(openRepository(to), home);
};

const machineFolders = async ({home}: ColonyOnDisk): Promise<string[]> => {
	const entries = await readdir(join(home, '.config/hive'), {withFileTypes: true});
	return entries.filter(entry => entry.isDirectory()).map(({name}) => name);
};

const traceIds = async (colony: ColonyOnDisk): Promise<string[]> =>
	(await colony.ask<{traces: {traceId: string}[]}>(['status'])).traces.map(trace => trace.traceId);

const takeOver = ['init', '--take-over'];

describe('a checkout that was moved', () => {
	it('finds its traces again, and unsaved work in a worktree can be merged from there', async () => {
		const before = await createWaiting();
		await before.write(`.hive/worktrees/${traceId}/unsaved.txt`, 'not in git yet\n');
		const colony = await moved(before);
		const worktree = join(colony.root, '.hive/worktrees', traceId);
		expect(await colony.ask(['init'], {exit: 4})).toMatchObject({
			error: {code: 'checkout_moved', message: expect.stringContaining(before.root)},
		});
		expect(await colony.ask(takeOver)).toMatchObject({slug: 'scratch', takenOver: before.root});
		expect(await colony.ask(takeOver)).toMatchObject({created: [], takenOver: ''});
		expect(await machineFolders(colony)).toEqual(['scratch']);
		expect(await traceIds(colony)).toEqual([traceId]);
		expect(await colony.git(['status', '--porcelain'], worktree)).toContain('?? unsaved.txt');
		const {findings} = await colony.ask<{findings: {rule: string}[]}>(['doctor']);
		expect(findings.map(({rule}) => rule)).not.toContain('other-checkouts');
		await colony.ask(['proposal', 'approve', '--trace', traceId, '--task', '_review']);
		expect(await colony.read('unsaved.txt')).toBe('not in git yet\n');
		expect(await colony.read('work.txt')).toBe('made by work\n');
		expect(await colony.exists(`.hive/worktrees/${traceId}`)).toBe(false);
	});

	it('collects a run that ended before the move, with its changes', async () => {
		const before = await createColony({
			bees: {
				builder: {
					worktree: true,
					publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
					script: 'wait_for go; echo made >made.txt; note over',
				},
			},
		});
		await before.ask(['task', 'create', '--trace', traceId, '--task', 'a', '-b', 'x']);
		const reactor = before.follow();
		await before.notes(1);
		const {payload} = await reactor.event({kind: 'task.status', status: 'running'});
		await reactor.kill('SIGKILL');
		await before.open('go');
		await before.notes(2);
		await before.exitOf(traceId, String(payload.agentId));
		const colony = await moved(before);
		await colony.ask(takeOver);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const said = (await colony.replay(traceId)).map(event => event.payload);
		expect(said).toContainEqual(expect.objectContaining({kind: 'run.finished', status: 'completed'}));
		expect(said).toContainEqual(expect.objectContaining({kind: 'code.proposal.isolated'}));
		expect((await colony.hive(['proposal', 'diff', '--trace', traceId])).stdout).toContain('made.txt');
	});

	it('keeps the accepted configuration, and changes that await acceptance', async () => {
		const before = await createWaiting(
			[{taskId: 'a', title: 'x', bee: 'rooted'}],
			{
				bees: {builder, rooted: {script: 'echo "# by a bee" >>"$HIVE_COLONY_ROOT/.hive/prompts/late.md"'}},
				files: {'.hive/prompts/late.md': 'Mine: {{.Task}}\n'},
			},
			0,
		);
		const awaiting = async (colony: ColonyOnDisk) =>
			(await colony.hive(['doctor'])).stdout.includes('.hive/prompts/late.md: changed while');
		expect(await awaiting(before)).toBe(true);
		const colony = await moved(before);
		await colony.ask(takeOver);
		expect(await awaiting(colony)).toBe(true);
		await colony.ask(['doctor', '--accept']);
		expect(await awaiting(colony)).toBe(false);
	});

	it('gets its own log when a person declines the old one, and no loss is reported', async () => {
		const before = await createWaiting();
		const colony = await moved(before);
		expect(await colony.ask(['init', '--no-take-over'])).toMatchObject({slug: 'scratch', takenOver: ''});
		expect(await machineFolders(colony)).toEqual(['scratch', expect.stringMatching(/^scratch-[0-9a-f]{8}$/)]);
		expect(await traceIds(colony)).toEqual([]);
		const {ok, findings} = await colony.ask<{ok: boolean; findings: object[]}>(['doctor']);
		expect(ok).toBe(true);
		expect(findings).toContainEqual(expect.objectContaining({rule: 'other-checkouts'}));
		await rename(colony.root, before.root);
		expect(await traceIds(before)).toEqual([traceId]);
	});

	it('continues with the message bus of its config.yaml, even if the bus is not reachable during the move', async () => {
		const server = await startServerOfTest();
		const before = await createColony();
		const settings = join(before.home, '.config/hive/scratch/config.yaml');
		await appendFile(settings, `bus:\n  url: "${server.url}"\nadapters:\n  script:\n    binary: sh\n`);
		await before.ask(['task', 'create', '--trace', traceId, '--task', 'work', '-b', 'x']);
		expect((await before.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const id = await machineOf(before);
		const text = await readFile(settings, 'utf8');

		await server.stop();
		const colony = await moved(before);
		expect(await colony.ask(['init'], {exit: 4})).toMatchObject({
			error: {
				code: 'checkout_moved',
				message: `The checkout of this colony at ${before.root} is gone; its log is on the bus at 127.0.0.1:${server.port}.`,
			},
		});
		expect(await colony.ask(takeOver)).toMatchObject({takenOver: before.root});
		expect(await readFile(settings, 'utf8')).toBe(text.replace(before.root, colony.root));
		await server.start();
		expect(await machineFolders(colony)).toEqual(['scratch']);
		expect(await machineOf(colony)).toBe(id);
		expect(await traceIds(colony)).toEqual([traceId]);
		await colony.ask(['proposal', 'approve', '--trace', traceId, '--task', '_review']);
		expect(await colony.read('work.txt')).toBe('made by work\n');
	});

	it('continues with a message bus that only the environment names', async () => {
		const server = await startServerOfTest();
		const before = await createColony({bus: server});
		await before.ask(['task', 'create', '--trace', traceId, '--task', 'work', '-b', 'x']);
		expect((await before.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const colony = openColony(await moved(before), before.home, before.env);
		expect(await colony.ask(['init'], {exit: 4})).toMatchObject({error: {code: 'checkout_moved'}});
		await colony.ask(takeOver);
		await colony.ask(['proposal', 'approve', '--trace', traceId, '--task', '_review']);
		expect(await colony.read('work.txt')).toBe('made by work\n');
	});

	it('makes hive ask a person at a terminal', async () => {
		const before = await createWaiting();
		const colony = await moved(before);
		const terminal = openTerminal([process.execPath, builtCommand(), 'init'], {
			cwd: colony.root,
			env: colony.env,
		});
		await terminal.until(screen => screen.includes('Take it over here? [y/n]'));
		terminal.type('y\r');
		await terminal.until(screen => screen.includes('It continues with its log from'));
		expect((await terminal.ended).exitCode).toBe(0);
		expect(await traceIds(colony)).toEqual([traceId]);
	});

	it('is left unchanged when the person presses Ctrl+C, with exit code 130', async () => {
		const colony = await moved(await createWaiting());
		const terminal = openTerminal([process.execPath, builtCommand(), 'init'], {
			cwd: colony.root,
			env: colony.env,
		});
		await terminal.until(screen => screen.includes('Take it over here? [y/n]'));
		terminal.type('\u0003');
		expect((await terminal.ended).exitCode).toBe(130);
		expect(await colony.ask(['init'], {exit: 4})).toMatchObject({error: {code: 'checkout_moved'}});
	});

	it('cannot take over while the reactor of the old path is alive', async () => {
		const before = await createWaiting();
		const reactor = before.follow();
		await reactor.says('runs here');
		const colony = await moved(before);
		expect(await colony.ask(takeOver, {exit: 4})).toMatchObject({
			error: {code: 'wrong_status', message: expect.stringContaining('still alive')},
		});
		await reactor.kill('SIGKILL');
		expect(await colony.ask(takeOver)).toMatchObject({takenOver: before.root});
	});
});

describe('a checkout next to another', () => {
	it('continues with its own log after it was moved, and the first keeps its log', async () => {
		const first = await createWaiting();
		const second = openColony(openRepository(await freePath()), first.home);
		await first.git(['clone', '--quiet', first.root, second.root]);
		await second.ask(['init']);
		await second.ask(['task', 'create', '--trace', 'second', '--task', 'a', '-b', 'x']);
		const colony = await moved(second);
		expect(await colony.ask(takeOver)).toMatchObject({takenOver: second.root});
		expect(await machineFolders(colony)).toHaveLength(2);
		expect(await traceIds(colony)).toEqual(['second']);
		expect(await traceIds(first)).toEqual([traceId]);
	});

	it('gets its own log if it is a copy, and the original keeps its log', async () => {
		const first = await createWaiting();
		const copy = openColony(openRepository(await freePath()), first.home);
		await cp(first.root, copy.root, {recursive: true});
		expect(await copy.ask(takeOver, {exit: 4})).toMatchObject({
			error: {code: 'wrong_status', message: expect.stringContaining(`${first.root} is still there`)},
		});
		expect(await copy.ask(['init'])).toMatchObject({takenOver: ''});
		expect(await traceIds(copy)).toEqual([]);
		expect(await traceIds(first)).toEqual([traceId]);
	});

	it('gets the bus of its original named if it is a copy, and uses it only when configured', async () => {
		const server = await startServerOfTest();
		const first = await createColony();
		await appendFile(join(first.home, '.config/hive/scratch/config.yaml'), `bus: {url: "${server.url}"}\n`);
		await first.ask(['task', 'create', '--trace', traceId, '--task', 'work', '-b', 'x']);
		expect((await first.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const copy = openColony(openRepository(await freePath()), first.home);
		await cp(first.root, copy.root, {recursive: true});
		const note = `The files in .hive/runs name a log on the bus at 127.0.0.1:${server.port}.`;
		expect(await copy.ask(['init'])).toMatchObject({
			takenOver: '',
			notes: expect.arrayContaining([expect.stringContaining(note)]),
		});
		expect(await traceIds(copy)).toEqual([]);
		const env = {HIVE_BUS_URL: server.url};
		expect(await copy.ask(['status'], {env})).toMatchObject({traces: [{traceId}]});
	});

	it('takes over the log of a removed checkout when it is a new clone', async () => {
		const before = await createWaiting();
		const colony = openColony(openRepository(await freePath()), before.home);
		await before.git(['clone', '--quiet', before.root, colony.root]);
		await rm(before.root, {recursive: true});
		expect(await colony.ask(['init'], {exit: 4})).toMatchObject({error: {code: 'checkout_moved'}});
		expect(await colony.ask(takeOver)).toMatchObject({takenOver: before.root});
		expect(await traceIds(colony)).toEqual([traceId]);
	});

	it('is not asked about an empty log', async () => {
		const before = await createColony();
		const colony = await moved(before);
		expect(await colony.ask(['init'])).toMatchObject({takenOver: ''});
	});
});
