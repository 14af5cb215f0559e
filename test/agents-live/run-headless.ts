import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {setTimeout as pass} from 'node:timers/promises';

type Run = {
	readonly argv: readonly [string, ...string[]];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** The standard input. */
	readonly input: string;
	/** A signal: shortly after it the program is killed. */
	readonly killAfter?: AbortSignal;
};

export type Ran = {
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: number | null;
	/** The signal that ended the program. */
	readonly signal: string | null;
};

const patience = 300_000;
const moment = 3000;

/** Runs a program in its own process group, to its end. */
export const runHeadless = async ({argv, cwd, env, input, killAfter}: Run): Promise<Ran> => {
	const [program, ...args] = argv;
	const child = spawn(program, args, {cwd, env, detached: true});
	const kill = (): void => endGroup(child.pid);
	const timer = setTimeout(kill, patience);
	killAfter?.addEventListener('abort', () => void pass(moment).then(kill));
	child.stdin.on('error', () => {}).end(input);
	const ended = once(child, 'close');
	const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
	const [exitCode, signal] = await ended;
	clearTimeout(timer);
	return {stdout, stderr, exitCode, signal};
};

const endGroup = (group: number | undefined): void => {
	if (group === undefined) return;
	try {
		process.kill(-group, 'SIGKILL');
	} catch {
		// The process ended by itself.
	}
};
