import {runPath} from '../runs/layout.ts';
import type {Invocation} from './invocation.ts';
import {promptArgument} from './long-text.ts';

/** The values of `$X` and `${X}` in a bee's command, which are also in its environment (docs/rules.md §8). */
export const commandVariables = (invocation: Invocation): Readonly<Record<string, string>> => {
	const {runDir} = invocation;
	return {
		PROMPT: promptArgument(invocation, 'prompt'),
		SYSTEM_PROMPT: promptArgument(invocation, 'system'),
		PROMPT_FILE: runPath(runDir, 'prompt'),
		SYSTEM_FILE: runPath(runDir, 'system'),
		WORKSPACE: invocation.workspace,
		TRACE_ID: invocation.traceId,
		AGENT_ID: invocation.agentId,
		TASK_ID: invocation.taskId,
		COLONY_ROOT: invocation.colonyRoot,
		RUN_DIR: runDir,
		RESULT_FILE: runPath(runDir, 'summary'),
	};
};

const shells = /^(ba|da|z|k|fi|a)?sh$/;
const interpreters = /^(python|node|perl|ruby|php|deno|bun)[\d.]*$/;
const codeFlag = /^(-[a-z]*[ceE]|--eval|--print|eval)$/;
/** A flag and code in one argument: `--eval=…` or `-e…`. */
const codeInFlag = /^(--(eval|print)=|-[a-zA-Z]*[ceEr].)/;

/**
 * Substitutes variables in an argv in one pass. Substituted text is not scanned again, and unknown names
 * stay. Code for an interpreter (`sh -c '…'`) is not changed. It reads the same names from its environment,
 * so a prompt is never run as code (docs/reliability.md I16).
 */
export const substitute = (argv: readonly string[], variables: Readonly<Record<string, string>>): string[] =>
	argv.map((argument, index) =>
		isCode(argv, index)
			? argument
			: argument.replace(/\$(?:\{([A-Z_]+)\}|([A-Z_]+))/g, (written, braced, bare) => {
					const name = braced ?? bare;
					return Object.hasOwn(variables, name) ? (variables[name] ?? written) : written;
				}),
	);

const isCode = (argv: readonly string[], index: number): boolean => {
	const names = argv.slice(0, index).map(argument => argument.replace(/^.*\//, ''));
	const interpreter = names.findLastIndex(name => shells.test(name) || interpreters.test(name));
	if (interpreter === -1) return false;
	const first = argv[interpreter + 1] ?? '';
	// The first argument is a program, not a flag (`+x` is a flag too). That program reads what follows.
	if (!/^[-+]|^eval$/.test(first)) return false;
	const flag = argv[index - 1] ?? '';
	const name = names[interpreter] ?? '';
	const flags = argv.slice(interpreter + 1, index);
	const isFirst = flags.every(argument => /^[-+]/.test(argument));
	const isPrinted = /^(node|bun)/.test(name) && flag === '-p';
	// Shells also accept `-cx code` and `-c -x code`.
	const isOfShell = shells.test(name) && flags.some(argument => /^-[a-zA-Z]*c/.test(argument));
	return (
		codeFlag.test(flag) ||
		codeInFlag.test(argv[index] ?? '') ||
		(isFirst && (isPrinted || isOfShell)) ||
		(name.startsWith('php') && flag === '-r')
	);
};
