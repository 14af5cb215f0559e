import {runPath} from '../../runs/layout.ts';
import type {Invocation, Start} from '../invocation.ts';
import {longestCallMs, mcpServerOf, serverName} from '../mcp.ts';
import {furtherArguments, isPlanning, option, textParam} from '../params.ts';
import {programOf, promptOf} from '../program.ts';
import {resumed} from '../resume.ts';
import {terminalArgv} from '../terminal.ts';

/**
 * How adapter `gemini` starts a run (docs/rules.md §8): without approvals, and with trust in the folder that
 * hive made.
 */
export const geminiStart = (invocation: Invocation): Start => {
	const {bee, runDir} = invocation;
	const server = mcpServerOf(invocation);
	return {
		argv: [
			...[programOf('gemini', invocation), '-o', 'stream-json'],
			...['--approval-mode', isPlanning(bee) ? 'plan' : 'yolo', '--skip-trust'],
			// The spool is the only place of hive's that it may write to.
			...['--include-directories', runPath(runDir, 'spool')],
			...option('--model', textParam(bee, 'model')),
			...option('--resume', resumed(invocation)),
			...furtherArguments(bee),
		],
		input: promptOf(invocation),
		...(server && {
			toolSettings: JSON.stringify({
				mcpServers: {[serverName]: {...server, timeout: longestCallMs, trust: true}},
			}),
			// Its weakest settings, to which those of the person and of the project are added.
			env: {GEMINI_CLI_SYSTEM_DEFAULTS_PATH: runPath(runDir, 'toolSettings')},
		}),
	};
};

export const geminiTerminalArgv = terminalArgv('gemini', prompt => [`--prompt-interactive=${prompt}`]);
