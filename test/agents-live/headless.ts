import {join} from 'node:path';
import type {Call} from './conversation.ts';
import {anthropicRefusals, googleRefusals, openaiRefusals, type Refusals} from './refusals.ts';
import {claude, codex, type Place, pi, type Tool} from './tools.ts';

/** Situations that need a special setup of a tool. */
export type Setting = 'denying' | 'limited' | 'plain' | 'planning';

const steps = ['Read the notes', 'Write the greeting', 'Check the greeting'];

/** The step after the completed ones is in progress. */
const statusAt = (at: number, completed: number): string =>
	at < completed ? 'completed' : at === completed ? 'in_progress' : 'pending';

/** An agent tool that reads its request from standard input, and prints records. */
export type Headless = {
	readonly name: string;
	readonly package: string;
	/** The command without its headless options. */
	readonly program: (place: Place) => readonly [string, ...string[]];
	readonly argv: (place: Place, setting: Setting) => readonly [string, ...string[]];
	readonly env: (place: Place, setting: Setting) => Readonly<Record<string, string>>;
	readonly files: Tool['files'];
	/** The names of the tools that run a command, read a file and write a file. */
	readonly run: (command: string) => Call;
	/** Runs a command that the tool is to ask about, if it does not ask about every command. */
	readonly askingRun?: (command: string) => Call;
	readonly read: (path: string) => Call;
	readonly write: (path: string, text: string) => Call;
	/** How its model writes its todo list with this many steps completed; some tools have none. */
	readonly plan?: (completed: number) => readonly Call[];
	/** Calls that the permissions of the tool refuse. Some tools refuse none. */
	readonly denies?: (place: Place) => readonly Call[];
	readonly refusals: Refusals;
	/** How often the model is busy before the tool reports a retry. Some tools never report one. */
	readonly patience: number;
	/** When its agent through the protocol asks before a command. Absent: always. */
	readonly asks?: 'never' | 'uncontained';
	/** Further packages that it needs. */
	readonly packages?: readonly string[];
	/** The programs of its agent through the Agent Client Protocol, by name: `hive init --acp`. */
	readonly acpPrograms?: (place: Place) => Readonly<Record<string, readonly string[]>>;
};

const claudeHeadless: Headless = {
	patience: 2,
	...{name: claude.name, package: claude.package, files: claude.files, refusals: anthropicRefusals},
	program: claude.argv,
	argv: (place, setting) => [
		...claude.argv(place),
		...['-p', '--output-format', 'stream-json', '--verbose'],
		...(setting === 'denying'
			? ['--permission-mode', 'dontAsk', '--disallowedTools', 'Edit,Write,NotebookEdit']
			: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Read,Glob,Grep']),
	],
	/** A usage limit stops only a subscription; other accounts are asked to wait. */
	env: (place, setting) => {
		const {ANTHROPIC_API_KEY = '', ...known} = claude.env(place);
		const rest = setting === 'planning' ? {...known, CLAUDE_CODE_ENABLE_TODO_TOOLS: '1'} : known;
		return setting === 'limited'
			? {...rest, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-stand-in-stand-in'}
			: {...rest, ANTHROPIC_API_KEY};
	},
	run: command => ({name: 'Bash', input: {command, description: 'Run a command'}}),
	read: file_path => ({name: 'Read', input: {file_path}}),
	write: (file_path, content) => ({name: 'Write', input: {file_path, content}}),
	plan: completed => [
		...(completed > 0
			? [taskUpdate(completed, 'completed')]
			: steps.map(subject => ({name: 'TaskCreate', input: {subject, description: `${subject}.`}}))),
		taskUpdate(completed + 1, 'in_progress'),
	],
	denies: place => writing(claudeHeadless, place),
};

const taskUpdate = (task: number, status: string): Call => ({
	name: 'TaskUpdate',
	input: {taskId: `${task}`, status},
});

/** Writes a file twice: with the tool's own write call and with a command. */
const writing = ({write, run}: Headless, {workspace}: Place): readonly Call[] => [
	write(join(workspace, 'greeting.txt'), 'Hello\n'),
	run('touch refused.txt'),
];

const codexHeadless: Headless = {
	patience: 7,
	...{name: codex.name, package: codex.package, files: codex.files, refusals: openaiRefusals, env: codex.env},
	program: codex.argv,
	argv: (place, setting) => [
		...codex.argv(place),
		...['exec', '--json', '-c', 'allow_login_shell=false', '--sandbox', 'workspace-write'],
		...(setting === 'denying' ? withoutTemporaryFolders : []),
		...(setting === 'planning' ? ['-c', 'tools.update_plan.enabled=true'] : []),
		'-',
	],
	run: cmd => ({name: 'exec_command', input: {cmd}}),
	read: path => codexHeadless.run(`cat ${path}`),
	write: (path, text) =>
		codexHeadless.run(
			`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+${text.trimEnd()}\n*** End Patch\nEOF`,
		),
	plan: completed => [
		{
			name: 'update_plan',
			input: {plan: steps.map((step, at) => ({step, status: statusAt(at, completed)}))},
		},
	],
	denies: ({home}) => [
		codexHeadless.run(`echo refused > ${home}/refused.txt`),
		codexHeadless.run(`echo "trying"; sleep 1; echo refused > ${home}/refused.txt`),
		codexHeadless.write(join(home, 'refused.txt'), 'Hello\n'),
	],
};

const withoutTemporaryFolders = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].flatMap(name => [
	...['-c', `sandbox_workspace_write.${name}=true`],
]);

const geminiHeadless: Headless = {
	name: 'gemini',
	patience: 2,
	package: '@google/gemini-cli@0.61.0',
	refusals: googleRefusals,
	program: ({installed}) => [
		process.execPath,
		join(installed, 'node_modules/@google/gemini-cli/bundle/gemini.js'),
	],
	argv: (place, setting) => [
		...geminiHeadless.program(place),
		...['-o', 'stream-json', '--skip-trust'],
		...['--approval-mode', setting === 'denying' ? 'default' : 'yolo'],
	],
	env: ({model}) => ({GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'stand-in-stand-in'}),
	files: () => ({
		'.gemini/settings.json': JSON.stringify({
			security: {auth: {selectedType: 'gemini-api-key'}},
			general: {enableAutoUpdate: false, enableAutoUpdateNotification: false},
			privacy: {usageStatisticsEnabled: false},
			telemetry: {enabled: false},
			model: {name: 'gemini-2.5-pro'},
		}),
	}),
	run: command => ({name: 'run_shell_command', input: {command, description: 'Run a command'}}),
	read: file_path => ({name: 'read_file', input: {file_path}}),
	write: (file_path, content) => ({name: 'write_file', input: {file_path, content}}),
	plan: completed => [
		{
			name: 'write_todos',
			input: {todos: steps.map((description, at) => ({description, status: statusAt(at, completed)}))},
		},
	],
	denies: place => writing(geminiHeadless, place),
};

const opencodeHeadless: Headless = {
	name: 'opencode',
	patience: 2,
	package: 'opencode-ai@1.18.33',
	refusals: anthropicRefusals,
	program: ({installed}) => [
		join(installed, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`),
	],
	argv: place => [
		...opencodeHeadless.program(place),
		...['run', '--format', 'json', '--auto', '--model', 'stand-in/stand-in'],
	],
	env: (_, setting) => ({
		...Object.fromEntries(
			['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'SHARE'].map(name => [
				...[`OPENCODE_DISABLE_${name}`, '1'],
			]),
		),
		...(setting === 'denying'
			? {OPENCODE_PERMISSION: JSON.stringify({edit: 'deny', bash: {'*': 'allow', 'touch *': 'deny'}})}
			: {}),
	}),
	files: ({model}) => ({
		'.config/opencode/opencode.json': JSON.stringify({
			...{autoupdate: false, share: 'disabled'},
			...{model: 'stand-in/stand-in', small_model: 'stand-in/stand-in'},
			provider: {
				'stand-in': {
					npm: '@ai-sdk/anthropic',
					name: 'Stand-in',
					options: {baseURL: `${model}/v1`, apiKey: 'sk-stand-in'},
					models: {
						'stand-in': {
							...{name: 'Stand-in', tool_call: true, limit: {context: 200_000, output: 8000}},
							cost: {input: 3, output: 15, cache_read: 0.3, cache_write: 3.75},
						},
					},
				},
			},
		}),
	}),
	run: command => ({name: 'bash', input: {command, description: 'Run a command'}}),
	read: filePath => ({name: 'read', input: {filePath}}),
	write: (filePath, content) => ({name: 'write', input: {filePath, content}}),
	plan: completed => [
		{
			name: 'todowrite',
			input: {
				todos: steps.map((content, at) => ({
					...{content, status: statusAt(at, completed), priority: 'medium'},
				})),
			},
		},
	],
	denies: place => writing(opencodeHeadless, place),
};

const piHeadless: Headless = {
	patience: 5,
	...{name: pi.name, package: pi.package, env: pi.env, files: pi.files, refusals: anthropicRefusals},
	program: pi.argv,
	argv: place => [...pi.argv(place), '-p', '--mode', 'json'],
	run: command => ({name: 'bash', input: {command}}),
	read: path => ({name: 'read', input: {path}}),
	write: (path, content) => ({name: 'write', input: {path, content}}),
};

export const headlessTools: readonly Headless[] = [
	...[claudeHeadless, codexHeadless, geminiHeadless, opencodeHeadless, piHeadless],
];
