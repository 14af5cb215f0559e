import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as pass} from 'node:timers/promises';
import {crashPoints} from '../../source/ports/crash-points.ts';
import type {Random} from '../simulator/random.ts';
import {type How, type ScratchColony, untilIdle} from './scratch-colony.ts';

/** The ways in which a reactor dies. */
const ways = ['moment', 'moment', 'point', 'call', 'disk'] as const;

export type Death = {
	readonly way: (typeof ways)[number];
	readonly how: How;
	/** Milliseconds after which the reactor is killed, if it still runs. */
	readonly patience: number;
};

const strace = 'strace';
const canTrace = spawnSync(strace, ['-D', '-qq', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) process.stderr.write('SKIPPED: no strace here; no calls and disks fail.\n');

/** The failpoints that a reactor reaches by itself. */
const ofReactor = crashPoints.filter(
	point => !/^(trace|merge|update|prune|purge|restore|take)\./.test(point),
);

const calls = [
	'rename',
	'fsync',
	'fdatasync',
	'pwrite64',
	'write',
	'openat',
	'unlink',
	'mkdir',
	'clone',
	'execve',
];

/** Fault ranges: from some call on, for a while. `write` alone would also hit the wake-up writes of node. */
const failures = [
	'fsync,fdatasync:error=EIO',
	'fsync,fdatasync:error=ENOSPC',
	'pwrite64:error=ENOSPC',
	'pwrite64:error=EIO',
	'rename:error=ENOSPC',
	'mkdir:error=ENOSPC',
	'fsync,fdatasync:delay_enter=200000',
];

export const chooseDeath = (random: Random): Death => {
	const way = random.pick(canTrace ? ways : (['moment', 'point'] as const));
	switch (way) {
		case 'moment':
			return {
				way,
				how: {},
				patience: random.chance(0.5) ? random.between(150, 700) : random.between(0, 1400),
			};
		case 'point': {
			const crashAt = `${random.pickAny(ofReactor)}:${random.between(1, 4)}`;
			return {way, how: {crashAt}, patience: 2000};
		}
		case 'call': {
			const call = random.pickAny(calls);
			const at = random.chance(0.5) ? random.between(1, 12) : random.between(1, 120);
			return {way, how: {under: injecting(`${call}:signal=SIGKILL:when=${at}`)}, patience: 3000};
		}
		case 'disk': {
			const [first, last] = [random.between(1, 15), random.between(20, 60)];
			const fault = `${random.pickAny(failures)}:when=${first}..${last}`;
			return {way, how: {under: injecting(fault)}, patience: random.between(1000, 2500)};
		}
	}
};

/**
 * The tracer runs as a grandchild, so the command is the started process. It also traces the children of the
 * command.
 */
const injecting = (fault: string): readonly string[] => [
	...[strace, '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null'],
	...['-e', `inject=${fault}`],
];

export type Reactor = ReturnType<typeof startReactor>;

export const startReactor = (colony: ScratchColony, how: How = {}) => {
	const child = colony.start([...untilIdle, '--json'], how);
	let firstWord: number | undefined;
	child.stdin?.on('error', () => {});
	child.stderr?.resume();
	if (child.stdout)
		createInterface({input: child.stdout}).on('line', line => {
			if (firstWord === undefined && line.includes('"agentId":"runtime"')) firstWord = performance.now();
		});
	const over = once(child, 'exit');
	const signal = (name: NodeJS.Signals, together = false) => {
		if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
		try {
			process.kill(together ? -child.pid : child.pid, name);
		} catch {
			// The process had already ended.
		}
	};
	return {
		/** Resolves when the process ends, and tells if SIGKILL ended it. */
		ended: over.then(([, by]) => ({killed: by === 'SIGKILL'})),
		firstWord: () => firstWord,
		/** With `together`, also kills the processes in its own group, such as git. */
		kill: async (together: boolean) => {
			signal('SIGKILL', together);
			await over;
		},
		/** Suspends the process for a moment, at any point. */
		pause: async (milliseconds: number) => {
			signal('SIGSTOP');
			await pass(milliseconds);
			signal('SIGCONT');
		},
	};
};
