import {setImmediate as loopTurn} from 'node:timers/promises';
import type {Clock} from '../../source/ports/clock.ts';
import type {Random} from './random.ts';

/**
 * A process of the simulated world that waits. If it is `gone`, its waits never end; while it is `paused`,
 * they do not end yet.
 */
export type Owner = {readonly name: string; gone: boolean; paused?: boolean};

/** Decides the order of all actions from one seed, on a clock that it alone moves. */
export type Scheduler = {
	/** Resolves when the turn of the owner comes, and never if the owner is gone. */
	readonly turn: (owner: Owner) => Promise<void>;
	/** Returns the clock of this owner. */
	readonly clockOf: (owner: Owner) => Clock;
	/** Sets the wall clock of all processes. Monotonic time is unchanged. */
	readonly setClock: (milliseconds: number) => void;
	/**
	 * Runs until no owner waits for a turn or a time. Calls `isLong` if that takes long, and throws if it never
	 * ends.
	 */
	readonly run: (isLong?: () => void) => Promise<void>;
};

type Waiting = {readonly owner: Owner; readonly call: () => void};
type Timer = Waiting & {readonly due: number};

/** The maximum number of turns for a world that does not come to rest. */
const mostTurns = 60_000;
const manyTurns = 30_000;
/** The probability that time passes although an owner could go on. */
const haste = 0.04;

export const createScheduler = (random: Random, start: number): Scheduler => {
	const waiting: Waiting[] = [];
	let timers: Timer[] = [];
	let now = 0;
	let wall = start;
	let turns = 0;

	const nextTurn = (): Waiting | undefined => {
		const able = waiting.filter(({owner}) => !owner.gone && !owner.paused);
		const next = able[random.below(able.length)];
		if (next !== undefined) waiting.splice(waiting.indexOf(next), 1);
		return next;
	};

	const nextTimer = (): Timer | undefined => {
		timers = timers.filter(({owner}) => !owner.gone);
		const able = timers.filter(({owner}) => !owner.paused);
		const first = able.reduce<Timer | undefined>(
			(earliest, timer) => (earliest === undefined || timer.due < earliest.due ? timer : earliest),
			undefined,
		);
		if (first === undefined) return undefined;
		timers = timers.filter(timer => timer !== first);
		now = Math.max(now, first.due);
		return first;
	};

	return {
		turn: owner =>
			new Promise(call => {
				waiting.push({owner, call});
			}),
		clockOf: owner => ({
			now: () => wall + now,
			elapsed: () => now,
			after: (milliseconds, call) => {
				const timer = {owner, call, due: now + milliseconds};
				timers.push(timer);
				return () => {
					timers = timers.filter(other => other !== timer);
				};
			},
		}),
		setClock: milliseconds => {
			wall += milliseconds;
		},
		run: async isLong => {
			for (;;) {
				await everythingElse();
				const next = random.chance(haste) ? (nextTimer() ?? nextTurn()) : (nextTurn() ?? nextTimer());
				if (next === undefined) return;
				turns += 1;
				if (turns === manyTurns) isLong?.();
				if (turns > mostTurns)
					throw new Error(`The world does not come to rest: ${next.owner.name} still takes turns.`);
				next.call();
			}
		},
	};
};

/** Waits for all effects of past actions: promises, and code that yields to the event loop. */
const everythingElse = async (): Promise<void> => {
	do await loopTurn();
	while (process.getActiveResourcesInfo().includes('Immediate'));
};
