import type {CheckedLanding} from '../../source/actions/land-trace.ts';
import {accepted, HiveError} from '../../source/domain/errors.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import type {KnownMachine} from '../../source/domain/machine-status.ts';
import {fencing} from '../../source/ledger/fencing.ts';
import {type Reactor, startReactor} from '../../source/reactor/reactor.ts';
import {fingerprint} from './bases.ts';
import {createDispatcherOn} from './dispatcher.ts';
import {createCalls, createFaultyBus} from './faulty-bus.ts';
import type {FakeMachine} from './machine.ts';
import type {Owner} from './scheduler.ts';
import type {World} from './world.ts';

/**
 * Runs the reactors of one checkout: starts one, crashes it at any instant or closes it, and starts the next.
 */
export type Runner = {
	readonly name: string;
	readonly checkout: string;
	/** Starts a reactor, and plans its end and the ends of its successors. */
	readonly run: () => void;
	/** Plans no more ends: the current reactor stays, or one is started. */
	readonly stay: () => void;
	/** True if the other machines see the reactor as alive now. */
	readonly isSeen: () => boolean;
	/** Suspends the reactor for that long: its calls are answered, but it does not process the answers. */
	readonly pause: (milliseconds: number) => void;
	/** Kills the reactor; another is started soon. */
	readonly crash: () => void;
	/** Stops the runner at the end of the world. */
	readonly leave: () => void;
	readonly isAlive: () => boolean;
	readonly reactor: () => Reactor | undefined;
	/** True if the reactor kept its promise to be idle. */
	readonly isIdle: () => boolean;
};

/** The length of a story in virtual milliseconds. */
const storyLength = 600_000;

/** @param others the checkout ids of the other machines on a shared log */
export const createRunner = (
	world: World,
	machine: FakeMachine,
	name: string,
	others: () => readonly KnownMachine[],
): Runner => {
	const {random, scheduler} = world;
	const fate = scheduler.clockOf({name: `fate of ${name}`, gone: false});
	let owner: Owner = {name, gone: true};
	let current: Reactor | undefined;
	let idle = false;
	let leaving = false;

	/** Ends the process between two of its turns. Calls that it has already made may still take effect. */
	const crash = (): void => {
		owner.gone = true;
		current = undefined;
	};

	const start = async (): Promise<void> => {
		if (leaving || !owner.gone) return;
		const own: Owner = {name, gone: false};
		owner = own;
		idle = false;
		const again = () => {
			if (own.gone) return;
			crash();
			fate.after(random.below(3000), () => void start());
		};
		try {
			const reactor = await startReactor({
				...portsOf(world, machine, own, again),
				others: world.isShared ? others : undefined,
				// Stories are short, so finished traces must be checkpointed and forgotten often.
				checkpointEvery: 5,
			});
			current = reactor;
			reactor.over.then(again, again);
			void reactor.idle().then(() => {
				idle = owner === own;
			});
		} catch {
			again();
		}
	};

	const closeAndGo = async (): Promise<void> => {
		const reactor = current;
		if (reactor === undefined) return crash();
		await reactor.close().catch(() => {});
	};

	return {
		name,
		checkout: machine.checkout,
		run: () => {
			fate.after(random.below(20_000), () => void start());
			for (let ends = random.pick([0, 0, 2, 8]); ends > 0; ends--) {
				const at = random.below(random.pick([20_000, storyLength]));
				fate.after(at, random.chance(0.7) ? crash : () => void closeAndGo());
				fate.after(at + random.below(20_000), () => void start());
			}
		},
		stay: () => void start(),
		crash: () => {
			if (owner.gone) return;
			crash();
			fate.after(random.below(3000), () => void start());
		},
		pause: milliseconds => {
			const own = owner;
			own.paused = true;
			fate.after(milliseconds, () => {
				own.paused = false;
			});
		},
		leave: () => {
			leaving = true;
			crash();
		},
		isAlive: () => !owner.gone && current !== undefined,
		isSeen: () => !owner.gone && current !== undefined && owner.paused !== true,
		reactor: () => current,
		isIdle: () => idle,
	};
};

const portsOf = (world: World, machine: FakeMachine, owner: Owner, die: () => void) => {
	const {random, scheduler, faults, breaches, configuration, merges, bases} = world;
	const calls = createCalls(scheduler, random, faults, {owner, die});
	const bus = createFaultyBus(world.bus, calls, random, faults);
	const clock = scheduler.clockOf(owner);
	const {processes, files} = machine.portsOf(calls);
	return {
		bus,
		colony: configuration.now,
		checkout: machine.checkout,
		ids: createIdSource(clock.now, random.hex),
		clock,
		files,
		processes,
		failpoint: () => {
			if (random.chance(faults.deaths)) die();
		},
		dispatcher: createDispatcherOn(world, {machine, bus, processes, files}),
		finishMerge: (traceId: string) => merges.resume({owner, die, bus, calls, by: 'runtime'}, traceId),
		...(bases && {
			landings: {
				planner: bases.plannerOf(machine, calls),
				join: async () => accepted(undefined),
				fingerprint: async () => fingerprint,
				land: (traceId: string, checked: CheckedLanding) =>
					merges.land(
						{owner, die, bus: fencing(bus, machine.checkout), calls, by: 'runtime'},
						traceId,
						checked,
					),
			},
		}),
		branchDiffers: (traceId: string) => calls(async () => machine.branches.has(traceId)),
		report: (message: string, error?: unknown) => {
			const isTaken = error === undefined && message.includes(' was taken by ');
			const expected = isTaken || (error instanceof HiveError && error.refusal.code === 'bus_unreachable');
			if (!expected) breaches.push(`${owner.name} reports: ${message} ${String(error)}`);
		},
	};
};
