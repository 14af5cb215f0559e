import {join} from 'node:path';
import {replacingCommand, toolAdapterOf} from '../colony/acp-agents.ts';
import {type AdapterName, adapters, type Colony} from '../colony/colony.ts';
import {tokenVariables} from '../colony/forge.ts';
import {isGitLocalVariable} from '../domain/git-environment.ts';
import {runPath} from '../runs/layout.ts';
import {isTraced} from '../telemetry/settings.ts';
import {traceParent} from '../telemetry/trace-context.ts';
import {resultFileOf, toolOf} from './adapter.ts';
import type {AdapterSettings, Invocation} from './invocation.ts';
import {commandVariables} from './substitute.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings by adapter. An adapter without a file has none. */
export type SettingsByAdapter = Readonly<Partial<Record<AdapterName, AdapterSettings>>>;

const alphaKey = 'ALPHA_API_KEY';

/**
 * The key that hive passes (docs/rules.md §8): the value of the variable named by `api_key_env`. Undefined if
 * that is empty or not set.
 */
export const apiKeyOf = (
	adapter: AdapterName,
	{apiKeyEnv}: AdapterSettings,
	parent: Environment,
): string | undefined => {
	if (apiKeyEnv === undefined || adapter === 'script') return undefined;
	return parent[apiKeyEnv] || undefined;
};

/**
 * The environment of a run. It is the parent's, without: hive's own secrets, keys of other adapters, secrets
 * of the colony's forge, variables of an outer run, and variables that name an outer git repository. It adds
 * the `HIVE_*` table of the spec, and `TRACEPARENT` where spans are sent. This hive's folder is first on
 * PATH, and its program is in `$HIVE`, since a login shell resets PATH. A bee with a command also gets the
 * command's variables, such as `$PROMPT`.
 */
export const agentEnvironment = (
	parent: Environment,
	invocation: Invocation,
	{
		binDir,
		settings,
		colony,
	}: {
		readonly binDir: string;
		readonly settings: () => SettingsByAdapter;
		readonly colony: () => Pick<Colony, 'forge'>;
	},
): Record<string, string> => {
	const {bee} = invocation;
	const foreign = new Set([...foreignKeys(toolAdapterOf(bee), settings()), ...forgeSecrets(colony())]);
	const kept = Object.entries(parent).flatMap(([name, value]) =>
		value === undefined ||
		isOwnSecret(name) ||
		name === crashVariable ||
		isRunVariable(name) ||
		isGitLocalVariable(name) ||
		foreign.has(name)
			? []
			: [[name, value] as const],
	);
	return {
		...toolOf(bee).variables,
		...Object.fromEntries(kept),
		...(replacingCommand(bee) && commandVariables(invocation)),
		...runVariables(invocation),
		...keyFor(invocation),
		...(isTraced(parent) && {TRACEPARENT: traceParent(invocation.traceId, invocation.agentId)}),
		HIVE: join(binDir, 'hive'),
		PATH: parent.PATH ? `${binDir}:${parent.PATH}` : binDir,
	};
};

/**
 * The key for a tool that reads it from its environment. It is not an argument, since every user of the
 * machine can read those.
 */
const keyFor = ({bee, apiKey}: Invocation): Record<string, string> => {
	const {keyVariables} = toolOf(bee);
	return apiKey === undefined ? {} : Object.fromEntries(keyVariables.map(name => [name, apiKey]));
};

/**
 * Crashes a hive on purpose (drivers/crash-at.ts). It applies to that process only, not to those that agents
 * start.
 */
const crashVariable = 'HIVE_CRASH_AT';

const isOwnSecret = (name: string): boolean => /^HIVE_.*(TOKEN|SECRET|PASSWORD|KEY)$/.test(name);

/** The token of the colony's forge and the secret of its webhook are for hive alone. */
const forgeSecrets = ({forge}: Pick<Colony, 'forge'>): readonly string[] => {
	if (forge === undefined) return [];
	const {provider, webhookSecretEnv} = forge;
	return [...tokenVariables[provider], ...(webhookSecretEnv === undefined ? [] : [webhookSecretEnv])];
};

const foreignKeys = (own: AdapterName, settings: SettingsByAdapter): ReadonlySet<string> => {
	const keyOf = (name: AdapterName) => settings[name]?.apiKeyEnv ?? (name === 'alpha' ? alphaKey : undefined);
	const others = adapters.filter(name => name !== own).flatMap(name => keyOf(name) ?? []);
	return new Set([...others, ...(own === 'alpha' ? [] : [alphaKey])].filter(key => key !== keyOf(own)));
};

const runVariableNames = [
	'HIVE_TRACE_ID',
	'HIVE_AGENT_ID',
	'HIVE_TASK_ID',
	'HIVE_WORKSPACE',
	'HIVE_PORT',
	'HIVE_COLONY_ROOT',
	'HIVE_RUN_DIR',
	'HIVE_BEE',
	'HIVE_EVENT_LOG',
	'HIVE_RESULT_FILE',
	'HIVE_PROMPT_FILE',
	'HIVE_SYSTEM_FILE',
] as const;

const isRunVariable = (name: string): boolean => runVariableNames.some(known => known === name);

const runVariables = (invocation: Invocation): Partial<Record<(typeof runVariableNames)[number], string>> => {
	const {runDir, taskId, port, system} = invocation;
	return {
		HIVE_TRACE_ID: invocation.traceId,
		HIVE_AGENT_ID: invocation.agentId,
		...(taskId !== '' && {HIVE_TASK_ID: taskId}),
		HIVE_WORKSPACE: invocation.workspace,
		...(port !== undefined && {HIVE_PORT: String(port)}),
		HIVE_COLONY_ROOT: invocation.colonyRoot,
		HIVE_RUN_DIR: runDir,
		HIVE_BEE: invocation.bee.role,
		HIVE_EVENT_LOG: runPath(runDir, 'events'),
		HIVE_RESULT_FILE: resultFileOf(invocation.bee, runDir),
		HIVE_PROMPT_FILE: runPath(runDir, 'prompt'),
		...(system !== undefined && {HIVE_SYSTEM_FILE: runPath(runDir, 'system')}),
	};
};
