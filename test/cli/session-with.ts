import type {CommandContext} from '../../source/cli/command-context.ts';
import {hostWith} from '../host/host-with.ts';

const absent = () => Promise.reject(new Error('This session has no terminal.'));

/** A session outside any process: no terminal, no input, no colony. */
export const sessionWith = (given: Partial<CommandContext>): CommandContext => ({
	...hostWith(),
	stdin: async () => '',
	offeredAs: undefined,
	stdout: {isTTY: false, columns: undefined, color: false},
	json: false,
	color: 'auto',
	loadChat: () => {
		throw new Error('This session has no chat.');
	},
	loadForge: () => {
		throw new Error('This session has no forge.');
	},
	loadMcp: () => {
		throw new Error('This session has no MCP server.');
	},
	showDashboard: absent,
	offerInit: absent,
	loadConsole: absent,
	signal: new AbortController().signal,
	...given,
});
