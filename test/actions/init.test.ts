import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {type InitInput, initColony} from '../../source/actions/init.ts';
import {refuseSession} from '../../source/agents/session.ts';
import {acpTools, noToolsMessage} from '../../source/colony/agent-tools.ts';
import {beeOf} from '../../source/colony/colony.ts';
import {loadColony} from '../../source/colony/load-colony.ts';
import {checkColony} from '../../source/colony/rules.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createKernelLock} from '../../source/drivers/kernel-lock.ts';
import {embeddedStore} from '../../source/wire/choose-store.ts';

const run = promisify(execFile);
const files = createFiles();

let base = '';
beforeEach(async () => {
	base = await realpath(await mkdtemp(path.join(tmpdir(), 'hive-init-')));
});
afterEach(() => rm(base, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));

const repository = async (name: string, origin?: string): Promise<string> => {
	const root = path.join(base, name);
	await mkdir(root, {recursive: true});
	await run('git', ['init', '-q', root]);
	if (origin) await run('git', ['-C', root, 'remote', 'add', 'origin', origin]);
	return root;
};

const init = (
	root: string,
	{installed = [], ...input}: Omit<InitInput, 'takesOver'> & {readonly installed?: readonly string[]} = {},
) =>
	initColony(
		{
			files,
			git: createGit(),
			processes: {which: async name => (installed.includes(name) ? `/usr/bin/${name}` : undefined)},
			home: path.join(base, 'home'),
			randomHex: digits => 'a'.repeat(digits),
			storeIn: embeddedStore,
			writeAcceptedIn: () => (_, write) => write(),
			reactorLock: folder => createKernelLock(path.join(folder, 'reactor.lock')),
		},
		{root, ...input},
	);

const load = async (root: string) => expectAccepted(await loadColony(files, root));

test('a fresh colony loads, renders every prompt and has no findings of the doctor', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root));
	const findings = checkColony(await load(root), {missingPrograms: new Set(), missingFolders: new Set()});
	expect(findings).toEqual([]);
});

test('a fresh colony has a scout, a builder, a guard and the two cues', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root));
	const colony = await load(root);
	expect([...colony.bees.keys()]).toEqual(['builder', 'guard', 'scout']);
	expect([...colony.cues.keys()]).toEqual(['feature', 'hotfix']);
	expect(colony.defaults).toMatchObject({budget: {energyBudget: 12}, defaultBee: 'builder'});
	expect(beeOf(colony, '')).toMatchObject({role: 'builder', worktree: true});
});

describe('the ideation flow', () => {
	const nothingMissing = {missingPrograms: new Set<string>(), missingFolders: new Set<string>()};
	const rules = ['feature.classified', 'feature.classified', 'spec.ready'];
	const expectFlow = async (root: string) => {
		const colony = await load(root);
		expect(checkColony(colony, nothingMissing)).toEqual([]);
		expect(colony.autoInvites?.map(({when}) => when.kind)).toEqual(rules);
		expect(colony.bees.get('scout')?.publishes).toContainEqual({type: 'SIGNAL', kind: 'feature.classified'});
		expect(colony.prompts.get('scout.md')).toContain('emit-feature-classified');
		return colony;
	};

	test.each(['alpha', 'beta', 'claude', 'codex', 'cursor-agent', 'gemini', 'opencode'])(
		'is part of a fresh colony, with a drone that people talk with by %s',
		async agent => {
			const root = await repository('shop');
			const report = expectAccepted(await init(root, {agent, flow: 'ideation'}));
			expect(report).toMatchObject({kept: [], differing: []});
			const drone = (await expectFlow(root)).bees.get('drone');
			expect(drone?.intents).toEqual(['general', 'grilling', 'breakdown']);
			expect(drone && refuseSession(drone)).toBeUndefined();
		},
	);

	test('is added once to a colony with unchanged files, however often it is requested', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root));
		const added = expectAccepted(await init(root, {flow: 'ideation'}));
		expect(added.created).toEqual(
			expect.arrayContaining(['.hive/bees/scout.yaml', '.hive/bees/drone.yaml', '.hive/colony.yaml']),
		);
		expect(added.differing).toEqual([]);
		await expectFlow(root);
		const before = await snapshot(base);
		expect(expectAccepted(await init(root, {flow: 'ideation'}))).toMatchObject({created: [], differing: []});
		expect(await snapshot(base)).toEqual(before);
	});

	test('keeps files that people changed, and names them', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root));
		await writeFile(path.join(root, '.hive/prompts/scout.md'), 'Mine: {{.Task}}');
		await writeFile(
			path.join(root, '.hive/colony.yaml'),
			'{slug: shop, defaults: {prompt_template: default.md}}',
		);
		const {differing} = expectAccepted(await init(root, {flow: 'ideation'}));
		expect(differing).toEqual(['.hive/prompts/scout.md', '.hive/colony.yaml']);
		expect(await readFile(path.join(root, '.hive/prompts/scout.md'), 'utf8')).toBe('Mine: {{.Task}}');
		await writeFile(path.join(root, '.hive/colony.yaml'), 'slug: shop\nauto_invites: []\n');
		expect(expectAccepted(await init(root, {flow: 'ideation'})).differing).toContain('.hive/colony.yaml');
		expect((await load(root)).autoInvites).toEqual([]);
	});
});

test('no bee of a fresh colony publishes task.completed, so no proposal waits for a receiver', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root));
	const publishes = [...(await load(root)).bees.values()].flatMap(bee => bee.publishes);
	expect(publishes.map(({kind}) => kind)).not.toContain('task.completed');
});

test('running init again changes no file and says that all were kept', async () => {
	const root = await repository('shop');
	const first = expectAccepted(await init(root));
	await writeFile(path.join(root, '.hive/prompts/builder.md'), 'Mine: {{.Task}}');
	const before = await snapshot(base);
	const second = expectAccepted(await init(root));
	expect(await snapshot(base)).toEqual(before);
	expect(second.created).toEqual([]);
	expect(first.created).toEqual(expect.arrayContaining([...second.kept]));
});

const snapshot = async (folder: string): Promise<Record<string, string>> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const kept = entries
		.filter(entry => entry.isFile() && !entry.parentPath.includes('/.git'))
		.map(entry => path.join(entry.parentPath, entry.name));
	const texts = await Promise.all(kept.map(async file => [file, await readFile(file, 'utf8')] as const));
	return Object.fromEntries(texts);
};

test('init adds what git must not track to .gitignore, and keeps the lines that are there', async () => {
	const root = await repository('shop');
	await mkdir(path.join(root, '.hive'));
	await writeFile(path.join(root, '.hive/.gitignore'), 'runs/\nscratch');
	expectAccepted(await init(root));
	expect(await readFile(path.join(root, '.hive/.gitignore'), 'utf8')).toBe(
		'runs/\nscratch\nworktrees/\n*.local.yaml\ncache/\n',
	);
});

test.each([
	['git@github.com:Acme/Web_Shop.git', 'acme-web-shop'],
	['https://example.org/acme/shop', 'acme-shop'],
	['ssh://git@example.org:22/acme/shop.git/', 'acme-shop'],
	['/srv/git/acme/shop.git', 'acme-shop'],
])('the slug comes from the origin %s', async (origin, slug) => {
	const root = await repository('anything', origin);
	expect(expectAccepted(await init(root)).slug).toBe(slug);
	expect((await load(root)).slug).toBe(slug);
});

test.each([
	['git@github.com:ada/hive.git', 'github', 'ada/hive'],
	['https://token@gitlab.com/bees/queen/hive.git', 'gitlab', 'bees/queen/hive'],
])('a fresh colony has the forge of its remote %s as a comment', async (origin, provider, repositoryName) => {
	const root = await repository('shop', origin);
	expectAccepted(await init(root));
	const colonyFile = path.join(root, '.hive/colony.yaml');
	const text = await readFile(colonyFile, 'utf8');
	const block = `# Approve a final review into a pull request: remove the "# " below. (From the remote origin.)
# forge:
#   provider: ${provider}
#   repository: ${repositoryName}
`;
	expect(text).toContain(block);
	expect((await load(root)).forge).toBeUndefined();
	const [words = '', ...lines] = block.split('\n# ');
	await writeFile(colonyFile, text.replace(block, [words, ...lines].join('\n')));
	const colony = await load(root);
	expect(colony.problems).toEqual([]);
	expect(colony.forge).toMatchObject({provider, repository: repositoryName, remote: 'origin'});
});

test('a fresh colony says nothing of a forge where its remote leads to no known one', async () => {
	for (const [index, origin] of [undefined, 'git@git.there:ada/hive.git', '/srv/hive.git'].entries()) {
		const root = await repository(`shop-${index}`, origin);
		expectAccepted(await init(root));
		expect(await readFile(path.join(root, '.hive/colony.yaml'), 'utf8')).not.toContain('forge');
	}
});

test('the slug is the folder without an origin, and "colony" if the folder has no letters', async () => {
	expect(expectAccepted(await init(await repository('My Shop'))).slug).toBe('my-shop');
	expect(expectAccepted(await init(await repository('___'))).slug).toBe('colony');
});

test('the machine-local directory names the checkout and is private', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root));
	const config = path.join(base, 'home/shop/config.yaml');
	expect(await readFile(config, 'utf8')).toBe(`colony_root: "${root}"\nslug: shop\n`);
	expect((await stat(config)).mode & 0o777).toBe(0o600);
	expect(await readFile(path.join(base, 'home/shop/place'), 'utf8')).toBe(`${'a'.repeat(16)}\n`);
});

test('another repository of the same name gets its own slug and its own directory', async () => {
	expectAccepted(await init(await repository('one/shop')));
	const root = await repository('two/shop');
	const {slug} = expectAccepted(await init(root));
	expect(slug).toMatch(/^shop-[0-9a-f]{8}$/);
	expect((await load(root)).slug).toBe(slug);
	expect(await readFile(path.join(base, 'home', slug, 'config.yaml'), 'utf8')).toContain(root);
});

test('a second checkout of a colony keeps slug, id and files, and gets its own directory', async () => {
	expectAccepted(await init(await repository('shop')));
	const root = await repository('clone');
	await mkdir(path.join(root, '.hive'));
	await writeFile(path.join(root, '.hive/colony.yaml'), 'id: ours\nslug: shop\n');
	const report = expectAccepted(await init(root));
	expect(report.slug).toBe('shop');
	expect(await readFile(path.join(root, '.hive/colony.yaml'), 'utf8')).toBe('id: ours\nslug: shop\n');
	expect(await readdir(path.join(root, '.hive'))).toEqual(['.gitignore', 'colony.yaml']);
	const [other] = (await readdir(path.join(base, 'home'))).filter(name => name !== 'shop');
	expect(other).toMatch(/^shop-[0-9a-f]{8}$/);
});

const idComment = '# Names this colony on a message bus; its clones have the same.';

test('init with another slug is refused while changes under the former slug await a person', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root));
	const colony = path.join(root, '.hive/colony.yaml');
	const text = await readFile(colony, 'utf8');
	const trust = path.join(base, 'home/shop/configuration/seen.json');
	await files.write(trust, '{"open": [], "texts": [], "waiting": []}\n');
	await writeFile(colony, text.replace('slug: shop', 'slug: other'));
	expect(await init(root)).toMatchObject({
		ok: false,
		refusal: {
			code: 'wrong_status',
			message: expect.stringContaining('"other"'),
			hint: expect.stringContaining('slug: shop'),
		},
	});
	expect(await files.list(path.join(base, 'home'))).toEqual(['shop']);
	await files.remove(trust);
	expect(expectAccepted(await init(root)).slug).toBe('other');
});

test('a fresh colony has an id of its slug and 8 random digits, in the line after the slug', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root));
	expect((await load(root)).id).toBe('shop-aaaaaaaa');
	const text = await readFile(path.join(root, '.hive/colony.yaml'), 'utf8');
	expect(text.startsWith(`slug: shop\n${idComment}\nid: shop-aaaaaaaa\n`)).toBe(true);
});

test.each([
	[
		'without a slug',
		'# ours\ndefaults: {energy_budget: 3}\n',
		`slug: shop\n${idComment}\nid: shop-aaaaaaaa\n# ours\ndefaults: {energy_budget: 3}\n`,
	],
	['without a slug, with an id', 'id: ours # fixed\n', 'slug: shop\nid: ours # fixed\n'],
	[
		'without an id',
		'# ours\nsectors: {}\nslug: store # fixed\n\n# mine\ndefaults: {energy_budget: 3}\n',
		`# ours\nsectors: {}\nslug: store # fixed\n${idComment}\nid: store-aaaaaaaa\n\n# mine\ndefaults: {energy_budget: 3}\n`,
	],
	['that ends with its slug', 'slug: store', `slug: store\n${idComment}\nid: store-aaaaaaaa`],
	['in one line', '{slug: store} # ours\n', '{ slug: store, id: store-aaaaaaaa } # ours\n'],
	['with an empty id', 'slug: store # ours\nid:\n', 'slug: store # ours\nid: store-aaaaaaaa\n'],
	[
		'whose slug leaves no room',
		`slug: ${'s'.repeat(64)}\n`,
		`slug: ${'s'.repeat(64)}\n${idComment}\nid: ${'s'.repeat(55)}-aaaaaaaa\n`,
	],
])('a colony.yaml %s gets its missing keys once and keeps the rest', async (_, before, after) => {
	const root = await repository('shop');
	await mkdir(path.join(root, '.hive'));
	const file = path.join(root, '.hive/colony.yaml');
	await writeFile(file, before);
	expect(expectAccepted(await init(root)).created).toContain('.hive/colony.yaml');
	expect(await readFile(file, 'utf8')).toBe(after);
	expect(expectAccepted(await init(root))).toMatchObject({created: []});
	expect(await readFile(file, 'utf8')).toBe(after);
});

test('init refuses a broken colony.yaml and writes nothing', async () => {
	const root = await repository('shop');
	await mkdir(path.join(root, '.hive'));
	for (const text of ['slug: [\n', 'slug: shop\nid: Mine\n', 'id: Mine\n']) {
		await writeFile(path.join(root, '.hive/colony.yaml'), text);
		expect(await init(root)).toMatchObject({ok: false, refusal: {code: 'invalid_config'}});
		expect(await readFile(path.join(root, '.hive/colony.yaml'), 'utf8')).toBe(text);
		expect(await readdir(path.join(root, '.hive'))).toEqual(['colony.yaml']);
	}
});

test('the bees of a fresh colony run the agent tool that is installed', async () => {
	const root = await repository('shop');
	const report = expectAccepted(await init(root, {installed: ['opencode', 'codex']}));
	expect(report).toMatchObject({agentTools: ['codex', 'opencode'], agent: 'codex'});
	expect((await load(root)).bees.get('builder')).toMatchObject({adapter: 'codex', params: {}});
});

test('--agent overrides the installed tool, and an unknown one is refused with the known names', async () => {
	const root = await repository('shop');
	expect(await init(root, {agent: 'clod'})).toMatchObject({
		ok: false,
		refusal: {code: 'usage', hint: expect.stringContaining('claude, codex')},
	});
	expect(expectAccepted(await init(root, {installed: ['codex'], agent: 'beta'})).agent).toBe('beta');
	expect((await load(root)).bees.get('builder')).toMatchObject({adapter: 'beta', params: {}});
});

test.each([
	['claude', 'claude', {}],
	['codex', 'codex', {}],
	['cursor-agent', 'alpha', {binary: 'cursor-agent'}],
	['gemini', 'gemini', {}],
	['opencode', 'opencode', {}],
	['pi', 'beta', {binary: 'pi'}],
])('bees for %s start it by adapter %s', async (agent, adapter, params) => {
	const root = await repository('shop');
	expectAccepted(await init(root, {agent}));
	expect((await load(root)).bees.get('builder')).toMatchObject({adapter, params});
	expect((await load(root)).problems).toEqual([]);
});

test('the scout and the guard of claude cannot edit files', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root, {agent: 'claude'}));
	const {bees} = await load(root);
	expect(['scout', 'builder', 'guard'].map(role => bees.get(role)?.params)).toEqual([
		{read_only: true},
		{},
		{read_only: true},
	]);
});

describe('the permissions of a fresh builder', () => {
	const builderOf = async (root: string) => (await load(root)).bees.get('builder');
	const earlier = (text: string) => text.replace(/# But it asks you before.*\npermissions:\n(?: .*\n)+/, '');

	test('let claude edit, read and run commands, and ask before it pushes or publishes', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root, {agent: 'claude'}));
		const permissions = (await builderOf(root))?.permissions;
		expect(permissions).toMatchObject({allow: ['edit', 'read', 'shell'], deny: []});
		expect(permissions?.ask).toEqual(
			expect.arrayContaining(['shell(git push *)', 'shell(sudo *)', 'shell(npm publish *)']),
		);
		expect(permissions?.ask.every(rule => /^shell\([a-z ]+ \*\)$/.test(rule))).toBe(true);
		expect((await load(root)).problems).toEqual([]);
		const {bees} = await load(root);
		for (const role of ['scout', 'guard']) expect(bees.get(role)?.permissions).toBeUndefined();
	});

	test.each(['alpha', 'beta', 'codex', 'cursor-agent', 'gemini', 'opencode', 'pi'])(
		'are not written for %s, which cannot ask',
		async agent => {
			const root = await repository('shop');
			expectAccepted(await init(root, {agent}));
			expect((await builderOf(root))?.permissions).toBeUndefined();
		},
	);

	test('come and go with the tool, and are not added to a builder of an earlier hive', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root, {agent: 'claude'}));
		const file = path.join(root, '.hive/bees/builder.yaml');
		const before = earlier(await readFile(file, 'utf8'));
		expect(before).not.toContain('permissions');
		await writeFile(file, before);
		expect(expectAccepted(await init(root, {agent: 'claude'})).retooled).toEqual([]);
		expect(await readFile(file, 'utf8')).toBe(before);
		expect(expectAccepted(await init(root, {agent: 'codex'})).retooled).toHaveLength(3);
		expect((await builderOf(root))?.permissions).toBeUndefined();
		expectAccepted(await init(root, {agent: 'claude'}));
		expect((await builderOf(root))?.permissions?.ask).toContain('shell(git push *)');
	});
});

test('the bees use adapter alpha if no tool is installed, and the doctor is the next step', async () => {
	const root = await repository('shop');
	expect(expectAccepted(await init(root))).toMatchObject({
		agent: 'alpha',
		agentTools: [],
		toolAdvice: noToolsMessage(),
		next: 'hive doctor',
	});
	expect(expectAccepted(await init(root, {installed: ['pi']})).toolAdvice).toEqual([]);
	expect((await load(root)).bees.get('builder')?.command).toBeUndefined();
});

test('with --acp the advice names ACP agents, and the builder says once that it asks', async () => {
	const root = await repository('shop');
	expect(expectAccepted(await init(root, {acp: true}))).toMatchObject({
		agent: 'claude',
		toolAdvice: noToolsMessage(acpTools),
	});
	const builder = await readFile(path.join(root, '.hive/bees/builder.yaml'), 'utf8');
	expect(builder).toContain('agent: claude\n# It asks before it acts.');
	expect(builder.match(/asks you/g)).toHaveLength(1);
	expect(builder).toContain('"hive question list".\npermissions:\n  allow: [edit, read, shell]\n  ask:\n');
});

describe('the checks of a fresh colony', () => {
	const tested = async () => {
		const root = await repository('shop');
		await writeFile(path.join(root, 'package.json'), '{"scripts":{"test":"node --test"}}');
		await writeFile(path.join(root, 'package-lock.json'), '{}');
		return root;
	};
	const textIn = (root: string) => readFile(path.join(root, '.hive/colony.yaml'), 'utf8');

	test('are the tests of the project, required, after the setup of its lockfile', async () => {
		const root = await tested();
		const {tests} = expectAccepted(await init(root, {verifies: true}));
		expect(tests).toEqual({
			...{command: ['npm', 'test'], file: 'package.json'},
			...{setup: [['npm', 'ci']], verifies: true},
		});
		expect(await load(root)).toMatchObject({
			verify: {commands: [['npm', 'test']], required: true},
			workspaces: {setup: [['npm', 'ci']]},
		});
	});

	test('are a comment with the reason where no person wanted them', async () => {
		const root = await tested();
		expectAccepted(await init(root, {unverified: '"npm test" failed with exit code 1'}));
		expect((await load(root)).verify).toBeUndefined();
		const text = await textIn(root);
		expect(text).toContain('# Not checked: "npm test" failed with exit code 1.');
		await writeFile(path.join(root, '.hive/colony.yaml'), text.replace(/^# (verify| {2}\w)/gm, '$1'));
		expect((await load(root)).verify).toMatchObject({commands: [['npm', 'test']], required: true});
	});

	test('are refused without a test command, and in a colony that is there', async () => {
		const root = await repository('shop');
		expect(await init(root, {verifies: true})).toMatchObject({
			...{ok: false, refusal: {code: 'wrong_status', message: expect.stringContaining('test command')}},
		});
		expect(await readdir(root)).toEqual(['.git']);
		expectAccepted(await init(root));
		expect(await init(root, {verifies: true})).toMatchObject({refusal: {code: 'wrong_status'}});
	});

	test('are not read through a link', async () => {
		const root = await repository('shop');
		await writeFile(path.join(base, 'elsewhere'), 'test:\n');
		await symlink(path.join(base, 'elsewhere'), path.join(root, 'Makefile'));
		expect(expectAccepted(await init(root)).tests).toBeUndefined();
	});

	test('come with a limit of money where the tool reports its cost', async () => {
		const [claude, codex] = [await repository('one'), await repository('two')];
		expectAccepted(await init(claude, {agent: 'claude'}));
		expectAccepted(await init(codex, {agent: 'codex'}));
		expect((await load(claude)).defaults.budget.maxCost).toBe(10);
		expect((await load(codex)).defaults.budget.maxCost).toBeUndefined();
	});
});

test('a dry run returns every file that init writes then, and writes none', async () => {
	const root = await repository('shop');
	const {files: planned = [], created} = expectAccepted(await init(root, {dryRun: true}));
	expect(await readdir(root)).toEqual(['.git']);
	expect(await readdir(base)).toEqual(['shop']);
	expect(planned.map(({path}) => path)).toEqual(expect.arrayContaining([...created]));
	expectAccepted(await init(root));
	for (const {path: name, text} of planned)
		if (!path.isAbsolute(name)) expect(await readFile(path.join(root, name), 'utf8')).toBe(text);
});

describe('containment', () => {
	const bees = async (root: string) =>
		new Map([...(await load(root)).bees].map(([role, {contain}]) => [role, contain?.mode]));

	test('is "auto" for the bees of a fresh colony that use an agent tool, and is not in colony.yaml', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root, {flow: 'ideation'}));
		expect(Object.fromEntries(await bees(root))).toEqual({
			...{builder: 'auto', guard: 'auto', scout: 'auto', drone: 'auto'},
		});
		expect(await readFile(path.join(root, '.hive/colony.yaml'), 'utf8')).not.toContain('contain');
	});

	test('stays off for the bees that an earlier hive wrote, whatever init does to them', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root, {agent: 'claude'}));
		for (const role of ['scout', 'builder', 'guard']) {
			const file = path.join(root, `.hive/bees/${role}.yaml`);
			const text = await readFile(file, 'utf8');
			await writeFile(file, text.replace(/# It reaches its workspace.*\ncontain: auto\n/, ''));
		}
		const off = {builder: undefined, guard: undefined, scout: undefined};
		expect(Object.fromEntries(await bees(root))).toEqual(off);
		expectAccepted(await init(root));
		expect(expectAccepted(await init(root, {agent: 'codex'})).retooled).toHaveLength(3);
		expect(expectAccepted(await init(root, {flow: 'ideation'})).differing).toEqual([]);
		expect(Object.fromEntries(await bees(root))).toEqual({...off, drone: 'auto'});
	});
});

describe('another agent tool for the bees of a colony', () => {
	test('writes the bees of init anew', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root, {agent: 'claude'}));
		const {retooled} = expectAccepted(await init(root, {agent: 'codex'}));
		expect(retooled.map(({path: file, from, to}) => [path.basename(file), from, to])).toEqual([
			['builder.yaml', 'claude', 'codex'],
			['guard.yaml', 'claude', 'codex'],
			['scout.yaml', 'claude', 'codex'],
		]);
		const fresh = await repository('fresh');
		expectAccepted(await init(fresh, {agent: 'codex'}));
		for (const bee of ['builder', 'guard', 'scout'])
			expect(await readFile(path.join(root, `.hive/bees/${bee}.yaml`), 'utf8')).toBe(
				await readFile(path.join(fresh, `.hive/bees/${bee}.yaml`), 'utf8'),
			);
		expect(expectAccepted(await init(root, {agent: 'codex'})).retooled).toEqual([]);
	});

	test('keeps what a person wrote, without what belongs to the earlier tool', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root, {agent: 'claude'}));
		const file = path.join(root, '.hive/bees/builder.yaml');
		const before = await readFile(file, 'utf8');
		const own = before.replace('timeout: 2h', 'timeout: 3h # long builds\nparams: {model: opus}');
		await writeFile(file, own);
		expectAccepted(await init(root, {agent: 'cursor-agent'}));
		const builder = (await load(root)).bees.get('builder');
		expect(builder).toMatchObject({adapter: 'alpha', timeout: 3 * 60 * 60_000});
		expect(builder?.params).toEqual({binary: 'cursor-agent'});
		expect(await readFile(file, 'utf8')).toContain('# long builds');
	});

	test('leaves scripts and bees with a command alone', async () => {
		const root = await repository('shop');
		expectAccepted(await init(root, {agent: 'claude'}));
		const [script, own] = ['adapter: script\ncommand: [true]\n', 'adapter: claude\ncommand: [mine]\n'];
		await writeFile(path.join(root, '.hive/bees/builder.yaml'), script);
		await writeFile(path.join(root, '.hive/bees/guard.yaml'), own);
		const {retooled} = expectAccepted(await init(root, {agent: 'codex'}));
		expect(retooled.map(({path: file}) => path.basename(file))).toEqual(['scout.yaml']);
	});
});

test('the next init completes an init that was interrupted', async () => {
	const root = await repository('shop');
	expectAccepted(await init(root));
	await rm(path.join(root, '.hive/colony.yaml'));
	await rm(path.join(root, '.hive/bees/guard.yaml'));
	const report = expectAccepted(await init(root));
	expect(report.created).toEqual(['.hive/bees/guard.yaml', '.hive/colony.yaml']);
});

describe('new configuration that makes git run or read something', () => {
	const planted = async () => {
		const root = await repository('shop');
		await run('git', ['-C', root, 'config', 'filter.mine.clean', 'cat']);
		expect(expectAccepted(await init(root)).accepted).toEqual([
			{path: 'filter.mine.clean', message: 'new: cat'},
		]);
		await run('git', ['-C', root, 'config', 'filter.evil.clean', 'touch RAN; cat']);
		await run('git', ['-C', root, 'config', 'filter.mine.clean', 'tee RAN']);
		await writeFile(path.join(root, '.git/hooks/post-commit'), '#!/bin/sh\n');
		return root;
	};
	const fresh = [
		{path: 'filter.mine.clean', message: 'changed: tee RAN'},
		{path: 'filter.evil.clean', message: 'new: touch RAN; cat'},
		{path: 'hooks/post-commit', message: 'new'},
	];
	const acceptedNow = () => readFile(path.join(base, 'home/shop/git-accepted.json'), 'utf8');

	test('is listed, and init refuses it and changes nothing until a person accepts it', async () => {
		const root = await planted();
		const before = await acceptedNow();
		const colony = await readFile(path.join(root, '.hive/colony.yaml'), 'utf8');
		// Another slug has another folder of this machine, where nothing is accepted yet.
		await writeFile(path.join(root, '.hive/colony.yaml'), colony.replace('slug: shop', 'slug: other'));
		for (const refused of [await init(root), await init(root, {flow: 'ideation', accepts: []})])
			expect(refused).toMatchObject({ok: false, refusal: {code: 'programs_new', details: fresh}});
		expect(await acceptedNow()).toBe(before);
		expect(await readdir(path.join(base, 'home'))).toEqual(['shop']);
	});

	test('is accepted exactly as it was shown, or by accepting everything', async () => {
		const root = await planted();
		const shown = await init(root);
		const details = shown.ok ? [] : shown.refusal.details;
		await run('git', ['-C', root, 'config', 'core.sshCommand', 'evil']);
		expect(await init(root, {accepts: details})).toMatchObject({ok: false});
		await run('git', ['-C', root, 'config', '--unset', 'core.sshCommand']);
		expect(expectAccepted(await init(root, {accepts: details})).accepted).toEqual(fresh);
		expect(expectAccepted(await init(root)).accepted).toEqual([]);
		await run('git', ['-C', root, 'config', 'core.sshCommand', 'mine']);
		expect(expectAccepted(await init(root, {accepts: 'all'})).accepted).toMatchObject([
			{path: 'core.sshcommand'},
		]);
	});

	test('needs no acceptance after it is removed, and is new if it returns', async () => {
		const root = await planted();
		expectAccepted(await init(root, {accepts: 'all'}));
		await run('git', ['-C', root, 'config', '--unset', 'filter.evil.clean']);
		expectAccepted(await init(root));
		await run('git', ['-C', root, 'config', 'filter.evil.clean', 'touch RAN; cat']);
		expect(await init(root)).toMatchObject({ok: false, refusal: {code: 'programs_new'}});
	});
});
