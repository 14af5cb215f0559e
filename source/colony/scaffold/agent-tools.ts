import type {AdapterName} from '../colony.ts';

/** An agent tool that `hive init` knows: how a bee starts it without a person to ask. */
export type AgentTool = {
	readonly name: string;
	readonly adapter: AdapterName;
	/** Absent: the adapter's own mapping. */
	readonly command?: readonly string[];
	/** With a person to ask. */
	readonly interactive?: readonly string[];
	/** What the tool may do, for the reader of the bee. */
	readonly note?: string;
};

/** In the order in which init prefers them; the adapters' own names are the last resort. */
export const agentTools: readonly AgentTool[] = [
	{
		name: 'claude',
		adapter: 'alpha',
		command: [
			...['claude', '-p', '$PROMPT', '--output-format', 'stream-json', '--verbose'],
			...['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Read,Edit,Write'],
		],
		interactive: ['claude', '$PROMPT'],
		note: 'It edits files and runs commands without asking; narrow --allowedTools to change that.',
	},
	{
		name: 'codex',
		adapter: 'alpha',
		command: ['codex', 'exec', '--sandbox', 'danger-full-access', '$PROMPT'],
		interactive: ['codex', '$PROMPT'],
		note: 'It runs commands without asking. A narrower --sandbox also blocks "hive event emit" and local servers.',
	},
	{
		name: 'cursor-agent',
		adapter: 'alpha',
		command: ['cursor-agent', '-p', '--trust', '--force', '--output-format', 'stream-json', '$PROMPT'],
		interactive: ['cursor-agent', '$PROMPT'],
		note: 'It runs commands without asking; drop --force to change that.',
	},
	{
		name: 'gemini',
		adapter: 'alpha',
		command: ['gemini', '--approval-mode', 'yolo', '--skip-trust', '-p', '$PROMPT'],
		interactive: ['gemini', '--prompt-interactive=$PROMPT'],
		note: 'It runs commands without asking; choose another --approval-mode to change that.',
	},
	{
		name: 'opencode',
		adapter: 'alpha',
		command: ['opencode', 'run', '$PROMPT'],
		interactive: ['opencode', '--prompt=$PROMPT'],
		note: 'What it may do is set in opencode.json; what it would have to ask for is refused unless you add --auto.',
	},
	{name: 'alpha', adapter: 'alpha'},
	{name: 'beta', adapter: 'beta'},
];

/** What bees run when init finds no tool. */
export const fallbackTool: AgentTool = {name: 'alpha', adapter: 'alpha'};

/** Of a bee's file: how it works by itself, and how a person talks with it. */
export const worksWith = ({adapter, command, interactive, note}: AgentTool): string => {
	const lines = [`adapter: ${adapter}`];
	if (note) lines.push(`# ${note}`);
	if (command) lines.push(`command: ${flowList(command)}`);
	if (interactive) lines.push(`interactive_command: ${flowList(interactive)}`);
	return `${lines.join('\n')}\n`;
};

const flowList = (argv: readonly string[]): string => JSON.stringify(argv).replaceAll('","', '", "');
