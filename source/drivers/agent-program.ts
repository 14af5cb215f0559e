import {spawn} from 'node:child_process';
import type {AgentProgram} from '../ports/agent-program.ts';

/** Maximum number of characters kept of standard error, whose end explains a crash. */
const keptErrors = 2000;

/** Starts an agent's program. Its standard error also goes to that of this process. */
export const startAgentProgram = ([program = '', ...args]: readonly string[], cwd: string): AgentProgram => {
	const child = spawn(program, args, {cwd, stdio: ['pipe', 'pipe', 'pipe']});
	let errors = '';
	child.stdin.on('error', () => {});
	child.stderr.on('data', (part: Buffer) => {
		process.stderr.write(part);
		errors = (errors + part.toString('utf8')).slice(-keptErrors);
	});
	const ended = new Promise<string>(resolve => {
		child.on('error', ({message}) => resolve(message));
		child.on('close', (code, name) =>
			resolve(name === null ? `it ended with exit code ${code}` : `${name} ended it`),
		);
	});
	return {
		...{input: child.stdin, output: child.stdout, ended},
		errors: () => errors,
		kill: name => void child.kill(name),
	};
};
