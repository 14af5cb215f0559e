import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {onTestFinished} from 'vitest';
import type {Line} from './colony-on-disk.ts';
import {startHive} from './run-hive.ts';
import {withTimeout} from './with-timeout.ts';

/** The payload fields that the expected event must have. */
type EventPattern = Readonly<Record<string, unknown>>;

/** Starts a command that keeps running and prints one JSON line per event. The end of the test kills it. */
export const followHive = (args: readonly string[], options: Parameters<typeof startHive>[1]) => {
	const child = startHive(args, options);
	onTestFinished(() => void child.kill('SIGKILL'));
	const events: Line[] = [];
	let stderr = '';
	let notifyWaiters: (() => void)[] = [];
	const notifyAll = () => {
		const waiting = notifyWaiters;
		notifyWaiters = [];
		for (const call of waiting) call();
	};
	createInterface({input: child.stdout}).on('line', line => {
		events.push(JSON.parse(line));
		notifyAll();
	});
	child.stderr.on('data', chunk => {
		stderr += chunk;
		notifyAll();
	});
	let over = false;
	const ended = once(child, 'close').then(([exitCode, signal]) => {
		over = true;
		notifyAll();
		return {exitCode, signal, stderr, events};
	});
	/** Resolves with the result of `look`, now or after a later line. */
	const waitUntil = async <Found>(what: string, check: () => Found | undefined): Promise<Found> => {
		for (;;) {
			const found = check();
			if (found !== undefined) return found;
			if (over) throw new Error(`hive ${args.join(' ')} ended without ${what}\n${stderr}`);
			await new Promise<void>(resolve => notifyWaiters.push(resolve));
		}
	};
	const until = <Found>(what: string, check: () => Found | undefined): Promise<Found> =>
		withTimeout(
			waitUntil(what, check),
			() => `${what} of hive ${args.join(' ')}, which said ${JSON.stringify(events.slice(-20))}\n${stderr}`,
		);
	return {
		pid: child.pid ?? 0,
		events,
		/** Resolves with the first event with these fields, past or future, and after the sequence `after`. */
		event: (pattern: EventPattern, after = 0): Promise<Line> =>
			until(JSON.stringify(pattern), () =>
				events.find(
					({sequence, payload}) =>
						sequence > after && Object.entries(pattern).every(([field, value]) => payload[field] === value),
				),
			),
		/** Resolves once standard error has the text that many times. */
		says: (words: string, times = 1): Promise<true> =>
			until(`"${words}"`, () => (stderr.split(words).length > times ? true : undefined)),
		/** Sends the signal and resolves with how the process ended. */
		kill: (signal: NodeJS.Signals) => {
			child.kill(signal);
			return ended;
		},
		ended,
	};
};
