import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {startOf} from '../../source/agents/adapter.ts';
import {agentEnvironment, apiKeyOf} from '../../source/agents/environment.ts';
import type {Bee} from '../../source/colony/colony.ts';
import {forgeDefaults, publicApis} from '../../source/colony/forge.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {sampleInvocation} from './invocation.ts';

const machine = {
	binDir: '/opt/hive/bin',
	settings: () => ({beta: {apiKeyEnv: 'BETA_KEY'}}),
	colony: () => ({}),
};

const environment = (
	parent: Record<string, string> = {},
	bee: Partial<Bee> = {},
	changes: Parameters<typeof sampleInvocation>[1] = {},
) => agentEnvironment(parent, sampleInvocation(bee, changes), machine);

test('every adapter sets the whole table of HIVE_ variables', () => {
	for (const adapter of ['alpha', 'beta', 'script'] as const)
		expect(environment({}, {adapter}, {system: 'x', port: 20_010})).toEqual({
			HIVE_TRACE_ID: 'trace-1',
			HIVE_AGENT_ID: 'agent-1',
			HIVE_TASK_ID: 'task-1',
			HIVE_WORKSPACE: '/repo/.hive/worktrees/trace-1',
			HIVE_PORT: '20010',
			HIVE_COLONY_ROOT: '/repo',
			HIVE_RUN_DIR: '/repo/.hive/runs/trace-1/agent-1',
			HIVE_BEE: 'maker',
			HIVE_EVENT_LOG: '/repo/.hive/runs/trace-1/agent-1/events.ndjson',
			HIVE_RESULT_FILE: '/repo/.hive/runs/trace-1/agent-1/summary.md',
			HIVE_PROMPT_FILE: '/repo/.hive/runs/trace-1/agent-1/prompt.txt',
			HIVE_SYSTEM_FILE: '/repo/.hive/runs/trace-1/agent-1/system.txt',
			HIVE: '/opt/hive/bin/hive',
			PATH: '/opt/hive/bin',
		});
});

test('a sandboxed tool writes its result where it may write, unless a command starts the tool', () => {
	const fileOf = (bee: Partial<Bee>) => environment({}, bee).HIVE_RESULT_FILE;
	const inSpool = '/repo/.hive/runs/trace-1/agent-1/sandbox/spool/summary.md';
	for (const adapter of ['codex', 'gemini'] as const) {
		expect(fileOf({adapter})).toBe(inSpool);
		expect(fileOf({adapter, command: ['tool']})).toBe('/repo/.hive/runs/trace-1/agent-1/summary.md');
	}
	expect(fileOf({adapter: 'claude'})).toBe('/repo/.hive/runs/trace-1/agent-1/summary.md');
});

test('claude is asked for its todo list, unless the person says otherwise', () => {
	const variable = 'CLAUDE_CODE_ENABLE_TODO_TOOLS';
	expect(environment({}, {adapter: 'claude'})[variable]).toBe('1');
	expect(environment({[variable]: '0'}, {adapter: 'claude'})[variable]).toBe('0');
	expect(environment({}, {adapter: 'codex'})[variable]).toBeUndefined();
});

test('the directory of this hive comes first on PATH', () => {
	expect(environment({PATH: '/usr/bin:/bin'}).PATH).toBe('/opt/hive/bin:/usr/bin:/bin');
});

test('variables of an outer run are not inherited', () => {
	const outer = {
		HIVE_TASK_ID: 'outer',
		HIVE_SYSTEM_FILE: '/outer',
		HIVE_AGENT_ID: 'outer',
		HIVE_PORT: '20000',
	};
	const inner = environment(outer, {}, {taskId: ''});
	expect(inner).not.toHaveProperty('HIVE_TASK_ID');
	expect(inner).not.toHaveProperty('HIVE_SYSTEM_FILE');
	expect(inner).not.toHaveProperty('HIVE_PORT');
	expect(inner.HIVE_AGENT_ID).toBe('agent-1');
});

test("git's variables for repository, index and dates reach no agent, and its other variables do", () => {
	const local = execFileSync('git', ['rev-parse', '--local-env-vars'], {encoding: 'utf8'}).trim().split('\n');
	const ofHooks = [
		'GIT_NAMESPACE',
		'GIT_QUARANTINE_PATH',
		'GIT_REFLOG_ACTION',
		'GIT_AUTHOR_DATE',
		'GIT_CEILING_DIRECTORIES',
	];
	// People set these variables themselves, for containers for example.
	const ofPeople = [
		'GIT_CONFIG_COUNT',
		'GIT_CONFIG_KEY_0',
		'GIT_CONFIG_VALUE_0',
		'GIT_SSH_COMMAND',
		'GIT_EDITOR',
	];
	const outer = Object.fromEntries([...local, ...ofHooks, ...ofPeople].map(name => [name, 'x']));
	const names = Object.keys(environment(outer)).filter(name => name.startsWith('GIT_'));
	expect(names.sort()).toEqual(ofPeople.sort());
});

test('the crash point of this hive is not passed on to the agent', () => {
	expect(environment({HIVE_CRASH_AT: 'emit.appended'})).not.toHaveProperty('HIVE_CRASH_AT');
});

test("hive's own secrets are removed, and its other settings and the user's variables are passed on", () => {
	const parent = {
		HIVE_CONSOLE_TOKEN: 's',
		HIVE_TELEGRAM_BOT_TOKEN: 's',
		HIVE_BUS_URL: 'nats://x',
		GITHUB_TOKEN: 'mine',
		LANG: 'C',
	};
	const kept = environment(parent);
	expect(Object.values(kept)).not.toContain('s');
	expect(kept).toMatchObject({HIVE_BUS_URL: 'nats://x', GITHUB_TOKEN: 'mine', LANG: 'C'});
});

test('an adapter gets its own key and no key of another adapter', () => {
	const parent = {ALPHA_API_KEY: 'a', BETA_KEY: 'b'};
	expect(environment(parent)).toMatchObject({ALPHA_API_KEY: 'a'});
	expect(environment(parent)).not.toHaveProperty('BETA_KEY');
	expect(environment(parent, {adapter: 'beta'})).toMatchObject({BETA_KEY: 'b'});
	expect(environment(parent, {adapter: 'beta'})).not.toHaveProperty('ALPHA_API_KEY');
	const script = environment(parent, {adapter: 'script', command: ['x']});
	expect(script).not.toHaveProperty('ALPHA_API_KEY');
	expect(script).not.toHaveProperty('BETA_KEY');
});

test('a key that a home file names reaches the tool under the variable that the tool reads', () => {
	const tools = {
		alpha: 'ALPHA_API_KEY',
		claude: 'ANTHROPIC_API_KEY',
		codex: 'CODEX_API_KEY',
		gemini: 'GEMINI_API_KEY',
	} as const;
	for (const [adapter, name] of Object.entries(tools) as [keyof typeof tools, string][]) {
		expect(environment({}, {adapter}, {apiKey: 'mine'})).toMatchObject({[name]: 'mine'});
		expect(environment({[name]: 'own'}, {adapter})).toMatchObject({[name]: 'own'});
	}
	expect(environment({}, {adapter: 'alpha'}, {apiKey: 'mine'})).toMatchObject({CURSOR_API_KEY: 'mine'});
	expect(environment({}, {adapter: 'beta'}, {apiKey: 'mine'})).not.toHaveProperty('ANTHROPIC_API_KEY');
});

test('a bee with a command gets its variables, including the prompt', () => {
	expect(environment({}, {command: ['sh', '-c', 'echo "$PROMPT"']})).toMatchObject({
		PROMPT: 'Do it.',
		RESULT_FILE: '/repo/.hive/runs/trace-1/agent-1/summary.md',
	});
	expect(environment()).not.toHaveProperty('PROMPT');
});

test('no variable is longer than the system can pass', () => {
	const {PROMPT = ''} = environment({}, {command: ['x']}, {prompt: 'x'.repeat(200_000)});
	expect(PROMPT.length).toBeLessThan(1000);
});

test('the agent gets the key that the home file names', () => {
	const parent = {ALPHA_API_KEY: 'a', MY_KEY: 'm', EMPTY: ''};
	expect(apiKeyOf('alpha', {}, parent)).toBeUndefined();
	expect(apiKeyOf('alpha', {apiKeyEnv: 'ALPHA_API_KEY'}, parent)).toBe('a');
	expect(apiKeyOf('alpha', {apiKeyEnv: 'MY_KEY'}, parent)).toBe('m');
	expect(apiKeyOf('beta', {apiKeyEnv: 'MY_KEY'}, parent)).toBe('m');
	expect(apiKeyOf('beta', {apiKeyEnv: 'EMPTY'}, parent)).toBeUndefined();
	expect(apiKeyOf('script', {apiKeyEnv: 'MY_KEY'}, parent)).toBeUndefined();
});

test('a shell script reads the prompt as data, whatever it contains', () => {
	const prompt = '"; echo owned; $(echo owned) `echo owned` \\';
	const invocation = sampleInvocation(
		{adapter: 'script', command: ['sh', '-c', 'printf %s "$PROMPT"']},
		{prompt},
	);
	const [program = '', ...rest] = expectAccepted(startOf(invocation)).argv;
	const env = agentEnvironment(process.env, invocation, machine);
	expect(execFileSync(program, rest, {env, encoding: 'utf8'})).toBe(prompt);
});

test("the token of the colony's forge is left out, and stays where there is no forge", () => {
	const parent = {GITHUB_TOKEN: 'one', GH_TOKEN: 'two', GITLAB_TOKEN: 'three'};
	const withForge = (provider: 'github' | 'gitlab') =>
		agentEnvironment(parent, sampleInvocation({}), {
			...machine,
			colony: () => ({forge: {...forgeDefaults, ...forgeOf(provider)}}),
		});
	expect(withForge('github')).toMatchObject({GITLAB_TOKEN: 'three'});
	expect(Object.keys(withForge('github'))).not.toEqual(expect.arrayContaining(['GITHUB_TOKEN']));
	expect(Object.keys(withForge('github'))).not.toEqual(expect.arrayContaining(['GH_TOKEN']));
	expect(withForge('gitlab')).toMatchObject({GITHUB_TOKEN: 'one', GH_TOKEN: 'two'});
	expect(Object.keys(withForge('gitlab'))).not.toEqual(expect.arrayContaining(['GITLAB_TOKEN']));
	expect(environment(parent)).toMatchObject(parent);
});

test("the secret of the forge's webhook is left out", () => {
	const forge = {...forgeDefaults, ...forgeOf('github'), webhookSecretEnv: 'MY_SECRET'};
	const parent = {MY_SECRET: 'one', OTHER_SECRET: 'two'};
	const given = agentEnvironment(parent, sampleInvocation({}), {...machine, colony: () => ({forge})});
	expect(given).toMatchObject({OTHER_SECRET: 'two'});
	expect(given).not.toHaveProperty('MY_SECRET');
});

const forgeOf = (provider: 'github' | 'gitlab') => ({
	...{provider, api: publicApis[provider], repository: 'ada/hive'},
	...{draft: false, reviewers: [], labels: [], trusted: []},
});
