import {type Bee, declares} from '../colony/colony.ts';
import type {Invocation} from './invocation.ts';

/** How an agent tool starts hive's MCP server. */
export type McpServer = {
	readonly command: string;
	readonly args: readonly string[];
	/** For tools that do not hand on their environment. */
	readonly env: Readonly<Record<string, string>>;
};

/** The name of the server, which tools put before the names of its tools. */
export const serverName = 'hive';

/** The longest time-out that tools take, in milliseconds: a person may answer days later. */
export const longestCallMs = 2_147_483_647;

/** hive's MCP server for a run. Undefined if the program of hive is not known. */
export const mcpServerOf = ({hive, bee, ...run}: Invocation): McpServer | undefined =>
	hive === undefined
		? undefined
		: {
				command: hive,
				args: ['mcp', '--tools', toolsOf(bee).join(',')],
				env: {
					HIVE_TRACE_ID: run.traceId,
					HIVE_AGENT_ID: run.agentId,
					HIVE_COLONY_ROOT: run.colonyRoot,
					...(run.taskId !== '' && {HIVE_TASK_ID: run.taskId}),
				},
			};

/** The tools of the server that the bee may use. */
const toolsOf = (bee: Bee): readonly string[] => [
	...(declares(bee, 'INSIGHT', 'task.plan') ? ['publish_plan'] : []),
	...(['verification.success', 'verification.failed'].some(kind => declares(bee, 'VERIFICATION', kind))
		? ['publish_verdict']
		: []),
	...['set_title', 'emit_event', 'get_task', 'list_artifacts', 'ask_human'],
	...(bee.permissions === undefined ? [] : ['ask_permission']),
];
