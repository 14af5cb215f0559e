import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {setTimeout as pass} from 'node:timers/promises';

type Run = {
	readonly argv: readonly [string, ...string[]];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Its standard input. */
	readonly input: string;
	/** When this comes, and a moment passed, it is killed. */
	readonly killAfter?: AbortSignal;
};

export type Ran = {
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: number | null;
	/** What killed it. */
	readonly signal: string | null;
};

const patience = 300_000;
const moment = 3000;

/** Runs a program in a process group of its own, up to its end. */
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
		// It ended by itself.
	}
};
