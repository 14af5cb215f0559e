import {runPath} from '../../runs/layout.ts';
import type {Invocation, Start} from '../invocation.ts';
import {furtherArguments, option, textParam} from '../params.ts';
import {programOf, promptOf} from '../program.ts';
import {resumed} from '../resume.ts';
import {terminalArgv} from '../terminal.ts';

/**
 * How adapter `codex` starts a run (docs/rules.md §8): in its sandbox, which may write to the workspace and
 * of hive's only to the run's spool. A login shell would set PATH anew.
 */
export const codexStart = (invocation: Invocation): Start => {
	const {bee, runDir} = invocation;
	return {
		argv: [
			...[programOf('codex', invocation), 'exec', '--json', '-c', 'allow_login_shell=false'],
			...['--sandbox', 'workspace-write', '--add-dir', runPath(runDir, 'spool')],
			...option('--model', textParam(bee, 'model')),
			...furtherArguments(bee),
			// Its flags stay in force before the subcommand, which knows none of the sandbox.
			...option('resume', resumed(invocation)),
			'-',
		],
		input: promptOf(invocation),
	};
};

export const codexTerminalArgv = terminalArgv('codex', prompt => [prompt]);
