import {reportCommand} from '../hooks.ts';
import type {Invocation, Start} from '../invocation.ts';
import {longestCallMs, type McpServer, mcpServerOf, serverName} from '../mcp.ts';
import {flagParam, furtherArguments, isPlanning, option, textParam} from '../params.ts';
import {claudeRules} from '../permissions.ts';
import {programOf, promptOf} from '../program.ts';
import {resumed} from '../resume.ts';
import {terminalArgv} from '../terminal.ts';

/**
 * How adapter `claude` starts a run (docs/rules.md §8). It edits files of its workspace and runs commands
 * without asking a person, unless the bee has `permissions`: then what is neither allowed nor denied is asked
 * about. Edit and Write are not listed as allowed, since that would permit them outside the
 * workspace.
 */
export const claudeStart = (invocation: Invocation): Start => {
	const {bee} = invocation;
	const server = mcpServerOf(invocation);
	const {permissions} = bee;
	const isReadOnly = flagParam(bee, 'read_only', false);
	const denied = [
		...(isReadOnly ? ['Edit', 'Write', 'NotebookEdit'] : []),
		...claudeRules(permissions?.deny ?? []),
	];
	const asked = claudeRules(permissions?.ask ?? []);
	return {
		argv: [
			...[programOf('claude', invocation), '-p', '--output-format', 'stream-json', '--verbose'],
			...['--permission-mode', modeOf(invocation), '--allowedTools', allowedOf(invocation).join(',')],
			...(denied.length > 0 ? ['--disallowedTools', denied.join(',')] : []),
			...(asked.length > 0 ? ['--settings', JSON.stringify({permissions: {ask: asked}})] : []),
			...serverArguments(server),
			...(permissions && server ? ['--permission-prompt-tool', `mcp__${serverName}__ask_permission`] : []),
			...option('--model', textParam(bee, 'model')),
			...option('--resume', resumed(invocation)),
			...furtherArguments(bee),
		],
		input: promptOf(invocation),
		...(server && {env: {MCP_TOOL_TIMEOUT: String(longestCallMs)}}),
	};
};

/** Always loaded: the tool else hides the tools of a server until its model searches for them. */
const serverArguments = (server: McpServer | undefined): readonly string[] =>
	server === undefined
		? []
		: ['--mcp-config', JSON.stringify({mcpServers: {[serverName]: {...server, alwaysLoad: true}}})];

/** Edits are allowed by the mode, in the workspace only. */
const allowedOf = (invocation: Invocation): readonly string[] => [
	...(invocation.bee.permissions === undefined
		? ['Bash', 'Read', 'Glob', 'Grep']
		: claudeRules(invocation.bee.permissions.allow.filter(rule => rule !== 'edit'))),
	...(mcpServerOf(invocation) === undefined ? [] : [`mcp__${serverName}`]),
];

/** For this session only: they are added to the hooks in the person's own settings. */
export const claudeHooks = (invocation: Pick<Invocation, 'runDir'>): readonly string[] => {
	const hooks = [{hooks: [{type: 'command', command: reportCommand(invocation)}]}];
	return ['--settings', JSON.stringify({hooks: {Notification: hooks, PermissionRequest: hooks}})];
};

export const claudeTerminalArgv = terminalArgv('claude', prompt => [prompt], claudeHooks);

const modeOf = ({bee}: Invocation): string => {
	if (isPlanning(bee)) return 'plan';
	const {permissions} = bee;
	if (permissions !== undefined) return permissions.allow.includes('edit') ? 'acceptEdits' : 'default';
	return flagParam(bee, 'read_only', false) ? 'dontAsk' : 'acceptEdits';
};
