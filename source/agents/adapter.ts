import type {AdapterName} from '../colony/colony.ts';
import type {Outcome} from '../domain/errors.ts';
import {alphaArgv} from './alpha/argv.ts';
import {readAlphaOutput} from './alpha/read-output.ts';
import {betaArgv} from './beta/argv.ts';
import {readBetaOutput} from './beta/read-output.ts';
import type {Invocation} from './invocation.ts';
import type {AgentOutput} from './output.ts';
import {scriptArgv} from './script/argv.ts';
import {readScriptOutput} from './script/read-output.ts';

/** How one kind of agent tool is started and understood. All of it is pure. */
type Adapter = {
	readonly argv: (invocation: Invocation) => Outcome<string[]>;
	/** @param stdout what the agent printed, or the end of it */
	readonly readOutput: (stdout: string, exitCode: number) => AgentOutput;
};

const table: Readonly<Record<AdapterName, Adapter>> = {
	alpha: {argv: alphaArgv, readOutput: readAlphaOutput},
	beta: {argv: betaArgv, readOutput: readBetaOutput},
	script: {argv: scriptArgv, readOutput: readScriptOutput},
};

export const adapterOf = (name: AdapterName): Adapter => table[name];
