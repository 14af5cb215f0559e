import type {AdapterName} from '../colony/colony.ts';
import type {Outcome} from '../domain/errors.ts';
import {alphaArgv, alphaSessionArgv} from './alpha/argv.ts';
import {readAlphaOutput} from './alpha/read-output.ts';
import {betaArgv, betaSessionArgv} from './beta/argv.ts';
import {readBetaOutput} from './beta/read-output.ts';
import type {Invocation} from './invocation.ts';
import type {AgentOutput} from './output.ts';
import {scriptArgv} from './script/argv.ts';
import {readScriptOutput} from './script/read-output.ts';

/** How one kind of agent tool is started and understood. All of it is pure. */
type Adapter = {
	readonly argv: (invocation: Invocation) => Outcome<string[]>;
	/** Of its own terminal program, for a person to talk with; absent where it has none. */
	readonly sessionArgv?: (invocation: Invocation) => string[];
	/** @param stdout what the agent printed, or the end of it */
	readonly readOutput: (stdout: string, exitCode: number) => AgentOutput;
};

const table: Readonly<Record<AdapterName, Adapter>> = {
	alpha: {argv: alphaArgv, sessionArgv: alphaSessionArgv, readOutput: readAlphaOutput},
	beta: {argv: betaArgv, sessionArgv: betaSessionArgv, readOutput: readBetaOutput},
	script: {argv: scriptArgv, readOutput: readScriptOutput},
};

export const adapterOf = (name: AdapterName): Adapter => table[name];
