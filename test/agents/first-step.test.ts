import {describe, expect, it} from 'vitest';
import {adapterOf} from '../../source/agents/adapter.ts';
import {firstStepIn} from '../../source/agents/first-step.ts';
import type {AdapterName} from '../../source/colony/colony.ts';

const said = (adapter: AdapterName, errors: string, program: string = adapter) =>
	firstStepIn(errors, {program, steps: adapterOf(adapter).firstSteps ?? []});

/** Errors as the tools print them without a login or with a wrong key. */
const asking: readonly (readonly [AdapterName, string, string])[] = [
	['claude', 'Not logged in · Please run /login', 'run "claude" in a terminal and type /login'],
	['claude', 'Invalid API key · Please run /login', 'or set ANTHROPIC_API_KEY'],
	[
		'codex',
		'unexpected status 401 Unauthorized: Incorrect API key provided: x., url: y',
		'run "codex login"',
	],
	[
		'codex',
		'Not inside a trusted directory and --skip-git-repo-check was not specified.',
		'trust the folder',
	],
	[
		'gemini',
		'YOLO mode is enabled. All tool calls will be automatically approved.\nPlease set an Auth method in your /home/bee/.gemini/settings.json or specify one of the following environment variables before running: GEMINI_API_KEY',
		'or set GEMINI_API_KEY',
	],
	[
		'gemini',
		'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`',
		'trust the folder',
	],
	['opencode', 'ProviderAuthError: anthropic', 'run "opencode auth login"'],
	[
		'beta',
		'No API key found for the selected model.\n\nUse /login to log into a provider via OAuth or API key. See:\n  docs/models.md',
		'in a terminal and type /login',
	],
	['alpha', "Authentication required. Please run 'agent login' first", 'or set CURSOR_API_KEY'],
];

describe('an error of login or key', () => {
	it.each(asking)('of %s is reported with the command that fixes it: %s', (adapter, errors, step) => {
		expect(said(adapter, errors)).toContain(step);
	});

	it('is reported with the program that really started, and with its relevant line only', () => {
		expect(said('beta', asking[7]?.[1] ?? '', 'pi')).toBe(
			'No API key found for the selected model. To fix it, run "pi" in a terminal and type /login, or set the key of its provider.',
		);
	});

	it('is not recognised in any other error', () => {
		for (const adapter of ['alpha', 'beta', 'claude', 'codex', 'gemini', 'opencode', 'script'] as const)
			for (const errors of [
				'',
				'overloaded',
				'You have reached your usage limit.',
				'exit code 1',
				'TypeError: x',
			])
				expect(said(adapter, errors)).toBeUndefined();
	});
});
