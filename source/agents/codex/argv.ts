import {runPath} from '../../runs/layout.ts';
import {reportArgv} from '../hooks.ts';
import type {Invocation, Start} from '../invocation.ts';
import {longestCallMs, mcpServerOf, serverName} from '../mcp.ts';
import {furtherArguments, option, textParam} from '../params.ts';
import {programOf, promptOf} from '../program.ts';
import {resumed} from '../resume.ts';
import {terminalArgv} from '../terminal.ts';

/**
 * How adapter `codex` starts a run (docs/rules.md §8): in its sandbox. The sandbox may write to the
 * workspace, and of hive's files only to the run's spool. No login shell, since that would reset PATH.
 */
export const codexStart = (invocation: Invocation): Start => {
	const {bee, runDir} = invocation;
	return {
		argv: [
			...[programOf('codex', invocation), 'exec', '--json', '-c', 'allow_login_shell=false'],
			// Newer versions have no todo list without it.
			...['-c', 'tools.update_plan.enabled=true'],
			...serverArguments(invocation),
			...['--sandbox', sandboxOf(invocation), '--add-dir', runPath(runDir, 'spool')],
			...option('--model', textParam(bee, 'model')),
			...furtherArguments(bee),
			// The flags come before the subcommand: they stay in force, and `resume` has no sandbox flags.
			...option('resume', resumed(invocation)),
			'-',
		],
		input: promptOf(invocation),
	};
};

/**
 * Within hive's containment its own sandbox cannot start, and is needless. Edits that are denied, or could
 * only be asked about, leave a sandbox without writing.
 */
const sandboxOf = ({bee: {permissions}, contained}: Invocation): string => {
	if ([...(permissions?.ask ?? []), ...(permissions?.deny ?? [])].includes('edit')) return 'read-only';
	return contained ? 'danger-full-access' : 'workspace-write';
};

/** The server runs outside the sandbox. Codex asks no person about its tools, and hands on no environment. */
const serverArguments = (invocation: Invocation): readonly string[] => {
	const server = mcpServerOf(invocation);
	if (server === undefined) return [];
	const {command, args, env} = server;
	const settings: Readonly<Record<string, string>> = {
		command: JSON.stringify(command),
		args: JSON.stringify(args),
		env: `{${Object.entries(env)
			.map(([name, value]) => `${name}=${JSON.stringify(value)}`)
			.join(',')}}`,
		env_vars: JSON.stringify(['HIVE_BUS_URL', 'XDG_CONFIG_HOME']),
		tool_timeout_sec: String(Math.floor(longestCallMs / 1000)),
		default_tools_approval_mode: '"approve"',
	};
	return Object.entries(settings).flatMap(([name, value]) => [
		'-c',
		`mcp_servers.${serverName}.${name}=${value}`,
	]);
};

/** For this session only. It takes the place of a `notify` in the person's own configuration. */
export const codexHooks = (invocation: Pick<Invocation, 'runDir'>): readonly string[] => [
	...['-c', `notify=${JSON.stringify(reportArgv(invocation))}`],
];

export const codexTerminalArgv = terminalArgv('codex', prompt => [prompt], codexHooks);
