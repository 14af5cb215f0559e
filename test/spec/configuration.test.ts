import {describe, expect, it} from 'vitest';
import {busSettings} from '../../source/colony/bus-settings.ts';
import {parseBeeYaml} from '../../source/colony/parse/bee.ts';
import {parseColonyYaml} from '../../source/colony/parse/colony.ts';
import {parseCueYaml} from '../../source/colony/parse/cue.ts';
import {parseAdapterYaml, parseMachineYaml} from '../../source/colony/parse/machine.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';
import {checkColony} from '../../source/colony/rules.ts';
import {ignoredPaths} from '../../source/colony/scaffold/scaffold.ts';
import {colonyFrom} from '../colony/sample-colony.ts';

const bee = (text: string) => parseBeeYaml('.hive/bees/maker.yaml', readYaml(text)).value;
const colony = (text: string) => parseColonyYaml('.hive/colony.yaml', readYaml(text)).value;
const machine = (text: string) =>
	parseMachineYaml('config.yaml', readYaml(`colony_root: /r\nslug: s\n${text}`)).value;

describe('Configuration: .hive/colony.yaml', () => {
	it.each([
		['slug', 'slug: shop', {slug: 'shop'}],
		['sectors', 'slug: s\nsectors: {web: packages/web}', {sectors: new Map([['web', 'packages/web']])}],
		[
			'defaults.energy_budget',
			'slug: s\ndefaults: {energy_budget: 3}',
			{defaults: {budget: {energyBudget: 3}}},
		],
		['defaults.energy_budget, 12 unless set', 'slug: s', {defaults: {budget: {energyBudget: 12}}}],
		['defaults.default_bee', 'slug: s\ndefaults: {default_bee: mason}', {defaults: {defaultBee: 'mason'}}],
		['defaults.default_bee, builder unless set', 'slug: s', {defaults: {defaultBee: 'builder'}}],
	])('the setting is read: %s', (_, text, expected) => {
		expect(colony(text)).toMatchObject(expected);
	});

	it.each([
		['0', 0],
		['16MiB', 16 * 1024 * 1024],
		['1.5GiB', undefined],
		['512KiB', undefined],
		['many', undefined],
		['-1MiB', undefined],
	])('defaults.session_recording: %s', (size, bytes) => {
		const text = `slug: s\ndefaults: {session_recording: ${size}}`;
		expect(colony(text)?.defaults.sessionRecording).toBe(bytes);
		expect(colony(text) === undefined).toBe(bytes === undefined);
	});

	it('energy_budget must be a whole number', () => {
		expect(colony('slug: s\ndefaults: {energy_budget: many}')).toBeUndefined();
	});
});

describe('Configuration: .hive/bees/<name>.yaml', () => {
	it.each([
		['role', 'role: mason', {role: 'mason'}],
		[
			'role, the name of the file unless set, and adapter, alpha unless set',
			'worktree: false',
			{role: 'maker', adapter: 'alpha'},
		],
		['adapter: beta', 'adapter: beta', {adapter: 'beta'}],
		['adapter: script', 'adapter: script\ncommand: "true"', {adapter: 'script'}],
		['command as a string', 'command: run "a b" c', {command: ['run', 'a b', 'c']}],
		['command as a list', 'command: [run, a b]', {command: ['run', 'a b']}],
		['params', 'params: {model: m}', {params: {model: 'm'}}],
		['prompt_template', 'prompt_template: do.md', {promptTemplate: 'do.md'}],
		['system_template', 'system_template: sys.md', {systemTemplate: 'sys.md'}],
		['run_summary: disabled', 'run_summary: disabled', {runSummary: 'disabled'}],
		[
			'completion_contract',
			'completion_contract: {required: [{type: INSIGHT, kind_one_of: [task.plan], count: 1}]}',
			{completionContract: [{type: 'INSIGHT', kindOneOf: ['task.plan'], count: 1}]},
		],
		['worktree, false unless set', 'role: maker', {worktree: false}],
		['worktree', 'worktree: true', {worktree: true}],
		[
			'subscribes with type, kind and dispatch',
			'subscribes: [{type: SIGNAL, kind: feature.requested, dispatch: direct}]',
			{subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}]},
		],
		[
			'publishes, where bare code.proposal is the isolated kind',
			'publishes: [{type: MUTATION, kind: code.proposal}]',
			{publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}]},
		],
	])('the setting is read: %s', (_, text, expected) => {
		expect(bee(text)).toMatchObject(expected);
	});
});

describe('Configuration: the other files', () => {
	it('.hive/cues/<id>.yaml: defines a named shortcut with its own energy_budget', () => {
		const {value} = parseCueYaml(
			'.hive/cues/fix.yaml',
			readYaml('emit: signal\ntype: SIGNAL\nkind: feature.requested\nenergy_budget: 3\n'),
		);
		expect(value).toMatchObject({id: 'fix', kind: 'feature.requested', energyBudget: 3});
	});

	it.each([
		['bus.url', 'bus: {url: "nats://b:4222"}\n', 'nats://b:4222'],
		['nats.url, read as bus.url', 'nats: {url: "nats://n:4222"}\n', 'nats://n:4222'],
	])('config.yaml: sets the bus address by %s', (_, text, url) => {
		expect(machine(text)?.bus?.url).toBe(url);
	});

	it('HIVE_BUS_URL: overrides bus.url if it is not empty', () => {
		const known = machine('bus: {url: "nats://b:4222"}\n');
		expect(busSettings({HIVE_BUS_URL: 'nats://e:4222'}, known)).toMatchObject({value: {shown: 'e:4222'}});
		expect(busSettings({HIVE_BUS_URL: ''}, known)).toMatchObject({value: {shown: 'b:4222'}});
		expect(busSettings({}, machine(''))).toEqual({ok: true, value: undefined});
	});

	it('adapters/beta.yaml: has the optional settings binary and api_key_env', () => {
		expect(parseAdapterYaml('beta.yaml', readYaml('binary: b2\napi_key_env: KEY\n')).value).toEqual({
			binary: 'b2',
			apiKeyEnv: 'KEY',
		});
		expect(machine('')?.adapters).toEqual({});
	});

	it('.hive/.gitignore: lists worktrees, runs, local overlays and cache', () => {
		expect(ignoredPaths).toEqual(['worktrees/', 'runs/', '*.local.yaml', 'cache/']);
	});
});

describe('hive doctor', () => {
	const find = async (files: Record<string, string>) => {
		const colony = await colonyFrom({
			'bees/builder.yaml': 'adapter: script\ncommand: "true"\n',
			...files,
		});
		return checkColony(colony, {missingPrograms: new Set(), missingFolders: new Set()})
			.filter(({level}) => level === 'error')
			.map(({rule}) => rule);
	};

	it.each([
		[
			'a bee whose worktree does not match its proposal kind',
			{
				'bees/x.yaml':
					'adapter: script\ncommand: x\nworktree: true\npublishes: [{type: MUTATION, kind: code.proposal.root}]\n',
			},
			'publish-mismatch',
		],
		[
			'a final review by a bee that publishes root proposals',
			{
				'bees/builder.yaml':
					'adapter: script\ncommand: x\npublishes: [{type: MUTATION, kind: code.proposal.root}]\n',
				'cues/x.yaml': 'emit: task\nbee: builder\nreview: final\n',
			},
			'review-final-root',
		],
		['a script bee without a command', {'bees/x.yaml': 'adapter: script\n'}, 'files-read'],
		[
			'a sector that the colony does not have',
			{'bees/x.yaml': 'adapter: script\ncommand: x\nsector: moon\n'},
			'sector-known',
		],
	])('reports %s as an error', async (_, files, rule) => {
		expect(await find({})).toEqual([]);
		expect(await find(files)).toContain(rule);
	});
});
