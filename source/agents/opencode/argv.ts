import type {Invocation, Start} from '../invocation.ts';
import {longestCallMs, mcpServerOf, serverName} from '../mcp.ts';
import {furtherArguments, isPlanning, option, textParam} from '../params.ts';
import {programOf, promptOf} from '../program.ts';
import {resumed} from '../resume.ts';
import {terminalArgv} from '../terminal.ts';

/**
 * How adapter `opencode` starts a run (docs/rules.md §8): every permission that its settings would ask for is
 * granted.
 */
export const opencodeStart = (invocation: Invocation): Start => {
	const {bee} = invocation;
	return {
		argv: [
			...[programOf('opencode', invocation), 'run', '--format', 'json', '--auto'],
			...(isPlanning(bee) ? ['--agent', 'plan'] : []),
			...option('--model', textParam(bee, 'model')),
			...option('--session', resumed(invocation)),
			...furtherArguments(bee),
		],
		input: promptOf(invocation),
		...serverSettings(invocation),
	};
};

/** Settings that are added to those of the person and of the project. */
const serverSettings = (invocation: Invocation): Pick<Start, 'env'> => {
	const server = mcpServerOf(invocation);
	if (server === undefined) return {};
	const {command, args, env} = server;
	const local = {type: 'local', command: [command, ...args], environment: env, timeout: longestCallMs};
	return {env: {OPENCODE_CONFIG_CONTENT: JSON.stringify({mcp: {[serverName]: local}})}};
};

export const opencodeTerminalArgv = terminalArgv('opencode', prompt => [`--prompt=${prompt}`]);
