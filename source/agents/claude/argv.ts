import type {Invocation, Start} from '../invocation.ts';
import {flagParam, furtherArguments, isPlanning, option, textParam} from '../params.ts';
import {programOf, promptOf} from '../program.ts';
import {resumed} from '../resume.ts';
import {terminalArgv} from '../terminal.ts';

/**
 * How adapter `claude` starts a run (docs/rules.md §8). It edits files of its workspace and runs commands
 * without asking a person. Edit and Write are not listed as allowed, since that would permit them outside the
 * workspace.
 */
export const claudeStart = (invocation: Invocation): Start => {
	const {bee} = invocation;
	return {
		argv: [
			...[programOf('claude', invocation), '-p', '--output-format', 'stream-json', '--verbose'],
			...['--permission-mode', modeOf(invocation), '--allowedTools', 'Bash,Read,Glob,Grep'],
			...(flagParam(bee, 'read_only', false) ? ['--disallowedTools', 'Edit,Write,NotebookEdit'] : []),
			...option('--model', textParam(bee, 'model')),
			...option('--resume', resumed(invocation)),
			...furtherArguments(bee),
		],
		input: promptOf(invocation),
	};
};

export const claudeTerminalArgv = terminalArgv('claude', prompt => [prompt]);

const modeOf = ({bee}: Invocation): string => {
	if (isPlanning(bee)) return 'plan';
	return flagParam(bee, 'read_only', false) ? 'dontAsk' : 'acceptEdits';
};
