import type {ActionContext} from '../../source/actions/context.ts';
import {endRun} from '../../source/dispatch/end-run.ts';
import type {StoredEvent} from '../../source/domain/event.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import type {KnownMachine} from '../../source/domain/machine-status.ts';
import {fencing} from '../../source/ledger/fencing.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import {misannounced} from './announcements.ts';
import {breachesAtRest, pendingOf, readLog} from './at-rest.ts';
import {leftInQueue, unchecked} from './bases.ts';
import {createDispatcherOn} from './dispatcher.ts';
import {createCalls, createFaultyBus} from './faulty-bus.ts';
import {unfenced} from './fences.ts';
import {ungated} from './gates.ts';
import {breachesOf, crowding, foldAll} from './invariants.ts';
import {forgotten} from './leftovers.ts';
import type {Approval} from './merges.ts';
import {actAtRandom, attend, begin, type Person} from './people.ts';
import {misproposed} from './proposals.ts';
import {misanswered} from './questions.ts';
import {createRunner, type Runner} from './runner.ts';
import type {Owner} from './scheduler.ts';
import {misspoken} from './strays.ts';
import {calm, planTroubles} from './troubles.ts';
import {misjudged, misplaced} from './verdicts.ts';
import {createWorld, type Kind, type World} from './world.ts';

/** The result of one story. */
export type Story = {
	readonly log: readonly StoredEvent[];
	/** One sentence for each broken promise; empty if all held. */
	readonly breaches: readonly string[];
};

/**
 * Plays one story from a seed: a colony, people, agents, crashing reactors, a failing bus, and finally a calm
 * end. `size` limits how much people do.
 */
export const simulate = async (seed: number, size = 12, kind: Kind = {}): Promise<Story> => {
	const world = createWorld(seed, size, kind);
	const runners: readonly Runner[] = world.machines.flatMap(machine =>
		(world.split ? [1, 2] : [1]).map(index =>
			createRunner(world, machine, `reactor ${index} ${machine.checkout}`, () => runners.map(placeOf)),
		),
	);
	const breaches = await play(world, runners, size).catch((error: unknown) => [String(error)]);
	for (const runner of runners) runner.leave();
	const log = await readLog(world);
	const folds = foldAll(log);
	const {configuration, machines, colony} = world;
	const played = {folds, machines};
	const isTaken = log.some(({payload}) => payload.kind === 'trace.taken');
	const isSteady = !world.split && !configuration.isEdited() && !isTaken;
	return {
		log,
		breaches: [
			...world.breaches,
			...breaches,
			...breachesOf(folds),
			...unfenced(played),
			...ungated(folds, {steady: configuration.steady(), people: colony}),
			...misannounced(folds),
			...misanswered(folds),
			...misspoken(folds),
			...misplaced(played),
			...(isSteady ? crowding(folds, configuration.now()) : []),
			...(isSteady ? misjudged(played) : []),
			...(isSteady ? misproposed(played) : []),
			...(world.bases === undefined ? [] : [...unchecked(folds), ...leftInQueue(folds)]),
			...forgotten(folds, configuration.steady(), await pendingOf(world)),
		],
	};
};

const placeOf = ({checkout, reactor, isSeen}: Runner): KnownMachine => ({
	...{checkout, host: checkout, root: '/colony', pid: 1, startedAt: '', heardAt: '', hasLeft: false},
	...(reactor()?.slots() ?? {free: 0, total: 0}),
	...{isAlive: isSeen(), silentMs: 0},
});

/** The maximum number of rounds of honey and approvals until a story ends. */
const patience = 20;

const play = async (world: World, runners: readonly Runner[], size: number): Promise<string[]> => {
	const {scheduler, faults, traceIds, begun} = world;
	const person = createPeople(world, runners);
	schedulePeople(world, person, size);
	planTroubles(world, runners);
	for (const runner of runners) runner.run();
	const endFaults = () => void Object.assign(faults, {rate: 0, conflicts: 0, echoes: 0, deaths: 0});
	// A reactor start that reads a long log rarely succeeds if one call in ten fails.
	await scheduler.run(endFaults);
	endFaults();
	calm(world, runners);
	for (const runner of runners) runner.stay();
	await scheduler.run();
	const breaches = await breachesAtRest(world, runners);
	for (let round = 0; round < patience; round++) {
		const attended = Promise.all([...traceIds, ...begun].map(traceId => attend(person(), traceId)));
		await scheduler.run();
		if (!(await attended).includes(true)) break;
	}
	return [...breaches, ...(await breachesAtRest(world, runners))];
};

/** Creates people with a new command process each time, which may be killed midway. */
const createPeople = (world: World, runners: readonly Runner[]): (() => Person) => {
	const {random, scheduler, faults, colony, machines, merges, configuration} = world;
	const clock = scheduler.clockOf({name: 'people', gone: false});
	const ids = createIdSource(clock.now, random.hex);
	const [machine] = machines;
	if (machine === undefined) throw new Error('A world needs at least one machine.');
	const reactorIsAlive = async () =>
		runners.some(runner => runner.checkout === machine.checkout && runner.isAlive());
	return () => {
		const owner: Owner = {name: 'a person', gone: false};
		const die = () => {
			owner.gone = true;
		};
		const calls = createCalls(scheduler, random, faults, {owner, die});
		const bus = createFaultyBus(world.bus, calls, random, faults);
		const {processes, files} = machine.portsOf(calls);
		const maker = {owner, die, bus, calls, by: 'human'};
		/** Returns the maker of a merge on the machine that owns the trace. */
		const makerOf = async (traceId: string) => {
			const {place = machine.checkout} = await loadTrace(bus, traceId);
			if (world.isShared && !runners.some(({checkout, isSeen}) => checkout === place && isSeen()))
				throw new Error('No machine is available.');
			return {...maker, bus: fencing(bus, place)};
		};
		const dispatcher = createDispatcherOn(world, {machine, bus, processes, files});
		const context: ActionContext = {
			bus: expectNoSecrets(bus),
			colony,
			checkout: machine.checkout,
			ids,
			clock: scheduler.clockOf(owner),
			git: {
				attempt: noGit,
				run: noGit,
				folders: noGit,
				settings: noGit,
				leftOut: noGit,
				withScratch: noGit,
				withIndexCopy: noGit,
				knownSettings: noGit,
			},
			processes,
			files,
			failpoint: () => {},
			machineDir: '/machine',
			otherCheckout: async () => undefined,
			openConnection: async () => undefined,
			machines: async () => [],
			mergeLock: () => ({take: () => true, release: () => {}}),
			by: 'human',
			insideRun: undefined,
			endRun: run => endRun({bus, colony: configuration.now, processes, dispatcher, reactorIsAlive}, run),
			reactorIsAlive,
		};
		return {
			context,
			random,
			...(world.landing && {
				landing: world.landing,
				request: async (traceId: string, approval: Approval) =>
					merges.request(await makerOf(traceId), traceId, approval),
			}),
			merge: async (traceId, taskId) => merges.make(await makerOf(traceId), traceId, taskId),
			update: async traceId => merges.update(await makerOf(traceId), traceId),
		};
	};
};

const noGit = () => Promise.reject(new Error('The simulator has no git.'));

/** A delay in virtual milliseconds. */
const soon = 5000;
const hurried = 20_000;
const patient = 600_000;

/** Plans the actions of people. An unreachable bus is ignored. */
const schedulePeople = ({random, scheduler, traceIds}: World, person: () => Person, size: number): void => {
	const clock = scheduler.clockOf({name: 'people', gone: false});
	const attempt = (deed: () => Promise<unknown>) => () => void deed().catch(() => {});
	for (const traceId of traceIds) {
		clock.after(
			random.below(soon),
			attempt(() => begin(person(), traceId)),
		);
		for (let left = random.pick([0, 0, 2]); left > 0; left--) {
			clock.after(
				random.below(patient),
				attempt(() => attend(person(), traceId)),
			);
		}
		for (let left = random.between(0, size); left > 0; left--) {
			const at = random.below(random.pick([hurried, patient]));
			clock.after(
				at,
				attempt(() => actAtRandom(person(), traceId)),
			);
		}
	}
};
