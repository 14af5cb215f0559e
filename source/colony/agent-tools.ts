import type {Processes} from '../ports/processes.ts';
import {acpAgents} from './acp-agents.ts';
import {type AcpAgentName, type AdapterName, acpAgentNames} from './colony.ts';

/** An agent tool that hive knows: how a bee starts it without a person, and how to install it. */
export type AgentTool = {
	readonly name: string;
	readonly adapter: AdapterName;
	/** The agent that adapter `acp` starts. */
	readonly agent?: AcpAgentName;
	/** Its program, if the name differs from the adapter's. */
	readonly binary?: string;
	/**
	 * The command that installs it, or who provides it. Absent if the name stands for any program of its kind.
	 */
	readonly install?: string;
	/** Its permissions, as a comment in the bee's file. */
	readonly note?: string;
	/** True if it can ask a person before it acts: `permissions`. */
	readonly canAsk?: true;
	/** True if it can be kept from editing: `params.read_only`. */
	readonly canOnlyRead?: true;
	/** True if it reports what a run cost. */
	readonly reportsCost?: true;
};

/** In the order in which init prefers them. The adapters' own names come last. */
export const agentTools: readonly AgentTool[] = [
	{
		name: 'claude',
		adapter: 'claude',
		install: 'npm install -g @anthropic-ai/claude-code',
		note: 'It edits files of its workspace and runs commands without asking; "params: {args: […]}" adds to that.',
		canAsk: true,
		canOnlyRead: true,
		reportsCost: true,
	},
	{
		name: 'codex',
		adapter: 'codex',
		install: 'npm install -g @openai/codex',
		note: 'It works in its sandbox: commands have no network and write to the workspace only. Local servers need "params: {args: [-c, sandbox_workspace_write.network_access=true]}".',
	},
	{
		name: 'cursor-agent',
		adapter: 'alpha',
		binary: 'cursor-agent',
		install: 'its own installer; its web page has it',
		note: 'It runs commands without asking; "force: false" in params changes that.',
	},
	{
		name: 'gemini',
		adapter: 'gemini',
		install: 'npm install -g @google/gemini-cli',
		note: 'It runs commands without asking; "params: {args: [--sandbox]}" puts it into its sandbox.',
	},
	{
		name: 'opencode',
		adapter: 'opencode',
		install: 'npm install -g opencode-ai',
		note: 'It runs commands without asking, but for what opencode.json denies.',
		reportsCost: true,
	},
	{
		name: 'pi',
		adapter: 'beta',
		binary: 'pi',
		install: 'npm install -g @mariozechner/pi-coding-agent',
		note: 'It edits files and runs commands without asking.',
		reportsCost: true,
	},
	{name: 'alpha', adapter: 'alpha'},
	{name: 'beta', adapter: 'beta'},
];

const noteOf = (asksOnly: string | undefined): string =>
	asksOnly === undefined
		? 'It asks before it acts. hive answers by "permissions", and asks you about what they do not name: "hive question list".'
		: `${asksOnly} Where it does not ask, "permissions" have no effect.`;

/** The agents that speak the Agent Client Protocol, by the names of their tools: `hive init --acp`. */
export const acpTools: readonly AgentTool[] = acpAgentNames.map(name => ({
	name,
	adapter: 'acp',
	agent: name,
	install: acpAgents[name].install,
	note: noteOf(acpAgents[name].asksOnly),
	...(acpAgents[name].asksOnly === undefined && {canAsk: true, canOnlyRead: true}),
	...(acpAgents[name].reportsCost && {reportsCost: true}),
}));

/** The tool of the bees if init finds none. */
export const fallbackTool: AgentTool = {name: 'alpha', adapter: 'alpha'};

/** The program by which a tool is found. */
const programOf = ({name, agent}: AgentTool): string =>
	agent === undefined ? name : (acpAgents[agent].program ?? name);

/** Those of the tools that are on PATH, in the same order. */
export const findTools = async (
	which: Processes['which'],
	tools: readonly AgentTool[] = agentTools,
): Promise<AgentTool[]> => {
	const paths = await Promise.all(tools.map(tool => which(programOf(tool))));
	return tools.filter((_, index) => paths[index] !== undefined);
};

/** The program, with its install command if hive knows one. */
export const formatInstallHint = (program: string): string => {
	const known = [...agentTools, ...acpTools].find(tool => programOf(tool) === program);
	const install = known?.install;
	return install === undefined ? program : `${program} (${install})`;
};

/**
 * The message of every front end when a tool is needed and none is installed, as lines.
 *
 * @param tools either of the two lists
 */
export const noToolsMessage = (tools: readonly AgentTool[] = agentTools): readonly string[] => [
	`hive works with these ${tools === acpTools ? 'agents through the Agent Client Protocol' : 'agent tools'}; each line says how to install one:`,
	...tools.flatMap(({name, install}) => (install === undefined ? [] : [`${name}: ${install}`])),
	`A bee runs the one that "${tools === acpTools ? 'agent' : 'adapter'}" in its file below .hive/bees names.`,
	'Meanwhile "hive demo" shows the job with scripted bees.',
];
