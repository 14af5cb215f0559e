import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';

/** The folders and addresses of a running tool. */
export type Place = {
	/** The folder with its `node_modules`. */
	readonly installed: string;
	readonly home: string;
	/** The folder that it works in. */
	readonly workspace: string;
	/** The address of the model, without a path. */
	readonly model: string;
};

/** An agent tool as its makers publish it. */
export type Tool = {
	readonly name: string;
	/** The package with its exact version for npm. */
	readonly package: string;
	/** The command line, up to the first prompt. */
	readonly argv: (place: Place) => readonly [string, ...string[]];
	readonly env: (place: Place) => Readonly<Record<string, string>>;
	/** Files in the home of a person who has used the tool before. */
	readonly files: (place: Place) => Readonly<Record<string, string>>;
	/** Keys that are typed one after the other until the tool ends. */
	readonly quit: readonly string[];
};

/** Long enough for tools that check the form of a key. */
const key = 'sk-ant-api03-stand-in-stand-in-stand-in';

export const claude: Tool = {
	name: 'claude',
	package: '@anthropic-ai/claude-code@2.1.330',
	argv: ({installed}) => [
		process.execPath,
		join(installed, 'node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs'),
	],
	env: ({model}) => ({
		ANTHROPIC_BASE_URL: model,
		ANTHROPIC_API_KEY: key,
		CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		DISABLE_AUTOUPDATER: '1',
		DISABLE_TELEMETRY: '1',
		DISABLE_ERROR_REPORTING: '1',
	}),
	files: ({workspace}) => ({
		'.claude.json': JSON.stringify({
			hasCompletedOnboarding: true,
			lastOnboardingVersion: '2.1.330',
			theme: 'dark',
			customApiKeyResponses: {approved: [key.slice(-20)], rejected: []},
			projects: {[workspace]: {hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true}},
		}),
		'.claude/settings.json': JSON.stringify({permissions: {allow: ['Bash(ls:*)']}}),
	}),
	quit: ['/exit', '\r'],
};

export const codex: Tool = {
	name: 'codex',
	package: '@openai/codex@0.169.0',
	argv: ({installed}) => [process.execPath, join(installed, 'node_modules/@openai/codex/bin/codex.js')],
	env: () => ({STAND_IN_KEY: key}),
	files: ({workspace, model}) => ({
		'.codex/config.toml': [
			'model = "stand-in"',
			'model_provider = "stand-in"',
			'approval_policy = "never"',
			'sandbox_mode = "danger-full-access"',
			'check_for_update_on_startup = false',
			'[analytics]',
			'enabled = false',
			'[model_providers.stand-in]',
			'name = "Stand-in"',
			`base_url = "${model}/v1"`,
			'wire_api = "responses"',
			'env_key = "STAND_IN_KEY"',
			`[projects."${workspace}"]`,
			'trust_level = "trusted"',
			'',
		].join('\n'),
	}),
	quit: ['/quit', '\r'],
};

export const pi: Tool = {
	name: 'pi',
	package: '@mariozechner/pi-coding-agent@0.73.1',
	argv: ({installed}) => [
		process.execPath,
		join(installed, 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js'),
		...['--provider', 'stand-in', '--model', 'stand-in'],
	],
	env: () => ({PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1'}),
	files: ({model}) => ({
		'.pi/agent/models.json': JSON.stringify({
			providers: {
				'stand-in': {baseUrl: model, api: 'anthropic-messages', apiKey: key, models: [{id: 'stand-in'}]},
			},
		}),
		'.pi/agent/settings.json': JSON.stringify({enableInstallTelemetry: false}),
	}),
	quit: ['/quit', '\r'],
};

export const tools: readonly Tool[] = [claude, codex, pi];

/** Returns the environment of a tool that can reach only the model. */
export const environmentOf = (tool: Pick<Tool, 'env'>, place: Place): Record<string, string> => ({
	PATH: process.env.PATH ?? '',
	HOME: place.home,
	LANG: 'C.UTF-8',
	TERM: 'xterm-256color',
	...Object.fromEntries(
		['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy', 'ALL_PROXY'].map(name => [name, place.model]),
	),
	NO_PROXY: '127.0.0.1',
	no_proxy: '127.0.0.1',
	...tool.env(place),
});

export const prepareHome = async (tool: Pick<Tool, 'files'>, place: Place): Promise<void> => {
	for (const [path, content] of Object.entries(tool.files(place))) {
		await mkdir(dirname(join(place.home, path)), {recursive: true});
		await writeFile(join(place.home, path), content);
	}
};
