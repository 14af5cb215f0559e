import type {Bee} from '../colony/colony.ts';

/**
 * This machine's settings of an adapter: `adapters/<name>.yaml` in the machine-local directory (docs/rules.md
 * §9).
 */
export type AdapterSettings = {
	/** The program. Defaults to the adapter's name. */
	readonly binary?: string;
	/** The environment variable that holds the key. */
	readonly apiKeyEnv?: string;
};

/** One run as an adapter sees it. Paths are absolute. */
export type Invocation = {
	readonly bee: Bee;
	readonly prompt: string;
	readonly system?: string;
	readonly traceId: string;
	readonly agentId: string;
	/** Empty without a task. */
	readonly taskId: string;
	/** The agent's working directory: the workspace, or the sector in it. */
	readonly workspace: string;
	/** The first of the ten ports of the checkout it works in. Absent if it has none. */
	readonly port?: number | undefined;
	readonly colonyRoot: string;
	readonly runDir: string;
	readonly settings: AdapterSettings;
	/** The program of this hive, which serves MCP to the agent. Absent: it gets no server. */
	readonly hive?: string;
	/** Id of an earlier conversation that a run without a person resumes, as in `usage.toolSession`. */
	readonly resume?: string;
	/** True if hive contains it, so that a sandbox of its tool is needless, and would not start in there. */
	readonly contained?: boolean;
	/** The key that `apiKeyOf` found for the adapter. */
	readonly apiKey?: string;
};

/** How to start a run's program. */
export type Start = {
	readonly argv: readonly string[];
	/** Its standard input; empty unless set. */
	readonly input?: string;
	/** The argv of the agent, if the program only starts it. */
	readonly agent?: readonly string[];
	/** Settings of the tool for this run alone: the file `toolSettings` of the run directory. */
	readonly toolSettings?: string;
	/** Variables of the tool that go beyond those of every run. */
	readonly env?: Readonly<Record<string, string>>;
};
