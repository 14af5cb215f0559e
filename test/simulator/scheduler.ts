import {setImmediate as loopTurn} from 'node:timers/promises';
import type {Clock} from '../../source/ports/clock.ts';
import type {Random} from './random.ts';

/**
 * Whoever waits: a process of the simulated world. Once `gone`, nothing it waits for ever happens; while
 * `paused`, nothing it waits for happens yet.
 */
export type Owner = {readonly name: string; gone: boolean; paused?: boolean};

/** Decides the order of everything from one seed, on a clock that only moves when it says so. */
export type Scheduler = {
	/** Resolves when its turn comes; never for an owner that is gone. */
	readonly turn: (owner: Owner) => Promise<void>;
	/** Time as this owner has it. */
	readonly clockOf: (owner: Owner) => Clock;
	/** Somebody sets the wall clock of everybody on or back; time itself goes on as it does. */
	readonly setClock: (milliseconds: number) => void;
	/**
	 * Goes on until nobody waits for a turn or for a time; `isLong` is called when that takes long. Throws when
	 * it never comes.
	 */
	readonly run: (isLong?: () => void) => Promise<void>;
};

type Waiting = {readonly owner: Owner; readonly call: () => void};
type Timer = Waiting & {readonly due: number};

/** Of turns, until a world that does not come to rest is given up. */
const mostTurns = 60_000;
const manyTurns = 30_000;
/** How often time passes although somebody could go on. */
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
					throw new Error(`The world does not come to rest: ${next.owner.name} goes on.`);
				next.call();
			}
		},
	};
};

/**
 * All that follows from what has happened has happened: promises, and code that gives others a turn of the
 * event loop.
 */
const everythingElse = async (): Promise<void> => {
	do await loopTurn();
	while (process.getActiveResourcesInfo().includes('Immediate'));
};
