import {ensureCursor, readDeferred} from '../../source/ledger/cursors.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import type {Runner} from './runner.ts';
import type {World} from './world.ts';

/** The length of a story in virtual milliseconds. */
const storyLength = 600_000;
const hour = 3_600_000;

/** Plans troubles beside call faults: clock changes, edits of the configuration, lost checkpoints. */
export const planTroubles = (world: World, runners: readonly Runner[]): void => {
	const {random, scheduler, configuration, machines} = world;
	const fate = scheduler.clockOf({name: 'fate', gone: false});
	const times = (counts: readonly [number, ...number[]], deed: () => void): void => {
		for (let left = random.pick(counts); left > 0; left--)
			fate.after(random.below(random.pick([20_000, storyLength])), deed);
	};
	times([0, 0, 1, 4], () => scheduler.setClock(random.pick([hour, -hour, -1, -50_000, 90_000])));
	// A request that one checkout drops because its bee is gone stays pending in a checkout that keeps the
	// cursor.
	const edits = machines.length > 1 ? ([0] as const) : ([0, 0, 0, 2, 5] as const);
	times(edits, () => {
		configuration.edit();
		for (const runner of runners) runner.reactor()?.reconsider();
	});
	const {bases, landing} = world;
	if (bases !== undefined && landing !== undefined)
		for (let left = landing.between(0, 6); left > 0; left--)
			fate.after(landing.below(storyLength), () => {
				const machine = landing.pickAny(machines);
				if (machine !== undefined) bases.commit(machine);
			});
	times([0, 2, 8], () => {
		for (const runner of runners)
			void runner
				.reactor()
				?.ledger.checkpoint()
				.catch(() => {});
	});
	times([0, 0, 1, 3], () => void damageCheckpoints(world, runners));
	if (world.isShared)
		times([0, 1, 3, 6], () => {
			const silent = random.pickAny(runners);
			if (silent === undefined) return;
			if (random.chance(0.5)) silent.pause(60_000);
			else silent.crash();
			fate.after(random.between(10_000, 50_000), () => void takeAll(world, runners));
		});
	times([0, 0, 1, 3], () => {
		for (const runner of runners) if (random.chance(0.6)) runner.pause(60_000);
	});
};

/** Lets people take the traces of machines that are silent. */
const takeAll = async (
	{random, bus, machines, traceIds}: World,
	runners: readonly Runner[],
): Promise<void> => {
	for (const traceId of traceIds) {
		const {place: from, sequence} = await loadTrace(bus, traceId);
		const isSilent =
			from !== undefined && runners.every(({checkout, isSeen}) => checkout !== from || !isSeen());
		const to = random.pickAny(machines.filter(({checkout}) => checkout !== from));
		if (!isSilent || to === undefined || random.chance(0.3)) continue;
		await ensureCursor(bus, to.checkout);
		const putOff = await readDeferred(bus, from, traceId);
		const payload = {kind: 'trace.taken', place: to.checkout, from, putOff};
		const event = {traceId, agentId: 'human', type: 'SIGNAL', payload} as const;
		const taken = await bus.append(event, {id: `taken/${random.hex(16)}`, after: sequence});
		// Later changes of its runs on the old machine stay there.
		if (taken.ok && machines.some(({checkout, branches}) => checkout === from && branches.has(traceId)))
			to.branches.add(traceId);
	}
};

/** Loses or tears one value beside the log. The log itself stays whole. */
const damageCheckpoints = async (
	{random, store, isShared}: World,
	runners: readonly Runner[],
): Promise<void> => {
	// A machine without a cursor on a shared log joins at the cursors of the others.
	const names = ['ledger', 'ledger', 'ledger-live', ...(isShared ? [] : ['reactor'])] as const;
	const name = random.pickAny(names) ?? 'ledger';
	// The cursor of pending requests is read only at a start.
	if (name === 'reactor') for (const runner of runners) runner.crash();
	const bucket = store.bucket(name);
	const entry = random.pickAny(await bucket.entries());
	if (entry === undefined) return;
	const {key, value, revision} = entry;
	if (random.chance(0.5)) await bucket.delete(key, revision);
	else await bucket.update(key, value.slice(0, random.below(value.length)), revision);
};

/** Begins the calm end: every edit is reverted. */
export const calm = ({configuration}: World, runners: readonly Runner[]): void => {
	configuration.restore();
	for (const runner of runners) runner.reactor()?.reconsider();
};
