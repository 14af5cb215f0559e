import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {diagnose} from '../../source/actions/diagnose.ts';
import type {Examined} from '../../source/actions/doctor/machine-rule.ts';
import {machineRules} from '../../source/actions/doctor/machine-rules.ts';
import type {MachineSurvey, SurveyContext} from '../../source/actions/doctor/survey.ts';
import {acpTools, noToolsMessage} from '../../source/colony/agent-tools.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createGit} from '../../source/drivers/git.ts';
import {findExecutable} from '../../source/drivers/processes/which.ts';
import {openRawFile} from '../../source/drivers/sqlite-bus/raw-log.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import type {EventStore, ServerReport, StoreProbe} from '../../source/ports/event-store.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, createEvent, item, planOf, reduceAll, statusOf, traceId} from '../helpers/events.ts';
import {createRepository, hashFiles} from '../helpers/repository.ts';

const machine: MachineSurvey = {
	folder: '/home/hive/shop',
	isKnown: true,
	problems: [],
	warnings: [],
	bot: undefined,
	forge: undefined,
	others: [],
	store: {state: 'sound'},
	location: '/home/hive/shop/events.sqlite',
	isWorkedOn: () => true,
	reactorProblems: [],
	missingInLog: undefined,
	traces: new Map(),
	places: [],
	mains: [],
	unshared: undefined,
};

const serverWith = (log: {readonly clockSkew: number; readonly replicas: number}): ServerReport => ({
	version: '2.9.10',
	log: {stream: 'HIVE_shop_EVENTS', events: 1, bytes: 300, last: 1, consumers: 0, ...log},
	buckets: [],
	otherColonies: [],
});

const healthy: Examined = {
	root: '/repo',
	gitVersion: 'git version 2.39.5',
	hasPerl: true,
	containment: {can: true, by: 'bubblewrap'},
	hasCommit: true,
	unusable: undefined,
	checkoutNotes: [],
	foreignHive: undefined,
	gitLocks: [],
	worktrees: [],
	settings: {},
	machine,
	colony: undefined,
	missingPrograms: new Set(),
};

/** Returns the findings of the machine rules, as `rule level path: message`. */
const found = (examined: Partial<Examined>): string[] =>
	machineRules.flatMap(({id, level, check}) =>
		check({...healthy, ...examined}).map(({path, message}) => `${id} ${level} ${path}: ${message}`),
	);

const onMachine = (more: Partial<MachineSurvey>): Partial<Examined> => ({machine: {...machine, ...more}});
const ready = new Map([[traceId, reduceAll(planOf(item('a')))]]);
const merging = reduceAll(
	planOf({...item('last'), review: 'final'}),
	statusOf('last', 'waiting_review'),
	createEvent('SIGNAL', {kind: 'merge.started', taskId: 'last', tree: 'abc', by: 'human'}),
);

describe('the checks of the machine', () => {
	it('find nothing on a healthy machine', () => {
		expect(found({})).toEqual([]);
	});

	it.each<[string, Partial<Examined>, string]>([
		['no perl', {hasPerl: false}, 'perl error perl: is not on PATH'],
		['no git', {gitVersion: ''}, 'git-version error git: cannot be started'],
		[
			'an old git',
			{gitVersion: 'git version 2.37.1'},
			'git-version error git: git version 2.37.1 is too old',
		],
		[
			'an unknown checkout',
			onMachine({isKnown: false}),
			'checkout-known error /home/hive/shop: /repo is not registered',
		],
		[
			'a broken machine file',
			onMachine({problems: [{path: '/home/hive/shop/config.yaml:1', message: 'no'}]}),
			'machine-files error /home/hive/shop/config.yaml:1: no',
		],
		[
			'a command of this machine with a backslash that escapes',
			onMachine({warnings: [{path: '/home/hive/shop/config.yaml:3', message: 'a backslash'}]}),
			'machine-commands-escape advisory /home/hive/shop/config.yaml:3: a backslash',
		],
		[
			'a log that does not open',
			onMachine({store: {state: 'broken', reason: 'file is not a database'}}),
			'store error /home/hive/shop/events.sqlite: file is not a database',
		],
		[
			'a log that lacks what it had',
			onMachine({missingInLog: 'it ends at event 3'}),
			'log-whole error /home/hive/shop/events.sqlite: it ends at event 3',
		],
		['a log of a newer hive', onMachine({store: {state: 'newer'}}), 'store error'],
		['no commit', {hasCommit: false}, 'first-commit warning /repo: there is no commit yet'],
		[
			'a bus that is away',
			onMachine({location: 'there:4222', store: {state: 'away', message: 'It is away.', hint: 'Start it.'}}),
			'bus-reached error there:4222: It is away.',
		],
		[
			'a bus with another time',
			onMachine({
				location: 'there:4222',
				store: {state: 'sound', server: serverWith({clockSkew: -5000, replicas: 3})},
			}),
			'bus-clock warning there:4222: its clock is 5.0 s behind',
		],
		[
			'a bot whose token is refused',
			onMachine({bot: {state: 'refused', path: '/home/hive/shop/chat.yaml', host: 'api.there'}}),
			'chat-token error /home/hive/shop/chat.yaml: api.there does not accept the bot token',
		],
		[
			'a bot whose messages a webhook takes',
			onMachine({bot: {state: 'webhook', path: '/home/hive/shop/chat.yaml', host: 'api.there'}}),
			'chat-heard error /home/hive/shop/chat.yaml: a webhook receives the messages',
		],
		[
			'a platform that nobody reaches',
			onMachine({bot: {state: 'away', path: '/home/hive/shop/chat.yaml', host: 'api.there'}}),
			'chat-reached warning /home/hive/shop/chat.yaml: no Bot API answers at api.there',
		],
		[
			'a platform in trouble',
			onMachine({bot: {state: 'away', status: 502, path: '/home/hive/shop/chat.yaml', host: 'api.there'}}),
			'chat-reached warning /home/hive/shop/chat.yaml: api.there answers 502',
		],
		[
			'a bus that a power cut could harm',
			onMachine({
				location: 'there:4222',
				store: {state: 'sound', server: serverWith({clockSkew: 500, replicas: 1})},
			}),
			'bus-durable advisory there:4222: nats-server 2.9.10 acknowledges events before',
		],
		['another hive', {foreignHive: '/usr/bin/hive'}, 'own-hive warning /usr/bin/hive: is another program'],
		['a lock of git', {gitLocks: ['.git/index.lock']}, 'git-locks warning .git/index.lock'],
		[
			'a merge that was interrupted',
			onMachine({isWorkedOn: () => false, traces: new Map([[traceId, merging]])}),
			`merge-interrupted warning ${traceId}: its merge for last`,
		],
		['a worktree of nobody', {worktrees: ['x']}, 'worktree-trace warning .hive/worktrees/x'],
		[
			'another checkout',
			onMachine({others: [{folder: '/home/hive/shop-1', id: 'x', root: '/other', isThere: true}]}),
			'other-checkouts advisory /home/hive/shop-1: /other is a checkout of this colony too',
		],
		[
			'a checkout that is gone',
			onMachine({others: [{folder: '/home/hive/shop-1', id: 'x', root: '/other', isThere: false}]}),
			'other-checkouts advisory /home/hive/shop-1: its checkout /other is gone',
		],
		[
			'work that nobody does',
			onMachine({isWorkedOn: () => false, traces: ready}),
			'reactor advisory /home/hive/shop: 1 task is ready and nothing starts them',
		],
		[
			'work that a reactor for another trace leaves',
			onMachine({isWorkedOn: id => id !== traceId, traces: ready}),
			'reactor advisory /home/hive/shop: 1 task is ready and nothing starts them',
		],
	])('find %s', (_, examined, expected) => {
		const [only = '', ...more] = found(examined);
		expect(only).toContain(expected);
		expect(more).toEqual([]);
	});

	it('report a missing program as an error only if a ready task waits for it', async () => {
		const colony = await colonyFrom({'bees/builder.yaml': 'adapter: alpha\n'});
		const missing = {colony, missingPrograms: new Set(['alpha'])};
		expect(found({...missing, ...onMachine({traces: ready})})[0]).toContain(
			`program-awaited error .hive/bees/builder.yaml: a of ${traceId} is ready and needs "alpha"`,
		);
		const running = new Map([[traceId, reduceAll(planOf(item('a')), claimOf('run1', 'a'))]]);
		expect(found({...missing, ...onMachine({traces: running})})).toEqual([]);
	});

	it('warn of an API key on the command line of beta if a bee uses beta', async () => {
		const settings = {alpha: {apiKeyEnv: 'A_KEY'}, beta: {apiKeyEnv: 'B_KEY'}};
		const beta = await colonyFrom({'bees/tester.yaml': 'adapter: beta\n'});
		expect(found({settings, colony: beta})).toEqual([
			'key-in-argv warning /home/hive/shop/adapters/beta.yaml: beta takes the API key in "B_KEY" as --api-key: every user of this machine can read it while tester runs',
		]);
		expect(found({settings: {alpha: settings.alpha}, colony: beta})).toEqual([]);
		for (const bee of ['adapter: alpha\n', 'adapter: beta\ncommand: [own, $PROMPT]\n'])
			expect(found({settings, colony: await colonyFrom({'bees/tester.yaml': bee})})).toEqual([]);
	});

	it('name the bees that require or ask for containment where there is none', async () => {
		const containment = {can: false, why: 'there is no bwrap on PATH', hint: 'Install it.'} as const;
		const bee = (more: string) => `adapter: script\ncommand: [make]\n${more}`;
		const colony = await colonyFrom({
			'bees/one.yaml': bee('contain: required\n'),
			'bees/two.yaml': bee('contain: {network: none}\n'),
			'bees/three.yaml': bee('contain: off\n'),
			'bees/four.yaml': bee(''),
		});
		expect(found({containment, colony})).toEqual([
			'contain-required error .hive/bees/one.yaml: its runs fail, since it requires containment, and there is no bwrap on PATH',
			'contain-auto warning .hive/bees/two.yaml: its runs are not contained, since there is no bwrap on PATH',
		]);
		expect(found({colony})).toEqual([]);
	});

	it('report no worktrees if the log could not be read', () => {
		expect(found({worktrees: ['x'], ...onMachine({traces: undefined})})).toEqual([]);
	});
});

/** Creates a colony on disk with a machine folder beside it. */
const survey = async (files: Readonly<Record<string, string>>, more: Partial<SurveyContext> = {}) => {
	const repository = await createRepository({'.hive/colony.yaml': 'slug: shop\n', ...files});
	const {root, write} = repository;
	await write('.home/shop/config.yaml', `colony_root: ${root}\nslug: shop\n`);
	await write('.home/shop/place', 'here\n');
	const context: SurveyContext = {
		files: createFiles(),
		git: createGit(),
		containment: {probe: async () => ({can: true, by: 'bubblewrap'})},
		processes: {which: name => findExecutable(name, '/usr/bin:/bin')},
		root,
		home: join(root, '.home'),
		folderOf: slug => join(root, '.home', slug),
		storeIn: folder => storeIn(folder, {state: 'absent'}),
		reactor: async () => ({isWorkedOn: () => false, problems: []}),
		places: async () => [],
		foreignHive: async () => undefined,
		tryBot: async () => ({state: 'well'}),
		tryForge: async () => ({state: 'no_token'}),
		env: {},
		...more,
	};
	const findings = async () =>
		expectAccepted(await diagnose(context)).findings.map(({rule, level, path}) => `${level} ${rule} ${path}`);
	return {...repository, context, findings};
};

const storeIn = (folder: string, probed: StoreProbe): EventStore => {
	const location = join(folder, 'events.sqlite');
	return {
		location,
		probe: async () => probed,
		open: () => openSqliteBus({file: location, clock: createSystemClock()}),
		openRaw: () => openRawFile(location, createSystemClock()),
	};
};

const builder = 'adapter: script\ncommand: [sh, work.sh]\n';

describe('hive doctor', () => {
	it('finds nothing in a healthy colony', async () => {
		const {findings} = await survey({'.hive/bees/builder.yaml': builder});
		expect(await findings()).toEqual([]);
	});

	it('calls the platform of a bot only if chat.yaml enables a bot', async () => {
		const asked: object[] = [];
		const tryBot: SurveyContext['tryBot'] = async bot => {
			asked.push(bot);
			return {state: 'refused'};
		};
		const {findings, write} = await survey({'.hive/bees/builder.yaml': builder}, {tryBot});
		const chat = 'bot_token: "1:x"\napi_root: https://user:pass@api.there:8081/x/\n';
		for (const yaml of [
			'',
			`enabled: false\n${chat}`,
			'enabled: true\nwebhook: {url: "http://a", secret: s}\n',
		]) {
			await write('.home/shop/chat.yaml', yaml, 0o600);
			expect(await findings()).toEqual([]);
		}
		expect(asked).toEqual([]);
		await write('.home/shop/chat.yaml', `enabled: true\n${chat}`, 0o600);
		expect(await findings()).toEqual([expect.stringMatching(/^error chat-token .*chat.yaml$/)]);
		expect(asked).toEqual([{token: '1:x', apiRoot: 'https://user:pass@api.there:8081/x'}]);
	});

	it('reports every problem at once, errors first', async () => {
		const {findings, write} = await survey({
			'.hive/bees/builder.yaml': `${builder}publishes: [{type: MUTATION, kind: code.proposal}]\n`,
			'.hive/bees/broken.yaml': 'adapter: gamma\n',
		});
		await write('.git/index.lock', '');
		await write('.home/shop-0123abcd/config.yaml', 'colony_root: /gone\nslug: shop\n');
		expect(await findings()).toEqual([
			'error files-read .hive/bees/broken.yaml:1',
			'error publish-mismatch .hive/bees/builder.yaml',
			'warning git-locks .git/index.lock',
			'warning files-plain .hive/bees/builder.yaml:3',
			expect.stringMatching(/^advisory other-checkouts .*shop-0123abcd$/),
		]);
	});

	it('reports an unreadable colony.yaml and still checks the machine', async () => {
		const {findings} = await survey(
			{'.hive/colony.yaml': 'slug: [no\n'},
			{foreignHive: async () => '/opt/hive'},
		);
		expect(await findings()).toEqual([
			expect.stringMatching(/^error files-read \.hive\/colony\.yaml:\d/),
			'warning own-hive /opt/hive',
		]);
	});

	it.each([
		[{}, 'nats: {url: nats://file}\n', 'file:4222'],
		[{env: {HIVE_BUS_URL: 'nats://environment'}}, 'nats: {url: nats://file}\n', 'environment:4222'],
	])('looks for the log on the configured bus, with the environment first', async (...given) => {
		const [more, text, address] = given;
		const asked: unknown[] = [];
		const {root, context, write} = await survey(
			{'.hive/bees/builder.yaml': builder},
			{
				...more,
				storeIn: (folder, bus) => {
					asked.push(bus?.shown);
					return storeIn(folder, {state: 'away', message: 'It is away.', hint: 'Start it.'});
				},
			},
		);
		await write('.home/shop/config.yaml', `colony_root: ${root}\nslug: shop\n${text}`);
		expect(expectAccepted(await diagnose(context)).findings).toMatchObject([
			{rule: 'bus-reached', level: 'error'},
		]);
		expect(asked).toEqual([address]);
	});

	it('reports invalid terminal settings of this machine', async () => {
		const {findings, write} = await survey({'.hive/bees/builder.yaml': builder});
		await write('.home/shop/terminal.yaml', 'detach_key: enter\n');
		expect(await findings()).toEqual([expect.stringMatching(/^error machine-files .*terminal\.yaml:1$/)]);
	});

	it('is refused outside a colony', async () => {
		const {context, remove} = await survey({});
		await remove('.hive/colony.yaml');
		expect(await diagnose(context)).toMatchObject({ok: false, refusal: {code: 'no_colony'}});
	});

	it('looks for the program that the adapter settings of this machine name', async () => {
		const bees = {
			'.hive/bees/builder.yaml': 'adapter: alpha\nprompt_template: b.md\n',
			'.hive/prompts/b.md': 'Go.\n',
		};
		const {findings, write} = await survey(bees);
		expect(await findings()).toEqual(['warning program-found .hive/bees/builder.yaml']);
		await write('.home/shop/adapters/alpha.yaml', 'binary: sh\n');
		expect(await findings()).toEqual([]);
	});

	it('explains how to install an agent tool if none is installed and a bee needs one', async () => {
		const advice = async (bee: string, installed: readonly string[] = []) => {
			const which = async (name: string) => (installed.includes(name) ? `/usr/bin/${name}` : undefined);
			const {context} = await survey({'.hive/bees/builder.yaml': bee}, {processes: {which}});
			return expectAccepted(await diagnose(context)).toolAdvice;
		};
		expect(await advice('adapter: claude\n')).toEqual(noToolsMessage());
		expect(await advice('adapter: claude\n', ['codex'])).toEqual([]);
		expect(await advice('adapter: script\ncommand: [make]\n')).toEqual([]);
		expect(await advice('adapter: acp\nagent: codex\n')).toEqual(noToolsMessage(acpTools));
		expect(await advice('adapter: acp\nagent: codex\n', ['pi-acp'])).toEqual([]);
	});

	it('resolves the path of a script against the folder where the bee works', async () => {
		const {findings, root} = await survey({
			'.hive/bees/builder.yaml': 'adapter: script\ncommand: [./tools/work.sh]\n',
			'tools/work.sh': '#!/bin/sh\n',
		});
		expect(await findings()).toEqual(['warning program-found .hive/bees/builder.yaml']);
		await chmod(join(root, 'tools/work.sh'), 0o755);
		expect(await findings()).toEqual([]);
	});

	it('finds worktrees that belong to no trace of the log', async () => {
		const {findings, write, root} = await survey(
			{'.hive/bees/builder.yaml': builder},
			{storeIn: folder => storeIn(folder, {state: 'sound'})},
		);
		const bus = await storeIn(join(root, '.home/shop'), {state: 'sound'}).open();
		await bus.append(planOf(item('a')), {id: '1'});
		await bus.close();
		await write(`.hive/worktrees/${traceId}/x`, '');
		await write('.hive/worktrees/stray/x', '');
		expect(await findings()).toEqual([
			'warning worktree-trace .hive/worktrees/stray',
			expect.stringContaining('advisory reactor'),
		]);
	});

	it('changes no file', async () => {
		const {findings, root} = await survey({'.hive/bees/builder.yaml': builder});
		const before = await hashFiles(root);
		await findings();
		expect(await hashFiles(root)).toEqual(before);
	});
});
