import {version} from '../../package.json';
import {askSelf} from '../drivers/spawn-self.ts';
import {serve} from '../mcp/serve.ts';
import {channelOf} from './run-channel.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type McpOptions = {
	readonly env: Environment;
	readonly cwd: string;
	/** The tools to offer inside a run. Absent: all. */
	readonly tools?: readonly string[] | undefined;
};

/** Serves MCP for the run around this process, or else for a person's own assistant. */
export const serveMcp = async ({env, cwd, tools}: McpOptions): Promise<void> => {
	const channel = await channelOf(env, cwd);
	const runCommand = (args: readonly string[], signal: AbortSignal) => askSelf(args, {cwd, env, signal});
	serve({version, channel, runCommand, tools});
};
