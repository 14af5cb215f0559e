import {expect, test} from 'vitest';
import {loadColony} from '../../source/colony/load-colony.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {filesInMemory} from './files-in-memory.ts';

const load = async (hive: Readonly<Record<string, string>>) => {
	const paths = Object.entries(hive).map(([path, text]) => [`/repo/.hive/${path}`, text]);
	return loadColony(filesInMemory(Object.fromEntries(paths)).files, '/repo');
};

const read = async (hive: Readonly<Record<string, string>>) =>
	expectAccepted(await load({'colony.yaml': 'slug: shop\n', ...hive}));

test('a repository without colony.yaml is not a colony', async () => {
	expect(await load({'bees/builder.yaml': 'worktree: true\n'})).toMatchObject({
		ok: false,
		refusal: {code: 'no_colony', hint: 'Run "hive init" in the repository.'},
	});
});

test('a colony.yaml with only a slug has every default', async () => {
	const colony = await read({});
	expect(colony).toMatchObject({
		root: '/repo',
		slug: 'shop',
		defaults: {budget: {energyBudget: 12}, defaultBee: 'builder', maxParallelRuns: 4},
		problems: [],
		warnings: [],
	});
	expect(colony.workspaces).toBeUndefined();
	expect(colony).not.toHaveProperty('id');
});

test('every key of colony.yaml is read', async () => {
	const colony = expectAccepted(
		await load({
			'colony.yaml': `
slug: shop
id: shop_1-a
defaults:
  energy_budget: 5
  max_cost: 2.5
  max_tokens: 1000000
  default_bee: maker
  max_parallel_runs: 2
  prompt_template: default.md
  system_template: rules/system.md
  keep: 10d
  session_recording: 4MiB
  leave_running: [gpg-agent]
sectors:
  web: {path: packages/web/}
  api: ./packages/api
bus: {subject_prefix: hive.x}
workspaces:
  setup:
    - npm ci
    - [sh, -c, "echo done"]
  copy: [.env]
  disposable: [node_modules]
  cache:
    - {key: [package-lock.json], paths: [node_modules, ./app/node_modules/]}
    - {key: [go.sum, package-lock.json], paths: [vendor, vendor/a]}
`,
		}),
	);
	expect(colony.defaults).toEqual({
		budget: {energyBudget: 5, maxCost: 2.5, maxTokens: 1000000},
		defaultBee: 'maker',
		maxParallelRuns: 2,
		promptTemplate: 'default.md',
		systemTemplate: 'rules/system.md',
		keep: 864_000_000,
		sessionRecording: 4 * 1024 * 1024,
		leaveRunning: ['gpg-agent'],
	});
	expect(colony.id).toBe('shop_1-a');
	expect([...colony.sectors]).toEqual([
		['web', 'packages/web'],
		['api', 'packages/api'],
	]);
	expect(colony.subjectPrefix).toBe('hive.x');
	expect(colony.workspaces).toEqual({
		setup: [
			['npm', 'ci'],
			['sh', '-c', 'echo done'],
		],
		copy: ['.env'],
		disposable: ['node_modules'],
		cache: {
			key: ['package-lock.json', 'go.sum'],
			paths: ['node_modules', 'app/node_modules', 'vendor'],
		},
	});
});

test.each([
	['[{key: [lock], paths: [../x]}]', 'expected a relative path without "..", wildcards, .git or .hive'],
	['[{key: [lock], paths: [/x]}]', 'expected a relative path'],
	['[{key: [lock], paths: [.]}]', 'expected a relative path'],
	['[{key: [lock], paths: [a/.GIT/x]}]', 'expected a relative path'],
	['[{key: [lock], paths: [.hive/bees]}]', 'expected a relative path'],
	['[{key: ["*.lock"], paths: [x]}]', 'expected a relative path'],
	['[{key: [x/lock], paths: [x]}]', '"x/lock" is a key and also in a cached path'],
	['[{key: [], paths: [x]}]', 'needs a file in "key" and a path in "paths"'],
	['[{paths: [x]}]', '"key" is missing'],
	['{key: [lock], paths: [x]}', 'expected a list'],
])('workspaces.cache %s is refused', async (cache, message) => {
	const text = `slug: shop\nworkspaces:\n  setup: npm ci\n  cache: ${cache}\n`;
	expect(await load({'colony.yaml': text})).toMatchObject({
		refusal: {message: expect.stringContaining(message)},
	});
});

test('workspaces.cache without a setup is refused', async () => {
	const text = 'slug: shop\nworkspaces:\n  cache: [{key: [lock], paths: [x]}]\n';
	expect(await load({'colony.yaml': text})).toMatchObject({
		refusal: {message: expect.stringContaining('there is no setup')},
	});
});

test.each(['Shop', '-shop', '_shop', 'a.b', `a${'b'.repeat(64)}`, '[shop]'])(
	'%s is not a valid colony id',
	async id => {
		expect(await load({'colony.yaml': `slug: shop\nid: ${id}\n`})).toMatchObject({
			refusal: {message: expect.stringMatching(/^\.hive\/colony\.yaml:2: an id is at most 64 /)},
		});
	},
);

test('a broken colony.yaml is refused with every problem, its line and a hint', async () => {
	const answer = await load({
		'colony.yaml': 'slug: Shop\ndefaults:\n  energy_bugdet: 3\n  default_bee: ../x\nsectors: []\n',
	});
	expect(answer).toMatchObject({
		ok: false,
		refusal: {
			code: 'invalid_config',
			message: '.hive/colony.yaml:1: a slug is lower-case letters, digits and "-".',
			details: [
				{path: '.hive/colony.yaml:1'},
				{
					path: '.hive/colony.yaml:3',
					message: 'unknown key "energy_bugdet"',
					hint: 'Did you mean "energy_budget"?',
				},
				{path: '.hive/colony.yaml:4', message: expect.stringContaining('expected a name')},
				{path: '.hive/colony.yaml:5', message: 'expected sectors by name'},
			],
		},
	});
});

test.each([
	['an absolute path', '/etc'],
	['a path that climbs out', 'packages/../../outside'],
	['a home path', '~/x'],
	['a path that looks like a flag', '--help'],
	['a backslash path', '..\\outside'],
])('a sector with %s is refused', async (_, path) => {
	const answer = await load({'colony.yaml': `slug: shop\nsectors:\n  web: {path: '${path}'}\n`});
	expect(answer).toMatchObject({ok: false, refusal: {details: [{path: '.hive/colony.yaml:3'}]}});
});

test('a broken bee and a broken cue leave the rest usable', async () => {
	const colony = await read({
		'bees/builder.yaml': 'worktree: true\n',
		'bees/broken.yaml': 'adapter: gamma\n',
		'cues/feature.yaml': 'emit: signal\ntype: SIGNAL\nkind: feature.requested\n',
		'cues/broken.yaml': 'emit: email\n',
	});
	expect([...colony.bees.keys()]).toEqual(['builder']);
	expect([...colony.cues.keys()]).toEqual(['feature']);
	expect(colony.problems).toEqual([
		{
			path: '.hive/bees/broken.yaml:1',
			message: 'expected one of acp, alpha, beta, claude, codex, gemini, opencode, script',
			hint: undefined,
		},
		{path: '.hive/cues/broken.yaml:1', message: 'expected one of signal, task', hint: undefined},
	]);
});

test('the order of bees, cues and prompts does not depend on the order of files', async () => {
	const colony = await read({
		'prompts/b.md': 'b',
		'prompts/_partials/z.md': 'z',
		'prompts/a.md': 'a',
		'bees/zoe.yaml': 'role: anna\n',
		'bees/bert.yaml': 'role: zoe\n',
	});
	expect([...colony.bees.keys()]).toEqual(['anna', 'zoe']);
	expect([...colony.prompts.keys()]).toEqual(['_partials/z.md', 'a.md', 'b.md']);
});

test('a role in two files is a problem, and the first file keeps it', async () => {
	const colony = await read({
		'bees/a.yaml': 'role: maker\n',
		'bees/b.yaml': 'role: maker\nworktree: true\n',
	});
	expect(colony.bees.get('maker')?.file).toBe('.hive/bees/a.yaml');
	expect(colony.problems).toMatchObject([
		{path: '.hive/bees/b.yaml', message: expect.stringContaining('.hive/bees/a.yaml')},
	]);
});

test('a local overlay replaces only the templates of its bee', async () => {
	const colony = await read({
		'bees/builder.yaml': 'prompt_template: builder.md\nsystem_template: sys.md\n',
		'bees/builder.local.yaml': 'prompt_template: mine.md\n',
	});
	expect(colony.bees.get('builder')).toMatchObject({promptTemplate: 'mine.md', systemTemplate: 'sys.md'});
	expect(colony.bees.size).toBe(1);
});

test('an overlay cannot change other keys of a bee', async () => {
	const colony = await read({
		'bees/builder.yaml': 'worktree: true\n',
		'bees/builder.local.yaml': 'worktree: false\n',
	});
	expect(colony.problems).toMatchObject([
		{path: '.hive/bees/builder.local.yaml:1', message: 'unknown key "worktree"'},
	]);
	expect(colony.bees.get('builder')?.worktree).toBe(true);
});

test('a template below a folder of prompts is loaded if a bee names it', async () => {
	const colony = await read({
		'bees/builder.yaml': 'prompt_template: roles/builder.md\n',
		'prompts/roles/builder.md': 'Build it.',
	});
	expect(colony.prompts.get('roles/builder.md')).toBe('Build it.');
});
