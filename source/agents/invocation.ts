import type {Bee} from '../colony/colony.ts';

/**
 * What this machine adds to an adapter: `adapters/<name>.yaml` of the machine-local directory (docs/rules.md
 * §9).
 */
export type AdapterSettings = {
	/** The program; the adapter's own name unless set. */
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
	/** Where the agent works: the workspace, or the sector in it. */
	readonly workspace: string;
	/** First of the ten ports that belong to the checkout it works in; absent where it got none. */
	readonly port?: number | undefined;
	readonly colonyRoot: string;
	readonly runDir: string;
	readonly settings: AdapterSettings;
	/**
	 * The tool's own id of an earlier conversation, as `usage.toolSession` has it, that a run without a person
	 * is to go on with.
	 */
	readonly resume?: string;
	/** The key that `apiKeyOf` found for the adapter. */
	readonly apiKey?: string;
};

/** What starts a run's program. */
export type Start = {
	readonly argv: readonly string[];
	/** What it reads on its standard input; nothing unless set. */
	readonly input?: string;
};
