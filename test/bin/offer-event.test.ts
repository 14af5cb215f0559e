import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {offerEvent} from '../../source/bin/offer-event.ts';
import {renderMachineYaml} from '../../source/colony/parse/machine.ts';
import {locateColony, rootsBeside} from '../../source/host/locate-colony.ts';

let folder: string;
const env = () => ({XDG_CONFIG_HOME: path.join(folder, 'home')});
const machine = (name: string) => path.join(folder, 'home', 'hive', name);

const checkout = (name: string, colony: string): string => {
	const root = path.join(folder, name);
	mkdirSync(path.join(root, '.git'), {recursive: true});
	mkdirSync(path.join(root, '.hive'));
	writeFileSync(path.join(root, '.hive', 'colony.yaml'), colony);
	return root;
};

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'hive-offer-'));
});
afterEach(() => rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100}));

describe('the colony around a folder', () => {
	it.each([
		['plain', 'defaults: {}\nslug: acme-api\n'],
		['quoted', "slug: 'acme-api'\n"],
		['with a comment', 'slug: acme-api   # written by init\n'],
	])('is found by its slug, %s', (_, colony) => {
		const root = checkout('api', colony);
		expect(locateColony(env(), root)).toEqual({
			root,
			machineFolder: machine('acme-api'),
			socket: path.join(machine('acme-api'), 'reactor.sock'),
		});
	});

	it('is the one that a run names, wherever its agent works', () => {
		const root = checkout('api', 'slug: acme-api\n');
		expect(locateColony({...env(), HIVE_COLONY_ROOT: root}, tmpdir())?.root).toBe(root);
	});

	it('has its own machine folder if another checkout uses the name', () => {
		const [first, second] = [checkout('first', 'slug: api\n'), checkout('second', 'slug: api\n')];
		mkdirSync(machine('api'), {recursive: true});
		writeFileSync(path.join(machine('api'), 'config.yaml'), `slug: api\ncolony_root: ${first}\n`);
		expect(locateColony(env(), first)?.machineFolder).toBe(machine('api'));
		expect(path.basename(locateColony(env(), second)?.machineFolder ?? '')).toMatch(/^api-[0-9a-f]{8}$/);
	});

	it('names the other checkouts of the same colony, and no others', () => {
		const [first, second, other] = ['first', 'second', 'other'].map(name =>
			checkout(name, `slug: ${name === 'other' ? 'tool' : 'api'}\n`),
		);
		for (const [name, root] of [
			['api', first],
			['api-0a0a0a0a', second],
			['tool', other],
		] as const) {
			mkdirSync(machine(name), {recursive: true});
			writeFileSync(path.join(machine(name), 'config.yaml'), `slug: api\ncolony_root: ${root}\n`);
		}
		expect(rootsBeside(env(), second ?? '')).toEqual([first]);
		expect(rootsBeside(env(), folder)).toEqual([]);
	});

	it.each(['c#', 'a #b', 'say "hi"', 'back\\slash', "it's", 'two\nlines', "'", ' blank '])(
		'keeps its machine folder in a checkout named %j',
		name => {
			const root = checkout(name, 'slug: api\n');
			mkdirSync(machine('api'), {recursive: true});
			writeFileSync(path.join(machine('api'), 'config.yaml'), renderMachineYaml(root, 'api'));
			expect(locateColony(env(), root)?.machineFolder).toBe(machine('api'));
		},
	);

	it('is not found in a worktree, without a slug or outside any checkout', () => {
		const root = checkout('api', 'defaults: {}\n');
		expect(locateColony(env(), root)).toBeUndefined();
		const worktree = path.join(folder, 'worktree');
		mkdirSync(worktree);
		writeFileSync(path.join(worktree, '.git'), `gitdir: ${root}/.git/worktrees/worktree\n`);
		expect(locateColony(env(), worktree)).toBeUndefined();
		expect(locateColony(env(), folder)).toBeUndefined();
	});
});

describe('an event that no reactor takes', () => {
	it('is stored under the id with which it was offered', async () => {
		const root = checkout('api', 'slug: api\n');
		const offered = await offerEvent('{"type":"SIGNAL"}', env(), root);
		expect(offered).toEqual({
			text: '{"type":"SIGNAL"}',
			id: expect.stringMatching(/^[0-9a-f]{28}$/),
			answer: undefined,
		});
	});
});
