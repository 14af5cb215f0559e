import type {AdapterName} from '../colony.ts';

/** An agent tool that `hive init` knows: how a bee starts it without a person to ask. */
export type AgentTool = {
	readonly name: string;
	readonly adapter: AdapterName;
	/** Its program, where that has not the adapter's name. */
	readonly binary?: string;
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
		note: 'It edits files of its workspace and runs commands without asking; "params: {args: […]}" adds to that.',
		canOnlyRead: true,
	},
	{
		name: 'codex',
		adapter: 'codex',
		note: 'It works in its sandbox: commands have no network and write to the workspace only. Local servers need "params: {args: [-c, sandbox_workspace_write.network_access=true]}".',
	},
	{
		name: 'cursor-agent',
		adapter: 'alpha',
		binary: 'cursor-agent',
		note: 'It runs commands without asking; "force: false" in params changes that.',
	},
	{
		name: 'gemini',
		adapter: 'gemini',
		note: 'It runs commands without asking; "params: {args: [--sandbox]}" puts it into its sandbox.',
	},
	{
		name: 'opencode',
		adapter: 'opencode',
		note: 'It runs commands without asking, but for what opencode.json denies.',
	},
	{
		name: 'pi',
		adapter: 'beta',
		binary: 'pi',
		note: 'It edits files and runs commands without asking.',
	},
	{name: 'alpha', adapter: 'alpha'},
	{name: 'beta', adapter: 'beta'},
];

/** What bees run when init finds no tool. */
export const fallbackTool: AgentTool = {name: 'alpha', adapter: 'alpha'};

/** Of a bee's file: which tool it works with, and how. */
export const worksWith = (tool: AgentTool, {readsOnly}: {readonly readsOnly: boolean}): string => {
	const {adapter, binary, note, canOnlyRead} = tool;
	const isReader = readsOnly && canOnlyRead === true;
	const params = [
		...(binary === undefined ? [] : [`binary: ${binary}`]),
		...(isReader ? ['read_only: true'] : []),
	];
	return [
		`adapter: ${adapter}`,
		...(note === undefined || isReader ? [] : [`# ${note}`]),
		...(params.length === 0 ? [] : [`params: {${params.join(', ')}}`]),
		'',
	].join('\n');
};
