import {McpServer} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {addPersonTools, type RunCommand} from './person-tools.ts';
import type {RunChannel} from './run-channel.ts';
import {addRunTools, commonTools, publishingTools} from './run-tools.ts';

export type Serving = {
	readonly version: string;
	/** The run around this process. Absent: the server is a person's. */
	readonly channel: RunChannel | undefined;
	readonly runCommand: RunCommand;
	/** The tools to offer inside a run. Absent: all. */
	readonly tools?: readonly string[] | undefined;
};

/** Serves the tools on standard input and output, until the client closes them. */
export const serve = ({version, channel, runCommand, tools}: Serving): void => {
	serveStdio(() => {
		const server = new McpServer({name: 'hive', version});
		if (channel === undefined) addPersonTools(server, runCommand);
		else addRunTools(server, channel, new Set(tools ?? [...commonTools, ...publishingTools]));
		return server;
	});
};
