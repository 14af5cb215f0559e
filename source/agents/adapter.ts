import type {AdapterName} from '../colony/colony.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {alphaArgv, alphaSessionArgv} from './alpha/argv.ts';
import {readAlphaOutput} from './alpha/read-output.ts';
import {betaArgv, betaSessionArgv} from './beta/argv.ts';
import {readBetaOutput} from './beta/read-output.ts';
import {agentEnvironment, type Environment, type SettingsByAdapter} from './environment.ts';
import type {Invocation} from './invocation.ts';
import type {AgentOutput} from './output.ts';
import {scriptArgv, scriptSessionArgv} from './script/argv.ts';
import {readScriptOutput} from './script/read-output.ts';

/** How one kind of agent tool is started and understood. All of it is pure. */
type Adapter = {
	readonly name: AdapterName;
	/** Of an autonomous run. */
	readonly argv: (invocation: Invocation) => Outcome<string[]>;
	/** Of an interactive session, in a terminal. Refuses with `usage` where the adapter has none (docs/rules.md §11). */
	readonly session: (invocation: Invocation, machine: Machine) => Outcome<SessionCommand>;
	/** @param stdout what the agent printed, or the end of it */
	readonly readOutput: (stdout: string, exitCode: number) => AgentOutput;
};

/** What a session starts from: the environment of this process, hive's folder for PATH, the home files of the adapters. */
type Machine = {
	readonly environment: Environment;
	readonly binDir: string;
	readonly settings: () => SettingsByAdapter;
};

type SessionCommand = {
	readonly argv: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** Absolute. */
	readonly cwd: string;
};

/** Runs and sessions find the same environment in the same folder. */
const sessionWith =
	(argvOf: Adapter['argv']): Adapter['session'] =>
	(invocation, machine) => {
		const argv = argvOf(invocation);
		if (!argv.ok) return argv;
		const environment = agentEnvironment(machine.environment, invocation, machine);
		return accepted({argv: argv.value, environment, cwd: invocation.workspace});
	};

const table: Readonly<Record<AdapterName, Adapter>> = {
	alpha: {
		name: 'alpha',
		argv: alphaArgv,
		session: sessionWith(alphaSessionArgv),
		readOutput: readAlphaOutput,
	},
	beta: {
		name: 'beta',
		argv: betaArgv,
		session: sessionWith(betaSessionArgv),
		readOutput: readBetaOutput,
	},
	script: {
		name: 'script',
		argv: scriptArgv,
		session: sessionWith(scriptSessionArgv),
		readOutput: readScriptOutput,
	},
};

export const adapterOf = (name: AdapterName): Adapter => table[name];
