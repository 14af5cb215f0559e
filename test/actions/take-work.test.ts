import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {takeWork} from '../../source/actions/take-work.ts';
import {publishWork} from '../../source/dispatch/publish-work.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {readHistory, readReplica, removeReplica} from '../../source/ledger/replicas.ts';
import {createRepository, openRepository, type Repository} from '../helpers/repository.ts';

const git = createGit();
const traceId = 'trace-1';
const branch = `refs/heads/hive/${traceId}`;
const kept = (name: string) => `refs/hive/keep/${traceId}/${name}`;

const traceOf = (place: string): Trace => ({...emptyTrace(traceId), place});

/**
 * Creates a repository with a branch of a trace, an older clone of it, and the bus that both share.
 */
const createScene = async () => {
	const one = await createRepository({'text.txt': 'first\n', '.gitignore': '.hive/\n'});
	const {root: folder} = await createRepository();
	const root = join(folder, 'clone');
	await one.git(['clone', '--quiet', one.root, root]);
	const other = openRepository(root);
	for (const [key, value] of [
		['name', 'Bob'],
		['email', 'bob@example.org'],
	])
		await other.git(['config', `user.${key}`, value ?? '']);
	const memory = createMemoryBus({clock: createSystemClock()});
	const bus = {...memory, isShared: true};
	const publish = (from: Repository, id = traceId, checkout = 'one') =>
		publishWork({bus, git, checkout, maxBytes: 64 * 1024}, from.root, emptyTrace(id));
	const take = (to: Repository, trace: Trace, checkout = 'other') => {
		const context = {bus, git, checkout, colony: {root: to.root}, failpoint: () => {}};
		return takeWork(context as unknown as ActionContext, trace);
	};
	return {one, other, bus, publish, take};
};

/** Makes a commit on the branch of the trace, on the base of the trace. */
const work = async ({git: run, write, root}: Repository, text: string, id = traceId): Promise<string> => {
	await run(['symbolic-ref', `refs/hive/base/${id}`, 'refs/heads/main']);
	await run(['switch', '--quiet', '-C', `hive/${id}`]);
	await write('text.txt', text);
	await run(['commit', '--quiet', '--all', '--message', 'work']);
	const commit = await run(['rev-parse', 'HEAD']);
	await run(['switch', '--quiet', 'main'], root);
	return commit;
};

const newer = async ({git: run}: Repository): Promise<string> => {
	await run(['commit', '--quiet', '--allow-empty', '--message', 'newer']);
	return run(['rev-parse', 'HEAD']);
};

describe("taking over the work of another machine's trace", () => {
	it('brings its branch, its kept trees and the commits of its base that this clone lacks', async () => {
		const {one, other, publish, take} = await createScene();
		const base = await newer(one);
		const commit = await work(one, 'changed');
		await one.git(['update-ref', kept('run-1'), commit]);
		await publish(one);
		expect(await take(other, traceOf('one'))).toEqual({ok: true, value: {kept: [], base: kept('base')}});
		expect(await other.git(['rev-parse', branch, kept('run-1'), kept('base')])).toBe(
			[commit, commit, base].join('\n'),
		);
		expect(await other.git(['symbolic-ref', `refs/hive/base/${traceId}`])).toBe('refs/heads/main');
		await other.git(['fsck', '--strict']);
	});

	it('replaces the refs of the trace in this clone, and keeps their commits', async () => {
		const {one, other, publish, take} = await createScene();
		const [own, theirs] = [await work(other, 'mine'), await work(one, 'theirs')];
		await publish(one);
		const {kept: refs} = expectAccepted(await take(other, traceOf('one')));
		expect(await other.git(['rev-parse', branch, ...refs])).toBe([theirs, own].join('\n'));
		expect(await take(other, traceOf('one'))).toMatchObject({ok: true, value: {kept: []}});
	});

	it('moves no ref outside the trace, whatever the replica contains', async () => {
		const {one, other, bus, publish, take} = await createScene();
		const commit = await work(one, 'changed');
		await publish(one);
		const bucket = bus.bucket('replicas');
		const [entry] = (await bucket.entries()).filter(({key}) => key.startsWith('trace.'));
		const replica = JSON.parse(entry?.value ?? '');
		const refs = {...replica.refs, 'refs/heads/main': commit, [kept('../../../heads/main')]: commit};
		await bucket.update(entry?.key ?? '', JSON.stringify({...replica, refs}), entry?.revision ?? 0);
		const before = await other.git(['rev-parse', 'main']);
		expect(await take(other, traceOf('one'))).toMatchObject({ok: true});
		expect(await other.git(['rev-parse', 'main', branch])).toBe([before, commit].join('\n'));
	});

	it('works for a third machine too, after the second took it and published nothing', async () => {
		const {one, other, publish, take, bus} = await createScene();
		const {root} = await createRepository();
		await one.git(['clone', '--quiet', one.root, join(root, 'third')]);
		const third = openRepository(join(root, 'third'));
		await newer(one);
		const commit = await work(one, 'changed');
		await publish(one);
		expect(await take(other, traceOf('one'))).toMatchObject({ok: true});
		expect(await readReplica(bus, traceId)).toMatchObject({place: 'other', history: 'one'});
		expect(await take(third, traceOf('other'), 'third')).toMatchObject({ok: true});
		expect(await third.git(['rev-parse', branch])).toBe(commit);
	});

	it('names the missing commit, which may be on another branch', async () => {
		const {one, other, publish, take} = await createScene();
		const {root} = await createRepository();
		await one.git(['clone', '--quiet', '--bare', one.root, join(root, 'origin')]);
		await one.git(['switch', '--quiet', '--create', 'pr']);
		const rests = await newer(one);
		await one.git(['remote', 'add', 'origin', join(root, 'origin')]);
		await one.git(['push', '--quiet', 'origin', 'pr']);
		await work(one, 'changed');
		await publish(one);
		expect(await take(other, traceOf('one'))).toMatchObject({
			ok: false,
			refusal: {code: 'elsewhere', message: expect.stringContaining(rests)},
		});
	});

	it.each([
		'null',
		'7',
		'{}',
		'{"place":"one","history":"one","base":{"name":"main","commit":"main"},"refs":{},"pack":"x","needs":[]}',
	])('finds no kept work if the replica is malformed: %s', async text => {
		const {other, bus, take} = await createScene();
		await bus.bucket('replicas').create(`trace.${traceId}`, text);
		expect(await take(other, traceOf('one'))).toMatchObject({ok: true, value: {kept: []}});
		expect(await other.git(['for-each-ref', 'refs/hive', 'refs/heads/hive'])).toBe('');
	});

	it('is refused if the content of a pack does not match its name, and moves no ref', async () => {
		const {one, other, bus, publish, take} = await createScene();
		await work(one, 'changed');
		await publish(one);
		const spoilt = {...bus, blobs: {...bus.blobs, get: async () => 'UEFDSw=='}};
		const context = {bus: spoilt, git, checkout: 'other', colony: {root: other.root}, failpoint: () => {}};
		expect(await takeWork(context as unknown as ActionContext, traceOf('one'))).toMatchObject({
			ok: false,
			refusal: {code: 'elsewhere', message: expect.stringContaining('is damaged or missing')},
		});
		expect(await other.git(['for-each-ref', 'refs/hive', 'refs/heads/hive'])).toBe('');
		expect(await take(other, traceOf('one'))).toMatchObject({ok: true});
	});

	it('is refused if the log has a run whose work was not kept', async () => {
		const {one, other, publish, take} = await createScene();
		const commit = await work(one, 'changed');
		const [before, after] = await Promise.all(
			[`${commit}^`, commit].map(revision => one.git(['rev-parse', `${revision}^{tree}`])),
		);
		const trees = {before: before ?? '', after: after ?? ''};
		const record = {
			...{agentId: 'run-1', bee: 'builder', place: 'one', workspace: 'isolated', status: 'completed'},
			...{announced: true, replaced: false, startedAt: '1', finishedAt: '2', trees},
		} as const;
		const trace = {...traceOf('one'), runs: new Map([['run-1', record]])} as unknown as Trace;
		const refusal = {ok: false, refusal: {code: 'elsewhere', message: expect.stringContaining('run-1')}};
		expect(await take(other, trace)).toMatchObject(refusal);
		await publish(one);
		expect(await take(other, trace)).toMatchObject(refusal);
		await one.git(['update-ref', kept('run-1'), commit]);
		await publish(one);
		expect(await take(other, trace)).toMatchObject({ok: true});
	});
});

describe('the replica of a trace', () => {
	it('stores the base once for all traces, and only the commits that no remote has', async () => {
		const {one, other, bus, publish} = await createScene();
		for (const id of ['trace-1', 'trace-2']) {
			await work(one, id, id);
			await publish(one, id);
		}
		expect((await readHistory(bus, 'one'))?.packs).toHaveLength(1);
		await newer(one);
		await work(one, 'again');
		await publish(one);
		expect((await readHistory(bus, 'one'))?.packs).toHaveLength(2);
		await work(other, 'elsewhere', 'trace-3');
		await publish(other, 'trace-3', 'other');
		expect(await readHistory(bus, 'other')).toBeUndefined();
	});

	it('stores the bases of traces from different branches, also after old packs are removed', async () => {
		const {one, other, publish, take} = await createScene();
		await one.git(['switch', '--quiet', '--create', 'release']);
		await newer(one);
		await work(one, 'released');
		await one.git(['symbolic-ref', `refs/hive/base/${traceId}`, 'refs/heads/release']);
		await publish(one);
		for (let round = 0; round < 17; round++) {
			await newer(one);
			await work(one, `round ${round}`, 'trace-2');
			await publish(one, 'trace-2');
		}
		expect(await take(other, traceOf('one'))).toMatchObject({ok: true});
	});

	it('has the latest state when two processes publish at the same moment', async () => {
		const {one, bus, publish} = await createScene();
		const first = await work(one, 'first');
		let between: Promise<unknown> | undefined;
		const put = bus.blobs.put;
		const slow = {
			...bus.blobs,
			put: async (text: string) => {
				const hash = await put(text);
				if (text.startsWith(`${traceId}\n`)) {
					between ??= (async () => {
						await one.git(['update-ref', kept('run-2'), first]);
						await publish(one);
					})();
					await between;
				}
				return hash;
			},
		};
		await publishWork({bus: {...bus, blobs: slow}, git, checkout: 'one'}, one.root, emptyTrace(traceId));
		expect((await readReplica(bus, traceId))?.refs).toMatchObject({[kept('run-2')]: first});
	});

	it('does not grow with earlier publications, whose packs are removed', async () => {
		const {one, other, bus, publish, take} = await createScene();
		const gone: string[] = [];
		const remove = bus.blobs.remove;
		Object.assign(bus, {
			blobs: {...bus.blobs, remove: async (hash: string) => gone.push(hash) && remove(hash)},
		});
		for (let round = 0; round < 18; round++) {
			await newer(one);
			await work(one, `round ${round}`);
			await publish(one);
		}
		const history = await readHistory(bus, 'one');
		expect(history?.packs).toHaveLength(2);
		expect(new Set(gone)).toHaveLength(16 + 17);
		expect(await take(other, traceOf('one'))).toMatchObject({ok: true});
		expect(await other.git(['show', `${branch}:text.txt`])).toBe('round 17');
		await removeReplica(bus, traceId);
		expect(await readReplica(bus, traceId)).toBeUndefined();
	});

	it('stays the same if nothing changed, or if the work is too large', async () => {
		const {one, bus, publish} = await createScene();
		await work(one, 'small');
		expect(await publish(one)).toBe(true);
		const replica = await readReplica(bus, traceId);
		const [before] = await bus.bucket('replicas').entries();
		expect(await publish(one)).toBe(true);
		const [after] = await bus.bucket('replicas').entries();
		expect(after).toMatchObject({revision: before?.revision, value: before?.value});
		await work(one, randomBytes(65 * 1024).toString('base64'));
		expect(await publish(one)).toBe(false);
		expect(await readReplica(bus, traceId)).toEqual(replica);
	});
});
