import {spawn} from 'node:child_process';

export type Ended = {
	/** Absent if a signal ended it, or if it could not be started. */
	readonly exitCode?: number;
	/** Set if it was stopped after its time. */
	readonly isLate?: true;
	/** The end of its standard output and error, at most `maxTail` characters. */
	readonly tail: string;
};

const maxTail = 4000;

/**
 * Runs a program of the person with their environment, without a terminal, for at most `timeoutMs`. Then, or
 * when the signal aborts, its whole process group is killed.
 */
export const runWithin = (
	[file = '', ...args]: readonly string[],
	{cwd, timeoutMs, signal}: {readonly cwd: string; readonly timeoutMs: number; readonly signal: AbortSignal},
): Promise<Ended> =>
	new Promise(resolve => {
		const child = spawn(file, args, {cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe']});
		let tail = '';
		let isLate = false;
		const kill = (): void => {
			try {
				if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
			} catch {
				// It has ended by itself.
			}
		};
		const timer = setTimeout(() => {
			isLate = true;
			kill();
		}, timeoutMs);
		signal.addEventListener('abort', kill);
		const end = (exitCode: number | null | undefined): void => {
			clearTimeout(timer);
			signal.removeEventListener('abort', kill);
			resolve({
				tail,
				...(exitCode === null || exitCode === undefined || isLate ? {} : {exitCode}),
				...(isLate && {isLate}),
			});
		};
		for (const output of [child.stdout, child.stderr])
			output.setEncoding('utf8').on('data', (text: string) => {
				tail = `${tail}${text}`.slice(-maxTail);
			});
		child.on('error', ({message}) => {
			tail = message;
			end(undefined);
		});
		child.on('close', end);
	});
