import type {AdapterName, Bee} from '../colony/colony.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {runPath} from '../runs/layout.ts';
import {alphaStart, alphaTerminalArgv} from './alpha/argv.ts';
import {readAlphaRecord} from './alpha/stream.ts';
import {betaStart, betaTerminalArgv} from './beta/argv.ts';
import {readBetaRecord} from './beta/stream.ts';
import {claudeStart, claudeTerminalArgv} from './claude/argv.ts';
import {codexStart, codexTerminalArgv} from './codex/argv.ts';
import {readCodexRecord} from './codex/stream.ts';
import {commandArgv} from './command.ts';
import type {FirstStep} from './first-step.ts';
import {geminiStart, geminiTerminalArgv} from './gemini/argv.ts';
import {readGeminiRecord} from './gemini/stream.ts';
import type {Invocation, Start} from './invocation.ts';
import {readMessageStream} from './message-stream.ts';
import {opencodeStart, opencodeTerminalArgv} from './opencode/argv.ts';
import {readOpencodeRecord} from './opencode/stream.ts';
import {refuseWithoutCommand} from './script/argv.ts';
import {isFeedback} from './script/feedback.ts';
import type {Summing} from './sum-up.ts';

/** How one kind of agent tool is started and understood. All of it is pure. */
type Adapter = Summing & {
	/** Of a bee without a `command` of its own. */
	readonly start: (invocation: Invocation) => Outcome<Start>;
	/** Of its own terminal program, for a person to talk with; absent where it has none. */
	readonly terminalArgv?: (invocation: Invocation) => string[];
	/** It keeps its agent from writing anything of hive's but the run's spool. */
	readonly confines?: true;
	/** It goes on with an earlier conversation that `Invocation.resume` names. */
	readonly resumes?: true;
	/** Variables in which the tool looks for its key; one that its home file names is passed in them. */
	readonly keyVariables?: readonly string[];
	/** What it fails with until a person has done something in it once. */
	readonly firstSteps?: readonly FirstStep[];
};

const starting = (start: (invocation: Invocation) => Start) => (invocation: Invocation) =>
	accepted(start(invocation));

const table: Readonly<Record<AdapterName, Adapter>> = {
	alpha: {
		start: starting(alphaStart),
		terminalArgv: alphaTerminalArgv,
		resumes: true,
		read: readAlphaRecord,
		source: 'cursor.stream-json',
		// The spec's name, and that of cursor-agent.
		keyVariables: ['ALPHA_API_KEY', 'CURSOR_API_KEY'],
		firstSteps: [
			{
				when: /authentication required|not logged in|agent login/i,
				step: 'run "$ login", or set CURSOR_API_KEY',
			},
			{when: /workspace trust/i, step: 'run "$" here in a terminal once, and trust the folder'},
		],
	},
	beta: {
		start: starting(betaStart),
		terminalArgv: betaTerminalArgv,
		resumes: true,
		read: readBetaRecord,
		source: 'pi.json',
		firstSteps: [
			{
				when: /no api key|no models available|use \/login|re-authenticate/i,
				step: 'run "$" in a terminal and type /login, or set the key of its provider',
			},
		],
	},
	claude: {
		start: starting(claudeStart),
		terminalArgv: claudeTerminalArgv,
		resumes: true,
		read: readMessageStream,
		source: 'claude.stream-json',
		saysEnd: true,
		keyVariables: ['ANTHROPIC_API_KEY'],
		firstSteps: [
			{
				when: /run \/login|invalid api key|invalid bearer token/i,
				step: 'run "$" in a terminal and type /login, or set ANTHROPIC_API_KEY',
			},
		],
	},
	codex: {
		start: starting(codexStart),
		terminalArgv: codexTerminalArgv,
		resumes: true,
		read: readCodexRecord,
		source: 'codex.json',
		confines: true,
		saysEnd: true,
		keyVariables: ['CODEX_API_KEY'],
		firstSteps: [
			{
				when: /401 unauthorized|log out and sign in|not logged in/i,
				step: 'run "$ login", or set CODEX_API_KEY',
			},
			{
				when: /not inside a trusted directory/i,
				step: 'run "$" here in a terminal once, and trust the folder',
			},
		],
	},
	gemini: {
		start: starting(geminiStart),
		terminalArgv: geminiTerminalArgv,
		resumes: true,
		read: readGeminiRecord,
		source: 'gemini.stream-json',
		confines: true,
		saysEnd: true,
		keyVariables: ['GEMINI_API_KEY'],
		firstSteps: [
			{
				when: /set an auth method|api key not valid|api_key_invalid/i,
				step: 'run "$" in a terminal and choose how to log in, or set GEMINI_API_KEY',
			},
			{
				when: /not running in a trusted directory/i,
				step: 'add --skip-trust to params.args of its bee, or run "$" here in a terminal once and trust the folder',
			},
		],
	},
	opencode: {
		start: starting(opencodeStart),
		terminalArgv: opencodeTerminalArgv,
		resumes: true,
		read: readOpencodeRecord,
		source: 'opencode.json',
		saysEnd: true,
		firstSteps: [
			{
				when: /providerautherror|auth login|no providers|api key/i,
				step: 'run "$ auth login", or set the key of its provider',
			},
		],
	},
	script: {start: refuseWithoutCommand, source: 'script', isForeign: isFeedback},
};

/** What a run starts: the bee's own command, else what the adapter makes of its params. */
export const startOf = (invocation: Invocation): Outcome<Start> => {
	const {adapter, command} = invocation.bee;
	return command === undefined
		? table[adapter].start(invocation)
		: accepted({argv: commandArgv(command, invocation)});
};

/** The file for the result of a run, absolute: the agent has to be able to write it (docs/rules.md §8). */
export const resultFileOf = ({adapter, command}: Pick<Bee, 'adapter' | 'command'>, runDir: string): string =>
	runPath(runDir, table[adapter].confines && command === undefined ? 'spooledSummary' : 'summary');

/** What else there is to know of an adapter. */
export const adapterOf = (name: AdapterName): Omit<Adapter, 'start'> => table[name];
