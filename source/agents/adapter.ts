import type {AdapterName} from '../colony/colony.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {alphaStart, alphaTerminalArgv} from './alpha/argv.ts';
import {readAlphaRecord} from './alpha/stream.ts';
import {betaStart, betaTerminalArgv} from './beta/argv.ts';
import {readBetaRecord} from './beta/stream.ts';
import {claudeStart, claudeTerminalArgv} from './claude/argv.ts';
import {codexStart, codexTerminalArgv} from './codex/argv.ts';
import {readCodexRecord} from './codex/stream.ts';
import {commandArgv} from './command.ts';
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
	/** Where the tool looks for its key; one that its home file names is passed in it. */
	readonly keyVariable?: string;
};

const starting = (start: (invocation: Invocation) => Start) => (invocation: Invocation) =>
	accepted(start(invocation));

const table: Readonly<Record<AdapterName, Adapter>> = {
	alpha: {
		start: starting(alphaStart),
		terminalArgv: alphaTerminalArgv,
		read: readAlphaRecord,
		source: 'cursor.stream-json',
	},
	beta: {
		start: starting(betaStart),
		terminalArgv: betaTerminalArgv,
		read: readBetaRecord,
		source: 'pi.json',
	},
	claude: {
		start: starting(claudeStart),
		terminalArgv: claudeTerminalArgv,
		read: readMessageStream,
		source: 'claude.stream-json',
		saysEnd: true,
		keyVariable: 'ANTHROPIC_API_KEY',
	},
	codex: {
		start: starting(codexStart),
		terminalArgv: codexTerminalArgv,
		read: readCodexRecord,
		source: 'codex.json',
		saysEnd: true,
		keyVariable: 'CODEX_API_KEY',
	},
	gemini: {
		start: starting(geminiStart),
		terminalArgv: geminiTerminalArgv,
		read: readGeminiRecord,
		source: 'gemini.stream-json',
		saysEnd: true,
		keyVariable: 'GEMINI_API_KEY',
	},
	opencode: {
		start: starting(opencodeStart),
		terminalArgv: opencodeTerminalArgv,
		read: readOpencodeRecord,
		source: 'opencode.json',
		saysEnd: true,
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

/** What else there is to know of an adapter. */
export const adapterOf = (name: AdapterName): Omit<Adapter, 'start'> => table[name];
