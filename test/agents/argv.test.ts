import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {adapterOf, startOf} from '../../source/agents/adapter.ts';
import type {Invocation, Start} from '../../source/agents/invocation.ts';
import {longTextsOf} from '../../source/agents/long-text.ts';
import {permissionWarnings} from '../../source/agents/permissions.ts';
import {sessionStart} from '../../source/agents/session.ts';
import {commandVariables} from '../../source/agents/substitute.ts';
import type {AdapterName, Bee} from '../../source/colony/colony.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {sampleInvocation} from './invocation.ts';

const start = (adapter: AdapterName, {bee, ...rest}: Invocation): Start =>
	expectAccepted(startOf({...rest, bee: {...bee, adapter}}));

const argv = (adapter: AdapterName, invocation: Invocation): readonly string[] =>
	start(adapter, invocation).argv;

const braced = (name: string): string => `\${${name}}`;

const line = (adapter: AdapterName, invocation: Invocation): string => argv(adapter, invocation).join(' ');

test('alpha without settings trusts, forces and streams', () => {
	expect(line('alpha', sampleInvocation())).toMatchInlineSnapshot(
		`"alpha -p --workspace /repo/.hive/worktrees/trace-1 --output-format stream-json --trust --force Do it."`,
	);
});

test('alpha passes every param in the order of its table', () => {
	const bee = {params: {model: 'm', trust: false, force: false, plan: true, output_format: 'json'}};
	expect(
		line('alpha', sampleInvocation(bee, {settings: {binary: 'agent'}, apiKey: 'K'})),
	).toMatchInlineSnapshot(
		`"agent -p --workspace /repo/.hive/worktrees/trace-1 --output-format json --plan --model m Do it."`,
	);
});

test('alpha joins system and task text by a newline in one argument', () => {
	expect(argv('alpha', sampleInvocation({}, {system: 'Be brief.'})).at(-1)).toBe('Be brief.\nDo it.');
});

test('alpha passes params.mode: plan as --plan', () => {
	expect(argv('alpha', sampleInvocation({params: {mode: 'plan'}}))).toContain('--plan');
});

test('beta without settings answers in json', () => {
	expect(line('beta', sampleInvocation({adapter: 'beta'}))).toMatchInlineSnapshot(
		`"beta -p --mode json Do it."`,
	);
});

test('beta passes every param in the order of its table, and no trust or force', () => {
	const params = {
		model: 'm',
		provider: 'p',
		thinking: 'high',
		plan: true,
		trust: true,
		force: true,
		binary: 'b2',
	};
	const invocation = sampleInvocation({adapter: 'beta', params}, {system: 'Be brief.', apiKey: 'K'});
	expect(line('beta', invocation)).toMatchInlineSnapshot(
		`"b2 -p --mode json --append-system-prompt /repo/.hive/runs/trace-1/agent-1/system.txt --model m --provider p --thinking high --plan --api-key K Do it."`,
	);
});

test.each([
	['text', 'text'],
	['json', 'json'],
	['rpc', 'rpc'],
	['', 'json'],
	['stream-json', 'json'],
])('beta turns the output format %j into mode %s', (output_format, mode) => {
	expect(argv('beta', sampleInvocation({adapter: 'beta', params: {output_format}}))[3]).toBe(mode);
});

test("the binary comes from the bee, else from the machine, else from the adapter's name", () => {
	const settings = {binary: 'machine'};
	expect(argv('beta', sampleInvocation({params: {binary: 'bee'}}, {settings}))[0]).toBe('bee');
	expect(argv('beta', sampleInvocation({}, {settings}))[0]).toBe('machine');
	expect(argv('beta', sampleInvocation())[0]).toBe('beta');
});

test.each(['alpha', 'beta', 'script'] as const)('a command replaces the whole argv of %s', adapter => {
	const command = ['tool', `--in=${braced('WORKSPACE')}`, '$PROMPT', '$UNKNOWN', '$RESULT_FILE', '$TASK_ID'];
	expect(argv(adapter, sampleInvocation({command, params: {model: 'm'}}))).toEqual([
		'tool',
		'--in=/repo/.hive/worktrees/trace-1',
		'Do it.',
		'$UNKNOWN',
		'/repo/.hive/runs/trace-1/agent-1/summary.md',
		'task-1',
	]);
});

test('a value that is put into a command is not expanded again', () => {
	const prompt = `$RUN_DIR ${braced('TRACE_ID')} $& $1`;
	const invocation = sampleInvocation({command: ['tool', '$PROMPT']}, {prompt});
	expect(argv('script', invocation)[1]).toBe(prompt);
});

test('a relative program path is resolved in the workspace, and a bare name is left to PATH', () => {
	expect(argv('script', sampleInvocation({command: ['./bin/x']}))[0]).toBe(
		'/repo/.hive/worktrees/trace-1/bin/x',
	);
	expect(argv('script', sampleInvocation({command: ['x']}))[0]).toBe('x');
	expect(argv('script', sampleInvocation({command: ['/bin/x']}))[0]).toBe('/bin/x');
});

test('a script without a command is refused, and the refusal names its file', () => {
	expect(startOf(sampleInvocation({adapter: 'script'}))).toMatchObject({
		ok: false,
		refusal: {code: 'invalid_config', hint: 'Set "command" in .hive/bees/maker.yaml.'},
	});
});

test.each([
	[['sh', '-c', 'echo "$PROMPT"']],
	[['/bin/bash', '-lc', 'echo $PROMPT']],
	[['env', 'sh', '-ec', '$PROMPT']],
	[['python3', '-c', 'print("$PROMPT")']],
	[['node', '--eval', 'console.log("$PROMPT")']],
	[['node', '--no-warnings', '-p', '"$PROMPT"']],
	[['node', '--eval="$PROMPT"']],
	[['perl', '-E', 'say "$PROMPT"']],
	[['php', '-r', 'echo "$PROMPT";']],
	[['deno', 'eval', 'console.log("$PROMPT")']],
	[['node', '-e', '$PROMPT']],
	[['sh', '+x', '-c', 'echo "$PROMPT"']],
	[['bash', '-cx', 'echo "$PROMPT"']],
	[['bash', '-c', '-x', 'echo "$PROMPT"']],
])('code for an interpreter is left unchanged: %j', command => {
	expect(argv('script', sampleInvocation({command}, {prompt: '"; rm -rf /'}))).toEqual(command);
});

test('an argument after -c is filled in for other programs, also if an interpreter reads it from a file', () => {
	expect(argv('script', sampleInvocation({command: ['tool', '-c', '$PROMPT']}))[2]).toBe('Do it.');
	const byShell = sampleInvocation({command: ['sh', 'tool.sh', '-c', '$PROMPT']});
	expect(argv('script', byShell)[3]).toBe('Do it.');
	const byNode = sampleInvocation({command: ['node', '--no-warnings', 'tool.mjs', '-p', '$PROMPT']});
	expect(argv('script', byNode)[4]).toBe('Do it.');
});

test('no prompt can be read as a flag', () => {
	for (const adapter of ['alpha', 'beta'] as const)
		expect(argv(adapter, sampleInvocation({}, {prompt: '--api-key x'})).at(-1)).toBe('\n--api-key x');
	const command = ['tool', '$PROMPT'];
	expect(argv('script', sampleInvocation({command}, {prompt: '-rf'}))[1]).toBe('\n-rf');
});

test('a prompt too long for an argument is replaced by a pointer to its file', () => {
	const prompt = 'ä'.repeat(70_000);
	const beside = (which: string) => `/repo/.hive/worktrees/trace-1/.hive-run-agent-1-${which}.txt`;
	expect(argv('alpha', sampleInvocation({}, {prompt})).at(-1)).toContain(`Read all of ${beside('prompt')} `);
	const command = sampleInvocation({command: ['tool', '$PROMPT']}, {prompt});
	expect(argv('script', command)[1]).toContain(beside('prompt'));
	const both = `Read all of ${beside('system')} and ${beside('prompt')} `;
	expect(argv('alpha', sampleInvocation({}, {prompt, system: 'Be brief.'})).at(-1)).toContain(both);
	for (const adapter of ['alpha', 'claude', 'codex', 'gemini', 'opencode'] as const) {
		const invocation = sampleInvocation({adapter}, {prompt, system: 'Be brief.'});
		expect(expectAccepted(sessionStart(invocation)).argv.at(-1)).toContain(both);
	}
});

test('a prompt file below the folder where the agent works is read there', () => {
	const invocation = sampleInvocation({}, {prompt: 'ä'.repeat(70_000), workspace: '/repo'});
	expect(argv('alpha', invocation).at(-1)).toContain(
		'Read all of /repo/.hive/runs/trace-1/agent-1/prompt.txt ',
	);
	expect(longTextsOf(invocation, {argv: argv('alpha', invocation), env: {}})).toEqual([]);
});

test('only texts that the program is told to read are written into its working folder', () => {
	const system = 'ä'.repeat(70_000);
	const invocation = sampleInvocation({command: ['tool', '$PROMPT', '$SYSTEM_PROMPT']}, {system});
	const path = '/repo/.hive/worktrees/trace-1/.hive-run-agent-1-system.txt';
	expect(longTextsOf(invocation, {argv: argv('script', invocation), env: {}})).toEqual([
		{path, text: system},
	]);
	const env = commandVariables(invocation);
	expect(longTextsOf(invocation, {argv: ['tool'], env})).toEqual([{path, text: system}]);
	expect(longTextsOf(invocation, {argv: ['tool'], env: {}})).toEqual([]);
});

test('beta reads a prompt that is too long for an argument from its standard input', () => {
	const prompt = 'ä'.repeat(70_000);
	const {argv: arguments_, input} = start('beta', sampleInvocation({}, {prompt}));
	expect(arguments_.join(' ')).toBe('beta -p --mode json');
	expect(input).toBe(prompt);
});

describe('the tools that read their prompt from standard input', () => {
	const tools = ['claude', 'codex', 'gemini', 'opencode'] as const;

	test('receive system and task text there, whatever its length', () => {
		const prompt = 'ä'.repeat(70_000);
		for (const tool of tools)
			expect(start(tool, sampleInvocation({}, {prompt, system: 'Be brief.'})).input).toBe(
				`Be brief.\n${prompt}`,
			);
	});

	test('include claude, which edits and runs commands in its workspace without asking a person', () => {
		expect(line('claude', sampleInvocation())).toMatchInlineSnapshot(
			`"claude -p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools Bash,Read,Glob,Grep"`,
		);
	});

	test('include a claude with permissions, which asks before it pushes and about what is not listed', () => {
		const permissions = {allow: ['edit', 'read', 'shell'], ask: ['shell(git push *)'], deny: []};
		const invocation = {...sampleInvocation({permissions}), hive: '/bin/hive'};
		const given = argv('claude', invocation).filter(argument => !argument.startsWith('{"mcpServers":'));
		expect(given.join(' ')).toMatchInlineSnapshot(
			`"claude -p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools Read,Glob,Grep,Bash,mcp__hive --settings {"permissions":{"ask":["Bash(git push:*)"]}} --mcp-config --permission-prompt-tool mcp__hive__ask_permission"`,
		);
	});

	test('include a read-only claude, which is denied every tool that would ask', () => {
		const bee = {params: {read_only: true, model: 'opus'}};
		expect(line('claude', sampleInvocation(bee))).toMatchInlineSnapshot(
			`"claude -p --output-format stream-json --verbose --permission-mode dontAsk --allowedTools Bash,Read,Glob,Grep --disallowedTools Edit,Write,NotebookEdit --model opus"`,
		);
	});

	test('include codex, which works in its sandbox and reaches hive from it', () => {
		const bee = {params: {model: 'gpt', args: ['-c', 'model_reasoning_effort=high']}};
		expect(line('codex', sampleInvocation(bee))).toMatchInlineSnapshot(
			`"codex exec --json -c allow_login_shell=false -c tools.update_plan.enabled=true --sandbox workspace-write --add-dir /repo/.hive/runs/trace-1/agent-1/sandbox/spool --model gpt -c model_reasoning_effort=high -"`,
		);
	});

	test('include codex in the containment of hive, where its own sandbox could not start', () => {
		expect(line('codex', {...sampleInvocation(), contained: true})).toContain('--sandbox danger-full-access');
		const permissions = {allow: [], ask: [], deny: ['edit']};
		const denied = sampleInvocation({permissions});
		expect(line('codex', {...denied, contained: true})).toContain('--sandbox read-only');
	});

	test('include gemini and opencode, which get the server beside the settings of the person', () => {
		const invocation = sampleInvocation({}, {hive: '/bin/hive'});
		const server = {args: ['mcp', '--tools', expect.stringContaining('ask_human')]};
		const gemini = start('gemini', invocation);
		expect(JSON.parse(gemini.toolSettings ?? '')).toMatchObject({
			mcpServers: {hive: {...server, command: '/bin/hive', env: {HIVE_TRACE_ID: 'trace-1'}}},
		});
		expect(gemini.env).toEqual({
			GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/repo/.hive/runs/trace-1/agent-1/tool-settings.json',
		});
		expect(JSON.parse(start('opencode', invocation).env?.OPENCODE_CONFIG_CONTENT ?? '')).toMatchObject({
			mcp: {hive: {type: 'local', command: ['/bin/hive', ...server.args]}},
		});
	});

	test('include gemini, which trusts the worktree and may read its run directory', () => {
		expect(line('gemini', sampleInvocation({params: {model: 'flash'}}))).toMatchInlineSnapshot(
			`"gemini -o stream-json --approval-mode yolo --skip-trust --include-directories /repo/.hive/runs/trace-1/agent-1/sandbox/spool --model flash"`,
		);
	});

	test('include opencode, which is allowed every tool that would ask', () => {
		expect(line('opencode', sampleInvocation({params: {model: 'a/b'}}))).toMatchInlineSnapshot(
			`"opencode run --format json --auto --model a/b"`,
		);
	});

	test('run in plan mode if the bee only plans', () => {
		for (const tool of ['claude', 'gemini', 'opencode'] as const)
			expect(argv(tool, sampleInvocation({params: {plan: true}}))).toContain('plan');
	});
});

describe('a run that resumes a conversation of the tool', () => {
	const resume = '01a20b97-a8bc-7330-9a7c-4498f0600ce0';
	const resuming = ['alpha', 'beta', 'claude', 'codex', 'gemini', 'opencode'] as const;
	const further = {params: {args: ['--further']}};

	test('passes the conversation id after the safety flags and before the flags of its bee', () => {
		expect(
			resuming.map(adapter => line(adapter, sampleInvocation(further, {resume}))),
		).toMatchInlineSnapshot(`
			[
			  "alpha -p --workspace /repo/.hive/worktrees/trace-1 --output-format stream-json --trust --force --resume 01a20b97-a8bc-7330-9a7c-4498f0600ce0 --further Do it.",
			  "beta -p --mode json --session 01a20b97-a8bc-7330-9a7c-4498f0600ce0 --further Do it.",
			  "claude -p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools Bash,Read,Glob,Grep --resume 01a20b97-a8bc-7330-9a7c-4498f0600ce0 --further",
			  "codex exec --json -c allow_login_shell=false -c tools.update_plan.enabled=true --sandbox workspace-write --add-dir /repo/.hive/runs/trace-1/agent-1/sandbox/spool --further resume 01a20b97-a8bc-7330-9a7c-4498f0600ce0 -",
			  "gemini -o stream-json --approval-mode yolo --skip-trust --include-directories /repo/.hive/runs/trace-1/agent-1/sandbox/spool --resume 01a20b97-a8bc-7330-9a7c-4498f0600ce0 --further",
			  "opencode run --format json --auto --session 01a20b97-a8bc-7330-9a7c-4498f0600ce0 --further",
			]
		`);
	});

	test('otherwise starts like any other run', () => {
		for (const adapter of resuming) {
			const fresh = argv(adapter, sampleInvocation(further));
			const kept = argv(adapter, sampleInvocation(further, {resume})).filter(
				word => word !== resume && !['--resume', '--session', 'resume'].includes(word),
			);
			expect(kept).toEqual(fresh);
			expect(adapterOf(adapter).resumes).toBe(true);
		}
	});

	test.each(['', '-rf', '--last', 'a b', 'a/b', '../x', 'a\nb', '.hidden', 'é', 'x'.repeat(129)])(
		'does not pass on %j, which is no conversation id',
		id => {
			for (const adapter of resuming)
				expect(start(adapter, sampleInvocation({}, {resume: id}))).toEqual(
					start(adapter, sampleInvocation()),
				);
		},
	);

	test('has at most two more arguments, whatever id an agent printed', () => {
		fc.assert(
			fc.property(fc.string({unit: 'binary'}), id => {
				for (const adapter of resuming) {
					const none = argv(adapter, sampleInvocation()).length;
					expect([none, none + 2]).toContain(argv(adapter, sampleInvocation({}, {resume: id})).length);
				}
			}),
			{numRuns: 30},
		);
	});

	test('passes no conversation id to a bee with its own command, nor to a script', () => {
		const command = ['tool', '$PROMPT'];
		for (const adapter of [...resuming, 'script'] as const)
			expect(argv(adapter, sampleInvocation({command}, {resume}))).toEqual(['tool', 'Do it.']);
		expect(adapterOf('script').resumes).toBeUndefined();
	});

	test('passes no conversation id to a session', () => {
		for (const adapter of resuming)
			expect(expectAccepted(sessionStart(sampleInvocation({adapter}, {resume}))).argv).not.toContain(resume);
	});
});

test('any prompt reaches a real program as one unchanged argument', () => {
	const command = [process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '$PROMPT'];
	const unit = fc.constantFrom(
		'"',
		"'",
		'`',
		'$',
		'(',
		')',
		';',
		'\n',
		'\\',
		'*',
		'\0',
		'é',
		'-',
		'$RUN_DIR',
	);
	fc.assert(
		fc.property(fc.string({unit, minLength: 1}), prompt => {
			const [program = '', ...rest] = argv('script', sampleInvocation({command}, {prompt}));
			const shown = JSON.parse(execFileSync(program, rest, {encoding: 'utf8'}));
			const clean = prompt.replaceAll('\0', '\uFFFD');
			expect(shown).toEqual([clean.startsWith('-') ? `\n${clean}` : clean]);
		}),
		{numRuns: 5},
	);
});

describe('a session', () => {
	const session = (bee: Partial<Bee>, changes: Partial<Omit<Invocation, 'bee'>> = {}): string =>
		expectAccepted(sessionStart(sampleInvocation(bee, changes))).argv.join(' ');

	test('of alpha runs its program without -p, formats and trust', () => {
		expect(session({params: {model: 'm'}}, {apiKey: 'K', system: 'Be brief.'})).toMatchInlineSnapshot(`
			"alpha --workspace /repo/.hive/worktrees/trace-1 --force --model m Be brief.
			Do it."
		`);
	});

	test('of beta has its own conversation in the run directory', () => {
		expect(session({adapter: 'beta'}, {system: 'Be brief.'})).toMatchInlineSnapshot(
			`"beta --session-dir /repo/.hive/runs/trace-1/agent-1/beta-sessions --session-id agent-1 --append-system-prompt /repo/.hive/runs/trace-1/agent-1/system.txt Do it."`,
		);
	});

	test('of the other tools runs their program with its model and the first prompt', () => {
		const params = {model: 'm', read_only: true};
		const lines = (['claude', 'codex', 'gemini', 'opencode'] as const).map(adapter =>
			session({adapter, params}),
		);
		expect(lines).toMatchInlineSnapshot(`
			[
			  "claude --settings {"hooks":{"Notification":[{"hooks":[{"type":"command","command":"'sh' '-c' 'printf . >> \\"$0\\"' '/repo/.hive/runs/trace-1/agent-1/sandbox/spool/asked'"}]}],"PermissionRequest":[{"hooks":[{"type":"command","command":"'sh' '-c' 'printf . >> \\"$0\\"' '/repo/.hive/runs/trace-1/agent-1/sandbox/spool/asked'"}]}]}} --model m Do it.",
			  "codex -c notify=["sh","-c","printf . >> \\"$0\\"","/repo/.hive/runs/trace-1/agent-1/sandbox/spool/asked"] --model m Do it.",
			  "gemini --model m --prompt-interactive=Do it.",
			  "opencode --model m --prompt=Do it.",
			]
		`);
	});

	test('without a first prompt has no argument for one', () => {
		const quiet = {prompt: ' '};
		expect(session({}, quiet)).toMatchInlineSnapshot(
			`"alpha --workspace /repo/.hive/worktrees/trace-1 --force"`,
		);
		expect(session({adapter: 'beta'}, quiet)).not.toContain('Do it.');
		const command = ['talk', '--here=$WORKSPACE', '$PROMPT', `--say=${braced('PROMPT')}`, '$PROMPT_FILE'];
		expect(session({command: ['x'], interactiveCommand: command}, quiet)).toBe(
			'talk --here=/repo/.hive/worktrees/trace-1 /repo/.hive/runs/trace-1/agent-1/prompt.txt',
		);
	});

	test('of a bee with a command runs its session command, and is refused without one', () => {
		const command = ['talk', '-p', '$PROMPT'];
		expect(session({command, interactiveCommand: ['talk', '$PROMPT']})).toBe('talk Do it.');
		expect(sessionStart(sampleInvocation({command}))).toMatchObject({
			ok: false,
			refusal: {code: 'no_session', hint: expect.stringContaining('interactive_command')},
		});
	});

	test('of a script is refused', () => {
		expect(sessionStart(sampleInvocation({adapter: 'script', command: ['true']}))).toMatchObject({
			ok: false,
			refusal: {code: 'no_session', hint: expect.stringContaining('hive bee run maker')},
		});
	});
});

describe('adapter acp', () => {
	const hive = '/opt/hive/bin/hive';
	const permissions = {allow: ['read'], ask: [], deny: []};

	test.each([
		['claude', 'claude-agent-acp'],
		['codex', 'codex-acp'],
		['gemini', 'gemini --acp --skip-trust'],
		['opencode', 'opencode acp'],
		['pi', 'pi-acp'],
	] as const)('starts %s by its program', (agent, program) => {
		const started = start('acp', sampleInvocation({agent}, {hive}));
		expect(started.argv.slice(0, 2)).toEqual([hive, 'acp']);
		expect(started.argv.slice(started.argv.indexOf('--') + 1).join(' ')).toBe(program);
		expect(started.agent?.join(' ')).toBe(program);
		expect(started.input).toBe('Do it.');
	});

	test('passes model, mode, session, permissions and the server, then the agent with its arguments', () => {
		const params = {model: 'm', plan: true, read_only: true, args: ['--debug']};
		const invocation = sampleInvocation({agent: 'gemini', params, permissions}, {resume: 's1', hive});
		expect(argv('acp', invocation)).toEqual([
			...[hive, 'acp', '--model', 'm', '--mode', 'plan', '--resume', 's1'],
			...['--permissions', '{"allow":["read"],"ask":[],"deny":["edit"]}'],
			...['--mcp', expect.stringContaining('"HIVE_TRACE_ID":"trace-1"')],
			...['--folder', '/repo/.hive/runs/trace-1/agent-1/sandbox/spool', '--without-files'],
			...['--', 'gemini', '--acp', '--skip-trust', '--debug'],
		]);
	});

	test.each([
		['claude', false, 'default'],
		['claude', true, 'default'],
		['codex', false, 'workspace-write'],
		['codex', true, 'agent-full-access'],
	] as const)('has %s ask the person and no model, contained: %s', (agent, contained, mode) => {
		const args = argv('acp', sampleInvocation({agent}, {hive, contained}));
		expect(args[args.indexOf('--mode') + 1]).toBe(mode);
	});

	test('warns of rules where an agent does not ask before each act', () => {
		const rules = {allow: ['edit'], ask: ['shell(git push *)'], deny: []};
		const warnings = (agent: 'claude' | 'pi') =>
			permissionWarnings({adapter: 'acp', agent, permissions: rules});
		expect(warnings('claude')).toEqual([]);
		expect(warnings('pi')).toEqual([
			'"permissions" of the bee are enforced only where pi asks. It never asks. They name: shell(git push *).',
		]);
	});

	test('has opencode ask about every act if the bee has permissions or only reads', () => {
		const asking = {OPENCODE_PERMISSION: expect.stringContaining('"bash":{"*":"ask"}')};
		const agent = 'opencode';
		expect(start('acp', sampleInvocation({agent, permissions})).env).toEqual(asking);
		expect(start('acp', sampleInvocation({agent, params: {read_only: true}})).env).toEqual(asking);
		expect(start('acp', sampleInvocation({agent})).env).toBeUndefined();
		expect(start('acp', sampleInvocation({agent: 'gemini', permissions})).env).toBeUndefined();
	});

	test('a command is the argv of the agent', () => {
		const invocation = sampleInvocation({command: ['./agent', '$WORKSPACE']});
		expect(argv('acp', invocation).slice(-3)).toEqual([
			...['--', '/repo/.hive/worktrees/trace-1/agent', '/repo/.hive/worktrees/trace-1'],
		]);
	});

	test('a session opens the terminal program of the same tool', () => {
		const invocation = sampleInvocation({adapter: 'acp', agent: 'pi', params: {binary: 'other'}});
		expect(expectAccepted(sessionStart(invocation)).argv[0]).toBe('pi');
	});
});
