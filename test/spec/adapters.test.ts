import {describe, expect, it} from 'vitest';
import {startOf} from '../../source/agents/adapter.ts';
import {agentEnvironment, apiKeyOf} from '../../source/agents/environment.ts';
import type {Invocation} from '../../source/agents/invocation.ts';
import type {AdapterName, Bee} from '../../source/colony/colony.ts';
import {parseBeeYaml} from '../../source/colony/parse/bee.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {sampleInvocation} from '../agents/invocation.ts';

const argvOf = (
	adapter: AdapterName,
	bee: Partial<Bee>,
	changes: Partial<Omit<Invocation, 'bee'>> = {},
): string => expectAccepted(startOf(sampleInvocation({adapter, ...bee}, changes))).argv.join(' ');

type Row = readonly [
	row: string,
	bee: Partial<Bee>,
	changes: Partial<Omit<Invocation, 'bee'>>,
	has: string,
	hasNot?: string,
];

const alpha: readonly Row[] = [
	[
		'command: is the whole argv, params without effect',
		{command: ['tool', '$PROMPT'], params: {model: 'm'}},
		{},
		'tool Do it.',
		'--model',
	],
	['the workspace: --workspace', {}, {workspace: '/w'}, '--workspace /w'],
	['the prompt: the last argument', {}, {prompt: 'Say hello'}, ' Say hello'],
	[
		'a system template: joined with the task text by a newline',
		{},
		{system: 'Be brief.'},
		'Be brief.\nDo it.',
	],
	['params.model: --model', {params: {model: 'm'}}, {}, '--model m'],
	['params.trust: on by default', {}, {}, '--trust'],
	['params.trust: false leaves it out', {params: {trust: false}}, {}, '--force', '--trust'],
	['params.force: on by default', {}, {}, '--force'],
	['params.force: false leaves it out', {params: {force: false}}, {}, '--trust', '--force'],
	['params.output_format: stream-json by default', {}, {}, '--output-format stream-json'],
	['params.output_format: as given', {params: {output_format: 'json'}}, {}, '--output-format json'],
	['params.mode: plan', {params: {mode: 'plan'}}, {}, '--plan'],
	['an API key from the home file: no argument', {}, {apiKey: 'K'}, 'alpha -p', 'K'],
	[
		'the base invocation: the tool with -p and no worktree flag of its own',
		{},
		{},
		'alpha -p ',
		'--worktree',
	],
];

const beta: readonly Row[] = [
	[
		'command: is the whole argv',
		{command: ['tool', '$PROMPT'], params: {model: 'm'}},
		{},
		'tool Do it.',
		'--model',
	],
	['the prompt: the last argument', {}, {prompt: 'Say hello'}, ' Say hello'],
	['params.model: --model', {params: {model: 'm*'}}, {}, '--model m*'],
	['params.provider: --provider', {params: {provider: 'p'}}, {}, '--provider p'],
	['params.thinking: --thinking', {params: {thinking: 'high'}}, {}, '--thinking high'],
	['params.output_format: text', {params: {output_format: 'text'}}, {}, '--mode text'],
	['params.output_format: json', {params: {output_format: 'json'}}, {}, '--mode json'],
	['params.output_format: rpc', {params: {output_format: 'rpc'}}, {}, '--mode rpc'],
	['params.output_format: anything else is json', {params: {output_format: 'xml'}}, {}, '--mode json'],
	['params.output_format: nothing is json', {}, {}, '--mode json'],
	['params.plan: --plan', {params: {plan: true}}, {}, '--plan'],
	['params.binary: the program', {params: {binary: 'b2'}}, {}, 'b2 -p'],
	['an API key: --api-key', {}, {apiKey: 'K'}, '--api-key K'],
	['the workspace: the working directory, no argument', {}, {workspace: '/w'}, 'beta -p', '/w'],
	['trust and force: ignored', {params: {trust: true, force: true}}, {}, 'beta -p', '--trust'],
];

for (const [adapter, rows] of [
	['alpha', alpha],
	['beta', beta],
] as const)
	describe(`Adapter ${adapter}`, () => {
		for (const [row, bee, changes, has, hasNot] of rows)
			it(row, () => {
				const line = argvOf(adapter, bee, changes);
				expect(line).toContain(has);
				if (hasNot !== undefined) expect(line).not.toContain(hasNot);
			});
	});

describe('Adapter keys', () => {
	it('alpha: ALPHA_API_KEY reaches the tool through its environment, not its arguments', () => {
		expect(environmentOf({adapter: 'alpha'}, {ALPHA_API_KEY: 'K'}).ALPHA_API_KEY).toBe('K');
		expect(apiKeyOf('alpha', {}, {ALPHA_API_KEY: 'K'})).toBeUndefined();
	});

	it('beta: api_key_env names the variable that is passed if it is set, and no other variable is passed', () => {
		expect(apiKeyOf('beta', {apiKeyEnv: 'BETA'}, {BETA: 'K'})).toBe('K');
		expect(apiKeyOf('beta', {apiKeyEnv: 'BETA'}, {})).toBeUndefined();
		expect(apiKeyOf('beta', {}, {BETA: 'K'})).toBeUndefined();
	});
});

const environmentOf = (bee: Partial<Bee>, parent: Record<string, string> = {}) =>
	agentEnvironment(parent, sampleInvocation(bee), {binDir: '/bin', settings: () => ({}), colony: () => ({})});

describe('Adapter script', () => {
	it('command: is run as declared, and its params are ignored with a warning', async () => {
		const {value, warnings} = parseBeeYaml(
			'.hive/bees/x.yaml',
			readYaml('adapter: script\ncommand: sh run.sh "a b"\nparams: {model: m}\n'),
		);
		expect(value).toMatchObject({command: ['sh', 'run.sh', 'a b'], params: {}});
		expect(warnings).toMatchObject([
			{path: '.hive/bees/x.yaml:3', message: expect.stringContaining('ignored')},
		]);
	});

	it('command: a script bee without a command is invalid', async () => {
		const {value, problems} = parseBeeYaml('.hive/bees/x.yaml', readYaml('adapter: script\n'));
		expect(value).toBeUndefined();
		expect(problems).toMatchObject([{message: expect.stringContaining('"command"')}]);
	});

	it('prompt_template: is optional, and $PROMPT holds the rendered prompt', () => {
		expect(argvOf('script', {command: ['echo', '$PROMPT']})).toBe('echo Do it.');
		expect(environmentOf({adapter: 'script', command: ['x']}).PROMPT).toBe('Do it.');
	});

	it.each([
		['HIVE_TRACE_ID', 'trace-1'],
		['HIVE_AGENT_ID', 'agent-1'],
		['HIVE_TASK_ID', 'task-1'],
		['HIVE_WORKSPACE', '/repo/.hive/worktrees/trace-1'],
		['HIVE_COLONY_ROOT', '/repo'],
		['HIVE_RUN_DIR', '/repo/.hive/runs/trace-1/agent-1'],
		['HIVE_BEE', 'maker'],
		['HIVE_EVENT_LOG', '/repo/.hive/runs/trace-1/agent-1/events.ndjson'],
		['HIVE_RESULT_FILE', '/repo/.hive/runs/trace-1/agent-1/summary.md'],
		['HIVE_PROMPT_FILE', '/repo/.hive/runs/trace-1/agent-1/prompt.txt'],
	])('the environment variable %s is %s', (name, value) => {
		expect(environmentOf({adapter: 'script', command: ['x']})[name]).toBe(value);
	});
});
