import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {formatTransfer, transferSettings} from '../../source/domain/git-settings.ts';
import {currentBase} from '../../source/workspaces/merge/base.ts';
import {followUpstream} from '../../source/workspaces/merge/follow-upstream.ts';
import {fetchUpstream, pushMerge, refuseUnshared} from '../../source/workspaces/merge/upstream.ts';
import {createRepository, openRepository, type Repository} from '../helpers/repository.ts';
import {git} from './scene.ts';

/** A checkout whose `main` has an upstream, and the settings that its person accepted. */
const createShared = async () => {
	const repository = await createRepository({'a.txt': 'one\n'});
	const path = await mkdtemp(join(tmpdir(), 'hive-remote-'));
	onTestFinished(() => rm(path, {recursive: true, force: true}));
	const remote = openRepository(path);
	await remote.git(['init', '--quiet', '--bare', '--initial-branch=main']);
	await repository.git(['remote', 'add', 'origin', path]);
	await repository.git(['push', '--quiet', '--set-upstream', 'origin', 'main']);
	const known = new Set(transferSettings(await git.settings(repository.root)).map(formatTransfer));
	return {repository, remote, known};
};

const baseOf = async ({root}: Repository) => {
	const base = await currentBase(git, root);
	if (base === undefined) throw new Error('There is no base.');
	return base;
};

const fetchNow = async ({repository, known}: Awaited<ReturnType<typeof createShared>>) =>
	fetchUpstream(git, repository.root, await baseOf(repository), known);

describe('the way to an upstream', () => {
	test('is taken if a person has accepted it', async () => {
		const shared = await createShared();
		const found = expectAccepted(await fetchNow(shared));
		expect(found).toMatchObject({remote: 'origin', ref: 'refs/heads/main', name: 'origin/main'});
		expect(found.commit).toBe(await shared.remote.git(['rev-parse', 'main']));
	});

	test.each([
		['another address', ['remote.origin.url', '/elsewhere']],
		['another address to push to', ['remote.origin.pushurl', '/elsewhere']],
		['addresses that stand for others', ['url./elsewhere/.insteadOf', '/tmp/']],
		['a program on the other side', ['remote.origin.receivepack', 'sh -c evil']],
		['a program of its own', ['core.sshCommand', 'sh -c evil']],
		['a proxy', ['http.proxy', 'evil.example:1']],
		['other branches to write', ['remote.origin.fetch', '+refs/heads/*:refs/heads/*']],
		['another branch there', ['branch.main.merge', 'refs/heads/other']],
		['included settings', ['include.path', '/elsewhere/config']],
	] as const)('is not taken with %s', async (_, [key, value]) => {
		const shared = await createShared();
		await shared.repository.git(['config', key, value]);
		const refused = await fetchNow(shared);
		expect(refused).toMatchObject({ok: false, refusal: {code: 'not_shared'}});
		const [section, name] = [key.split('.')[0], key.split('.').at(-1)?.toLowerCase()];
		expect(refused.ok || refused.refusal.details.map(({path}) => path)).toContainEqual(
			expect.stringMatching(new RegExp(`^${section}\\..*${name}$`)),
		);
	});

	test('is taken whatever other remotes and branches there are', async () => {
		const shared = await createShared();
		await shared.repository.git(['remote', 'add', 'bob', '/elsewhere']);
		await shared.repository.git(['config', 'branch.side.merge', 'refs/heads/other']);
		expect((await fetchNow(shared)).ok).toBe(true);
	});

	test('is shown without the password in an address', async () => {
		const setting = {scope: 'local', key: 'remote.origin.url', value: 'https://ada:secret@host/shop.git'};
		expect(formatTransfer(setting)).toBe('remote.origin.url=https://***@host/shop.git');
	});
});

describe('a merge that is pushed', () => {
	const commitOn = async (repository: Repository, path: string): Promise<string> => {
		await repository.git(['switch', '--quiet', '--detach']);
		await repository.write(path, 'new\n');
		const commit = await repository.commit(path);
		await repository.git(['switch', '--quiet', 'main']);
		return commit;
	};
	const push = async (shared: Awaited<ReturnType<typeof createShared>>, commit: string) => {
		const {repository, known} = shared;
		const base = await baseOf(repository);
		const upstream = expectAccepted(await fetchNow(shared));
		return (during: () => Promise<unknown> = async () => {}) =>
			during().then(() => pushMerge(git, repository.root, {base, upstream, known}, commit));
	};

	test('arrives, and the base here stays', async () => {
		const shared = await createShared();
		const commit = await commitOn(shared.repository, 'b.txt');
		const before = await shared.repository.git(['rev-parse', 'main']);
		expect(await (await push(shared, commit))()).toEqual({ok: true, value: undefined});
		expect(await shared.remote.git(['rev-parse', 'main'])).toBe(commit);
		expect(await shared.repository.git(['rev-parse', 'main'])).toBe(before);
	});

	test('is refused as stale if the upstream moved after the fetch, also if it was set back', async () => {
		const shared = await createShared();
		await shared.repository.write('c.txt', 'c\n');
		await shared.repository.commit('c');
		await shared.repository.git(['push', '--quiet']);
		const commit = await commitOn(shared.repository, 'b.txt');
		const pushing = await push(shared, commit);
		const first = await shared.remote.git(['rev-parse', 'main~1']);
		const refused = await pushing(() => shared.remote.git(['update-ref', 'refs/heads/main', first]));
		expect(refused).toMatchObject({ok: false, refusal: {code: 'stale_view'}});
		expect(await shared.remote.git(['rev-parse', 'main'])).toBe(first);
	});

	test('counts if the upstream has it, although the answer was lost', async () => {
		const shared = await createShared();
		const commit = await commitOn(shared.repository, 'b.txt');
		await shared.remote.write('hooks/post-receive', '#!/bin/sh\nkill -9 $PPID\n', 0o755);
		expect((await (await push(shared, commit))()).ok).toBe(true);
		expect(await shared.remote.git(['rev-parse', 'main'])).toBe(commit);
	});
});

describe('a base that follows its upstream', () => {
	test('is not moved if it has commits of its own, and those are counted', async () => {
		const shared = await createShared();
		await shared.repository.write('mine.txt', 'mine\n');
		await shared.repository.commit('mine');
		const upstream = expectAccepted(await fetchNow(shared));
		const base = await baseOf(shared.repository);
		const refused = await followUpstream(git, shared.repository.root, base, upstream, () => {});
		expect(refused).toMatchObject({
			ok: false,
			refusal: {
				code: 'not_shared',
				message: expect.stringContaining('main has 1 commit that origin/main lacks'),
			},
		});
	});

	test('goes on after a crash at any step, with the unsaved files as they were', async () => {
		for (const point of ['merge.journaled', 'merge.fileMoved', 'merge.filesMoved', 'merge.indexMoved']) {
			const shared = await createShared();
			const {repository} = shared;
			await repository.write('a.txt', 'one\ntwo\n');
			await repository.write('new/file.txt', 'x\n');
			const next = await repository.commit('next');
			await repository.git(['push', '--quiet']);
			await repository.git(['reset', '--quiet', '--hard', 'HEAD~1']);
			await repository.write('mine.txt', 'mine\n');
			const upstream = expectAccepted(await fetchNow(shared));
			const crash = (reached: string): void => {
				if (reached === point) throw new Error('crash');
			};
			const follow = async (failpoint: (point: string) => void) =>
				followUpstream(git, repository.root, await baseOf(repository), upstream, failpoint);
			await expect(follow(crash), point).rejects.toThrow('crash');
			expect((await follow(() => {})).ok, point).toBe(true);
			expect(await repository.git(['rev-parse', 'main']), point).toBe(next);
			expect(await repository.git(['status', '--porcelain']), point).toBe('?? mine.txt');
		}
	});
});

test('doctor hears of a base whose upstream does not answer', async () => {
	const {repository, remote, known} = await createShared();
	const base = await baseOf(repository);
	expect(await refuseUnshared(git, repository.root, base, known)).toBeUndefined();
	await rm(remote.root, {recursive: true});
	const refused = await refuseUnshared(git, repository.root, base, known);
	expect(refused?.refusal.message).toContain('origin/main could not be fetched: ');
});
