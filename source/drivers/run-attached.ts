import {spawn} from 'node:child_process';
import {constants} from 'node:os';

/** Milliseconds between the request to end and the end by force. */
const graceMs = 5000;

type Attached = {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Asks it to end when it aborts. */
	readonly signal: AbortSignal;
	/** True to print its standard output on standard error. */
	readonly quiet: boolean;
};

/**
 * Runs a program with the streams of this process, and resolves with its exit code, or 128 and the number of
 * its signal. It has a session of its own, so that it cannot type into this terminal. It ends with this
 * process.
 */
export const runAttached = (
	[program = '', ...args]: readonly string[],
	{cwd, env, signal, quiet}: Attached,
): Promise<number> =>
	new Promise((resolve, reject) => {
		const stdio = ['inherit', quiet ? 2 : 'inherit', 'inherit'] as const;
		const child = spawn(program, args, {cwd, env, stdio: [...stdio], detached: true});
		const send = (name: NodeJS.Signals): void => {
			try {
				if (child.pid !== undefined) process.kill(-child.pid, name);
			} catch {
				// It has ended.
			}
		};
		let force: NodeJS.Timeout | undefined;
		const end = (): void => {
			send('SIGTERM');
			force = setTimeout(() => send('SIGKILL'), graceMs);
		};
		const kill = (): void => send('SIGKILL');
		process.on('exit', kill);
		if (signal.aborted) end();
		signal.addEventListener('abort', end, {once: true});
		const settled = (): void => {
			clearTimeout(force);
			process.off('exit', kill);
			signal.removeEventListener('abort', end);
		};
		child.on('error', error => {
			settled();
			reject(error);
		});
		child.on('close', (exitCode, ended) => {
			settled();
			resolve(exitCode ?? 128 + (ended === null ? 0 : constants.signals[ended]));
		});
	});
