import {appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {HiveError} from '../../source/domain/errors.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {Host} from '../../source/host/host.ts';
import type {ColonyStatus, LiveColony, Update} from '../../source/host/live/live.ts';
import {openLiveColony} from '../../source/host/live/live-colony.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Files} from '../../source/ports/files.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {item, planOf, traceId} from '../helpers/events.ts';
import {hostWith} from './host-with.ts';

const ending = (): AbortSignal => {
	const over = new AbortController();
	onTestFinished(() => over.abort());
	return over.signal;
};

/** A live colony over a log that can be broken, with a clock that the test moves. */
const openColony = async (
	given: {
		root?: string;
		reactor?: Host['reactor'];
		ownReactor?: Parameters<typeof openLiveColony>[1]['ownReactor'];
		terminal?: Host['terminal'];
		watched?: () => void;
	} = {},
) => {
	const due = new Set<() => void>();
	const clock: Clock = {
		now: () => 5000,
		elapsed: () => 5000,
		after: (_, call) => {
			due.add(call);
			return () => due.delete(call);
		},
	};
	const memory = createMemoryBus({clock});
	let isBroken = false;
	let reportBroken = (): void => {};
	const expectWhole = (): void => {
		if (isBroken) throw new HiveError('bus_unreachable');
	};
	const bus: Bus = {
		...memory,
		read: async function* (options) {
			expectWhole();
			yield* memory.read(options);
		},
		follow: async function* ({signal, ...options}) {
			const broken = new AbortController();
			reportBroken = () => broken.abort();
			for await (const events of memory.follow({
				...options,
				signal: AbortSignal.any([signal, broken.signal]),
			})) {
				expectWhole();
				yield events;
			}
			expectWhole();
		},
	};
	const disk = createFiles();
	const files: Files = {
		...disk,
		watch: (...args) => {
			disk.watch(...args);
			given.watched?.();
		},
	};
	const colony = {
		...(await colonyFrom({})),
		...(given.root === undefined ? {} : {root: given.root}),
	};
	const host = hostWith({
		// The tested code uses only these fields.
		open: async () =>
			({
				...{bus, clock, colony, files, checkout: 'here'},
				reactorIsAlive: async () => false,
			}) as unknown as ActionContext,
		reactor: given.reactor ?? (async () => undefined),
		terminal: given.terminal ?? (async () => ({terminal: 'default', windows: {}})),
		followConfiguration: async () => ({refresh: async () => {}, caughtUp: async () => {}}),
	});
	const ownReactor = given.ownReactor;
	const live = await openLiveColony(host, {...(ownReactor && {ownReactor}), logTaken: () => {}});
	return {
		live,
		append: (taskId: string) => memory.append(planOf(item(taskId)), {id: taskId}),
		breakLog: (): void => {
			isBroken = true;
			reportBroken();
		},
		repairLog: (): void => {
			isBroken = false;
		},
		/** Ends all pending pauses. */
		pass: async () => {
			await new Promise(setImmediate);
			const calls = [...due];
			due.clear();
			for (const call of calls) call();
			await new Promise(setImmediate);
		},
	};
};

describe('the colony log that a live colony follows', () => {
	it('resumes at its position after an outage, and the outage is reported meanwhile', async () => {
		const {live, append, breakLog, repairLog, pass} = await openColony();
		await append('a');
		const updates: Update[] = [];
		const statuses: ColonyStatus[] = [];
		live.follow(ending(), update => updates.push(update));
		live.status(ending(), status => statuses.push(status));
		const said = () => updates.flatMap(({events}) => events.map(({sequence}) => sequence));
		await pass();
		expect([said(), statuses.at(-1)?.bus]).toEqual([[1], {state: 'live'}]);
		breakLog();
		for (let times = 0; times < 3; times++) await pass();
		expect(statuses.at(-1)?.bus).toEqual({state: 'unreachable', since: 5000});
		await append('b');
		repairLog();
		for (let times = 0; times < 2; times++) await pass();
		expect([said(), statuses.at(-1)?.bus]).toEqual([[1, 2], {state: 'live'}]);
		expect([...(updates.at(-1)?.traces.get(traceId)?.tasks.keys() ?? [])]).toContain('b');
	});
});

it('the inbox is read up to the end of the log, followed or not', async () => {
	const {live, append, breakLog} = await openColony();
	expect((await live.inbox()).traces.size).toBe(0);
	await append('a');
	expect([...((await live.inbox()).traces.get(traceId)?.tasks.keys() ?? [])]).toContain('a');
	await append('b');
	breakLog();
	await expect(live.inbox()).rejects.toThrow(HiveError);
});

it('the reactor is polled, and a status is reported only when it changes', async () => {
	let asked = 0;
	const {live, pass} = await openColony({
		reactor: async () => {
			asked += 1;
			return asked < 4 ? undefined : {pid: 7, startedAt: '', idle: true, bus: 'embedded', problems: []};
		},
	});
	const statuses: ColonyStatus[] = [];
	live.status(ending(), status => statuses.push(status));
	for (let times = 0; times < 6; times++) await pass();
	expect(asked).toBeGreaterThan(5);
	expect(statuses.map(({reactor}) => reactor)).toEqual(['none', 'elsewhere']);
});

it('the waits of a task include a missing bee and a missing reactor, as the reactor would report them', async () => {
	const {live, append} = await openColony();
	await append('a');
	await new Promise<void>(resolve =>
		live.follow(ending(), ({traces}) => {
			if (traces.get(traceId)?.tasks.has('a')) resolve();
		}),
	);
	const waits = await live.waits({traceId, taskId: 'a'});
	expect(waits.map(wait => wait.for)).toEqual(['configuration', 'reactor']);
	expect(await live.waits({traceId, taskId: 'unknown'})).toEqual([]);
});

it("the face's own reactor is starting until it answers, and absent once it has ended", async () => {
	let [isStarting, isUp] = [true, false];
	const up = {pid: 7, startedAt: '', idle: true, bus: 'embedded', problems: []};
	const {live, append, pass} = await openColony({
		ownReactor: {pid: () => 7, isStarting: () => isStarting},
		reactor: async () => (isUp ? up : undefined),
	});
	await append('a');
	const statuses: ColonyStatus[] = [];
	live.follow(ending(), () => {});
	live.status(ending(), status => statuses.push(status));
	await pass();
	expect(statuses.at(-1)?.reactor).toBe('starting');
	const reactorWait = async () =>
		(await live.waits({traceId, taskId: 'a'})).find(wait => wait.for === 'reactor');
	expect(await reactorWait()).toEqual({for: 'reactor', what: 'a reactor: it is starting'});
	expect((await live.detail({traceId, taskId: 'a'})).waits).toContainEqual(await reactorWait());
	isUp = true;
	await pass();
	expect(statuses.at(-1)?.reactor).toBe('here');
	[isStarting, isUp] = [false, false];
	await pass();
	expect(statuses.at(-1)?.reactor).toBe('none');
	expect(await reactorWait()).toMatchObject({next: 'hive run'});
});

it('a colony folder is reported as gone while it has no repository, until it is back', async () => {
	const root = await mkdtemp(join(tmpdir(), 'hive-gone-'));
	onTestFinished(() => rm(root, {recursive: true, force: true}));
	for (const name of ['.git', '.hive']) await mkdir(join(root, name));
	const {live, pass} = await openColony({root});
	const statuses: ColonyStatus[] = [];
	live.status(ending(), status => statuses.push(status));
	await expect.poll(() => statuses.at(-1)).toMatchObject({reactor: 'none'});
	expect(statuses.at(-1)?.isGone).toBeUndefined();
	const isGone = async () => {
		await pass();
		return statuses.at(-1)?.isGone;
	};
	await rename(join(root, '.git'), join(root, 'elsewhere'));
	await expect.poll(isGone).toBe(true);
	await rename(join(root, 'elsewhere'), join(root, '.git'));
	await expect.poll(isGone).toBeUndefined();
});

it('configuration problems are reported once files are followed, as in doctor', async () => {
	const {live} = await openColony();
	expect(live.facts().problems).toEqual([]);
	await new Promise<void>(resolve => live.reloaded(ending(), resolve));
	expect(live.facts().problems).toEqual(['.hive/colony.yaml: the default bee "builder" does not exist']);
});

describe('the detach key of a live colony', () => {
	const following = (live: LiveColony) => new Promise<void>(resolve => live.reloaded(ending(), resolve));

	it('is that of this machine once files are followed', async () => {
		const {live} = await openColony({
			terminal: async () => ({terminal: 'default', windows: {}, detachKey: 'G'}),
		});
		expect(live.facts().detachKey).toBeUndefined();
		await following(live);
		expect(live.facts().detachKey).toBe('G');
	});

	it('is the default when its file is broken, and the problem is reported', async () => {
		const details = [{path: '/home/me/.config/hive/shop/terminal.yaml:2', message: '"detach_key" is wrong'}];
		const {live} = await openColony({
			terminal: async () => {
				throw new HiveError('invalid_config', {details});
			},
		});
		await following(live);
		expect(live.facts().detachKey).toBeUndefined();
		expect(live.facts().problems).toEqual([
			'.hive/colony.yaml: the default bee "builder" does not exist',
			'/home/me/.config/hive/shop/terminal.yaml:2: "detach_key" is wrong',
		]);
	});
});

it('a reactor with an unreadable answer counts as absent', async () => {
	const {live} = await openColony({reactor: () => Promise.reject(new SyntaxError('Unexpected token'))});
	const status = await new Promise<ColonyStatus>(resolve => live.status(ending(), resolve));
	expect(status.reactor).toBe('none');
});

describe('the run log that a live colony follows', () => {
	const run = {traceId, agentId: 'run1'};

	/** Returns the shown log of a run with an empty directory. */
	const openLog = async () => {
		const root = await mkdtemp(join(tmpdir(), 'hive-world-'));
		onTestFinished(() => rm(root, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
		const directory = runDirectory(root, traceId, run.agentId);
		await mkdir(directory, {recursive: true});
		let watched = (): void => {};
		const isWatched = new Promise<void>(resolve => {
			watched = resolve;
		});
		const {live} = await openColony({root, watched});
		let shown = '';
		const times: (string | undefined)[] = [];
		const show = (stream: 'stdout' | 'stderr' = 'stdout') =>
			live.log({...run, stream}, ending(), parts => {
				shown += parts.map(({text}) => text).join('');
				times.push(...parts.map(({at}) => at));
			});
		return {directory, show, isWatched, shown: () => shown, times};
	};

	it('is not followed through a link, and says so', async () => {
		const {directory, show, shown} = await openLog();
		await symlink('/etc/passwd', join(directory, 'stdout.log'));
		show();
		await expect.poll(shown).toContain('stdout.log is a symbolic link');
		expect(shown()).not.toContain('root:');
	});

	it('is unchanged standard error with its times, on request', async () => {
		const {directory, show, shown, times} = await openLog();
		await writeFile(join(directory, 'meta.json'), '{"adapter": "alpha"}');
		await writeFile(join(directory, 'stderr.log'), '{"type": "assistant"}\ntrouble\n');
		await writeFile(join(directory, 'stderr.times'), '22 1772373600\n30 1772373601\n');
		show('stderr');
		await expect.poll(shown).toBe('{"type": "assistant"}\ntrouble\n');
		expect(times).toEqual(['2026-03-01T14:00:00.000Z', '2026-03-01T14:00:01.000Z']);
	});

	it('is read by the adapter that is recorded when output begins', async () => {
		const {directory, show, isWatched, shown} = await openLog();
		show();
		await isWatched;
		await writeFile(join(directory, 'meta.json'), '{"adapter": "alpha"}');
		const said = {type: 'assistant', message: {content: [{type: 'text', text: 'Looking.'}]}};
		await appendFile(join(directory, 'stdout.log'), `${JSON.stringify(said)}\n`);
		await expect.poll(shown).toBe('Looking.\n');
	});
});
