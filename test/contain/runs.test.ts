import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createRig, publishesIsolated, scripted, traceId} from '../dispatch/rig.ts';
import {canContain} from './namespaces.ts';

const git = 'git -c user.name=bee -c user.email=bee@localhost';

const contained = (script: string, more: object = {}) =>
	scripted(script, {worktree: true, publishes: publishesIsolated, contain: 'required', ...more});

describe.skipIf(!canContain.can)('a contained run', () => {
	it('commits to its branch, and proposes its files', async () => {
		const rig = await createRig({
			bees: {
				maker: contained(
					`echo one >one; git add one; ${git} commit -qm one; echo two >two; git status --short`,
				),
			},
		});
		const {run, status, agentId} = await rig.run('maker');
		expect([status, await rig.text(agentId, 'stderr.log')]).toMatchObject([{state: 'completed'}, '']);
		expect(run.warnings ?? []).toEqual([]);
		const proposal = (await rig.events('code.proposal.isolated')).at(-1);
		expect(proposal?.payload).toMatchObject({});
		const at = (...args: string[]) => rig.repository.git(args);
		expect(await at('log', '--format=%s', `hive/${traceId}`)).toContain('one');
		const worktree = join(rig.root, '.hive/worktrees', traceId);
		expect(await at('-C', worktree, 'status', '--short')).toBe('?? two');
		expect(await at('fsck', '--no-progress', '--no-dangling')).toBe('');
	});

	it('has its work taken over by a collection after a crash, once', async () => {
		const crashes = new Set(['contained.objects', 'run.recorded']);
		const rig = await createRig({
			bees: {maker: contained(`echo one >one; git add one; ${git} commit -qm one`)},
			faulty: () => ({
				// As on a machine that lost its power before the supervisor recorded the tree.
				treeTaker: ['true'],
				failpoint: point => {
					if (crashes.delete(point)) throw new Error(`crash at ${point}`);
				},
			}),
		});
		const agentId = await rig.begin('maker');
		await rig.ended(agentId);
		for (const point of [...crashes]) await expect(rig.collect(agentId)).rejects.toThrow(point);
		expect((await rig.collect(agentId)).run).toMatchObject({status: 'completed'});
		const ref = `hive/${traceId}`;
		expect(await rig.repository.git(['log', '--format=%s', '-1', ref])).toBe('one');
		expect(await rig.repository.git(['rev-list', '--count', `main..${ref}`])).toBe('1');
		expect(await rig.repository.git(['fsck', '--no-progress', '--no-dangling'])).toBe('');
	});

	it('has the branches beside its own thrown away, with a warning', async () => {
		const rig = await createRig({bees: {maker: contained('git branch -q other')}});
		const {run} = await rig.run('maker');
		expect(run.warnings).toEqual([
			'it wrote to refs that are not its own, and these were thrown away: other',
		]);
		expect(await rig.repository.git(['branch', '--list', 'other'])).toBe('');
	});
});

describe.skipIf(!canContain.can)('a tool that is installed below /tmp', () => {
	/** Makes files in a folder below /tmp, which is another one inside. */
	const install = async (files: Readonly<Record<string, string>>): Promise<string> => {
		const folder = await mkdtemp('/tmp/hive-tool-');
		onTestFinished(() => rm(folder, {recursive: true, force: true}));
		for (const [name, text] of Object.entries(files)) {
			await mkdir(dirname(join(folder, name)), {recursive: true});
			await writeFile(join(folder, name), text, {mode: 0o755});
		}
		return folder;
	};
	const tool = '#!/bin/sh\ncat "$(dirname "$0")/../lib/words"\nls /tmp\n';

	it.each([
		['a package', {'package.json': '{}', 'bin/tool': tool, 'lib/words': 'of the package\n'}, 'bin/tool'],
		[
			'a package among those that it needs',
			{
				'node_modules/tool/package.json': '{}',
				'node_modules/tool/bin/tool': tool,
				'node_modules/tool/lib/words': 'of the package\n',
			},
			'node_modules/tool/bin/tool',
		],
	])('has the files of its package: %s', async (_, files, path) => {
		const folder = await install({...files, '../hive-secret-of-tmp': 'secret'});
		onTestFinished(() => rm('/tmp/hive-secret-of-tmp', {force: true}));
		const rig = await createRig({bees: {maker: contained('', {command: [join(folder, path)]})}});
		const {agentId} = await rig.run('maker');
		const printed = await rig.text(agentId, 'stdout.log');
		expect(printed).toContain('of the package');
		expect(printed).not.toContain('hive-secret-of-tmp');
	});
});

describe.skipIf(!canContain.can)('the warnings of a contained run', () => {
	const warned = async (script: string, more: object = {}) => {
		const rig = await createRig({bees: {maker: contained(script, more)}});
		return (await rig.run('maker')).run.warnings ?? [];
	};

	it('name what it printed as denied, and say that there may be more', async () => {
		expect(await warned('touch /etc/planted; echo x >/usr/x; cat /etc/shadow')).toEqual([
			'it was denied /etc/planted, /usr/x, /etc/shadow, as it printed; more may have been refused',
		]);
	});

	it('name the files that were thrown away with its /tmp, a few of them, and follow no link', async () => {
		const script =
			'mkdir /tmp/deep; for n in 1 2 3 4; do echo x >/tmp/deep/$n; done; ln -s /etc/passwd /tmp/link; touch /tmp/empty';
		expect(await warned(script)).toEqual([
			'files in its own /tmp were thrown away: deep/1, deep/2, deep/3 and 1 more',
		]);
	});

	it('are none if it kept to its worktree', async () => {
		expect(await warned('echo x >made')).toEqual([]);
	});

	it('show every character of a hostile name', async () => {
		const [text] = await warned(String.raw`printf 'x' >"/tmp/a$(printf '\033[31m\342\200\256')b"`);
		expect(text).toBe('files in its own /tmp were thrown away: a<U+001B>[31m<U+202E>b');
	});
});

const cannot = {
	...{moves: true, wrap: (_: unknown, argv: readonly string[]) => argv},
	probe: async () => ({can: false as const, why: 'there is no bwrap on PATH', hint: 'Install it.'}),
};

describe('on a machine that cannot contain', () => {
	it('a run that requires it fails with the reason, and its honey is given back', async () => {
		const rig = await createRig({
			bees: {maker: contained('true')},
			faulty: () => ({containment: cannot}),
		});
		const agentId = await rig.begin('maker');
		const {run} = await rig.look(agentId);
		expect(run).toMatchObject({
			status: 'failed',
			summary: expect.stringContaining('The bee requires containment, and there is no bwrap on PATH.'),
		});
		expect(await rig.events('energy.add')).toHaveLength(1);
	});

	it('a run with "auto" runs, and says that it was not contained', async () => {
		const rig = await createRig({
			bees: {maker: contained('true', {contain: 'auto'})},
			faulty: () => ({containment: cannot}),
		});
		const {run} = await rig.run('maker');
		expect(run).toMatchObject({
			status: 'completed',
			warnings: ['not contained: there is no bwrap on PATH'],
		});
	});
});
