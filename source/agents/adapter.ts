import {replacingCommand, toolAdapterOf} from '../colony/acp-agents.ts';
import type {AdapterName, Bee} from '../colony/colony.ts';
import {wantsContainment} from '../domain/containment.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {runPath} from '../runs/layout.ts';
import {acpStart} from './acp/argv.ts';
import {readAcpRecord} from './acp/stream.ts';
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
import type {SummaryOptions} from './summarize-output.ts';

/** How to start one kind of agent tool, and how to read its output. All functions are pure. */
type Adapter = SummaryOptions & {
	/** For a bee without a `command` of its own. */
	readonly start: (invocation: Invocation) => Outcome<Start>;
	/** The argv of the tool's own terminal program for a session. Absent if it has none. */
	readonly terminalArgv?: (invocation: Invocation) => string[];
	/**
	 * True if the tool confines its agent: the run's spool is the only place of hive's that it can write to.
	 */
	readonly confines?: true;
	/** True if it can resume an earlier conversation, which `Invocation.resume` names. */
	readonly resumes?: true;
	/**
	 * The variables in which the tool expects its key. A key from the adapter's home file is passed in them.
	 */
	readonly keyVariables?: readonly string[];
	/** Variables that have the tool say more of its work. A person's own value stays. */
	readonly variables?: Readonly<Record<string, string>>;
	/** Errors that occur until a person has set up the tool once. */
	readonly firstSteps?: readonly FirstStep[];
};

const starting = (start: (invocation: Invocation) => Start) => (invocation: Invocation) =>
	accepted(start(invocation));

const table: Readonly<Record<AdapterName, Adapter>> = {
	acp: {
		start: starting(acpStart),
		terminalArgv: invocation => ofTool(invocation.bee).terminalArgv?.(ofTerminal(invocation)) ?? [],
		resumes: true,
		read: readAcpRecord,
		source: 'acp.json',
		hasEndRecord: true,
	},
	alpha: {
		start: starting(alphaStart),
		terminalArgv: alphaTerminalArgv,
		resumes: true,
		read: readAlphaRecord,
		source: 'cursor.stream-json',
		// The name in the spec, and the one of cursor-agent.
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
		hasEndRecord: true,
		keyVariables: ['ANTHROPIC_API_KEY'],
		// Newer versions leave the todo list out of their stream without it.
		variables: {CLAUDE_CODE_ENABLE_TODO_TOOLS: '1'},
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
		hasEndRecord: true,
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
		hasEndRecord: true,
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
		hasEndRecord: true,
		firstSteps: [
			{
				when: /providerautherror|auth login|no providers|api key/i,
				step: 'run "$ auth login", or set the key of its provider',
			},
		],
	},
	script: {start: refuseWithoutCommand, source: 'script', isForeign: isFeedback},
};

/** How to start a run: the bee's own command, else the adapter's with the bee's params. */
export const startOf = (invocation: Invocation): Outcome<Start> => {
	const command = replacingCommand(invocation.bee);
	return command === undefined
		? table[invocation.bee.adapter].start(invocation)
		: accepted({argv: commandArgv(command, invocation)});
};

/** Absolute path of the run's result file, in a place that the agent can write to (docs/rules.md §8). */
export const resultFileOf = (
	bee: Pick<Bee, 'adapter' | 'agent' | 'command' | 'contain'>,
	runDir: string,
): string => {
	const isConfined = ofTool(bee).confines && bee.command === undefined;
	return runPath(runDir, isConfined || wantsContainment(bee.contain) ? 'spooledSummary' : 'summary');
};

/** The adapter of the tool that a bee runs, directly or by the Agent Client Protocol. */
const ofTool = (bee: Pick<Bee, 'adapter' | 'agent'>): Omit<Adapter, 'start'> => {
	const name = toolAdapterOf(bee);
	return name === 'acp' ? {source: table.acp.source} : table[name];
};

/** The terminal program of a tool is not the one that speaks the protocol. */
const ofTerminal = ({bee, ...invocation}: Invocation): Invocation => {
	const binary = invocation.settings.binary ?? bee.agent;
	return {...invocation, bee: {...bee, params: {...bee.params, binary}}};
};

/** The variables and setup steps of the bee's tool. */
export const toolOf = (bee: Pick<Bee, 'adapter' | 'agent'>) => {
	const {keyVariables = [], variables = {}, firstSteps = []} = ofTool(bee);
	const [first] = firstSteps;
	const isByProtocol = bee.adapter === 'acp' && first !== undefined;
	const login = isByProtocol ? [{when: /authentication required|auth_required/i, step: first.step}] : [];
	return {keyVariables, variables, firstSteps: [...firstSteps, ...login]};
};

/** The other properties of an adapter. */
export const adapterOf = (name: AdapterName): Omit<Adapter, 'start'> => table[name];
