import type {AcpAgentName, AdapterName, Bee} from './colony.ts';

/** A known agent that speaks the Agent Client Protocol: its program, and the tool whose login it uses. */
export type AcpAgent = {
	/** The adapter of the same tool. Its keys, folders and setup steps count for the agent too. */
	readonly adapter: Exclude<AdapterName, 'acp' | 'script'>;
	/** The program, if it is another one than the tool's own. */
	readonly program?: string;
	/** Arguments that have the tool's own program speak the protocol. */
	readonly args: readonly string[];
	/** The command that installs it. */
	readonly install: string;
	/** True if it reports what a run cost. */
	readonly reportsCost?: true;
	/** Its mode in which a person is asked, if it begins in another one. */
	readonly mode?: string;
	/** Its mode without a sandbox of its own, which cannot start where hive contains it. */
	readonly containedMode?: string;
	/** When it asks, as a sentence, if not before each act. The rules of a bee are not enforced elsewhere. */
	readonly asksOnly?: string;
	/** Why hive does not serve files to it. It reads and writes its workspace itself. */
	readonly servesNoFiles?: string;
};

/** In the order in which init prefers them. */
export const acpAgents: Readonly<Record<AcpAgentName, AcpAgent>> = {
	claude: {
		adapter: 'claude',
		program: 'claude-agent-acp',
		args: [],
		install: 'npm install -g @agentclientprotocol/claude-agent-acp',
		// In its own mode a model answers what it would ask.
		mode: 'default',
		reportsCost: true,
	},
	codex: {
		adapter: 'codex',
		program: 'codex-acp',
		args: [],
		install: 'npm install -g @agentclientprotocol/codex-acp',
		mode: 'workspace-write',
		containedMode: 'agent-full-access',
		asksOnly: 'It asks before a command leaves its sandbox, and nothing where hive contains it.',
	},
	gemini: {
		adapter: 'gemini',
		args: ['--acp', '--skip-trust'],
		install: 'npm install -g @google/gemini-cli',
		servesNoFiles: 'It takes every error for a reason to stop, so it could make no new file.',
	},
	opencode: {
		adapter: 'opencode',
		args: ['acp'],
		install: 'npm install -g opencode-ai',
		reportsCost: true,
	},
	pi: {
		adapter: 'beta',
		program: 'pi-acp',
		args: [],
		install: 'npm install -g pi-acp @earendil-works/pi-coding-agent',
		asksOnly: 'It never asks.',
	},
};

/** The adapter whose keys, folders and machine settings the bee uses: for a known ACP agent, its tool's. */
export const toolAdapterOf = ({adapter, agent}: Pick<Bee, 'adapter' | 'agent'>): AdapterName =>
	adapter === 'acp' && agent !== undefined ? acpAgents[agent].adapter : adapter;

/** The command that replaces the adapter's whole invocation. For `acp` a command is the agent itself. */
export const replacingCommand = ({
	adapter,
	command,
}: Pick<Bee, 'adapter' | 'command'>): readonly string[] | undefined =>
	adapter === 'acp' ? undefined : command;
