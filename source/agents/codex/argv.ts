import {runPath} from '../../runs/layout.ts';
import type {Invocation, Start} from '../invocation.ts';
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
			...['--sandbox', 'workspace-write', '--add-dir', runPath(runDir, 'spool')],
			...option('--model', textParam(bee, 'model')),
			...furtherArguments(bee),
			// The flags come before the subcommand: they stay in force, and `resume` has no sandbox flags.
			...option('resume', resumed(invocation)),
			'-',
		],
		input: promptOf(invocation),
	};
};

export const codexTerminalArgv = terminalArgv('codex', prompt => [prompt]);
