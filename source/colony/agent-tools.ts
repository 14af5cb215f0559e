import type {Processes} from '../ports/processes.ts';
import type {AdapterName} from './colony.ts';

/**
 * An agent tool that hive knows: how a bee starts it without a person to ask, and how it comes onto a
 * machine.
 */
export type AgentTool = {
	readonly name: string;
	readonly adapter: AdapterName;
	/** Its program, where that has not the adapter's name. */
	readonly binary?: string;
	/** The command that installs it, or who does; absent where the name stands for any program of that kind. */
	readonly install?: string;
	/** What it may do, for the reader of the bee. */
	readonly note?: string;
	/** It can be kept from editing: `params.read_only`. */
	readonly canOnlyRead?: true;
};

/** In the order in which init prefers them; the adapters' own names are the last resort. */
export const agentTools: readonly AgentTool[] = [
	{
		name: 'claude',
		adapter: 'claude',
		install: 'npm install -g @anthropic-ai/claude-code',
		note: 'It edits files of its workspace and runs commands without asking; "params: {args: […]}" adds to that.',
		canOnlyRead: true,
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
	},
	{
		name: 'pi',
		adapter: 'beta',
		binary: 'pi',
		install: 'npm install -g @mariozechner/pi-coding-agent',
		note: 'It edits files and runs commands without asking.',
	},
	{name: 'alpha', adapter: 'alpha'},
	{name: 'beta', adapter: 'beta'},
];

/** What bees run when init finds no tool. */
export const fallbackTool: AgentTool = {name: 'alpha', adapter: 'alpha'};

/** Those of them that are on PATH, in that order. */
export const findTools = async (which: Processes['which']): Promise<AgentTool[]> => {
	const paths = await Promise.all(agentTools.map(({name}) => which(name)));
	return agentTools.filter((_, index) => paths[index] !== undefined);
};

const installable = agentTools.flatMap(({name, install}) => (install === undefined ? [] : [{name, install}]));

/** The program, with how it is installed where hive knows that. */
export const howToInstall = (program: string): string => {
	const install = installable.find(({name}) => name === program)?.install;
	return install === undefined ? program : `${program} (${install})`;
};

/** What every face says where a tool is wanted and none is there; a line each. */
export const howToGetTools = (): readonly string[] => [
	'hive knows these agent tools, each with how it is installed:',
	...installable.map(({name, install}) => `${name}: ${install}`),
	'A bee runs the one that "adapter" in its file below .hive/bees names.',
	'Meanwhile "hive demo" shows the job with scripted bees.',
];
