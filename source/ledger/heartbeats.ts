import {isDeepStrictEqual} from 'node:util';
import {
	decodeHeartbeat,
	encodeHeartbeat,
	formatMachine,
	type Heartbeat,
	heartbeatIntervalMs,
	heartbeatTimeoutMs,
	type KnownMachine,
	type MachineStatus,
} from '../domain/machine-status.ts';
import type {Bus} from '../ports/bus.ts';
import {type Clock, timestamp} from '../ports/clock.ts';

/**
 * The bucket in which the reactors of a shared colony announce that they are alive, each under its checkout's
 * id.
 */
const bucketName = 'places';

type Ports = {
	readonly bus: Pick<Bus, 'bucket'>;
	readonly clock: Clock;
	readonly report: (message: string, error?: unknown) => void;
};

export type Announcement = {
	/** Call when the place may have changed; if it has, it is announced soon. */
	readonly changed: () => void;
	/** Announces that the reactor has left, and then stops announcing. */
	readonly leave: () => Promise<void>;
};

/** Debounce: changes are announced together after this long. */
const changeDelayMs = 100;

/**
 * Announces that a reactor is alive, at once and every two seconds.
 *
 * @param refresh reads again what `readStatus` returns; called before each announcement
 */
export const announceMachine = (
	{bus, clock, report}: Ports,
	readStatus: () => MachineStatus,
	refresh = async (): Promise<void> => {},
): Announcement => {
	const bucket = bus.bucket(bucketName);
	let revision: number | undefined;
	let isOver = false;
	let isSoon = false;
	let cancel = (): void => {};
	let announcing: Promise<void> = Promise.resolve();
	let announced: MachineStatus | undefined;

	const announce = async (hasLeft: boolean): Promise<void> => {
		await refresh();
		const own = readStatus();
		announced = own;
		const text = encodeHeartbeat({...own, heardAt: timestamp(clock), hasLeft});
		const known = revision;
		revision = await (known === undefined
			? bucket.create(own.checkout, text)
			: bucket.update(own.checkout, text, known));
		if (revision !== undefined) return;
		const present = await bucket.get(own.checkout);
		revision = present?.revision;
		// Once this process has written the entry, another writer is alive. Before that, the entry is from an
		// earlier process of this checkout.
		if (known !== undefined) reportRival(own, decodeHeartbeat(present?.value ?? ''));
		await announce(hasLeft);
	};
	const reportRival = ({startedAt}: MachineStatus, other: Heartbeat | undefined): void => {
		if (other === undefined || other.startedAt === startedAt) return;
		report(
			`The reactor of ${formatMachine(other)} (pid ${other.pid}) claims to be this checkout: its machine folder is a copy of this one's. Remove that folder there, and run "hive init" there.`,
		);
	};
	const sendHeartbeat = (): void => {
		if (isOver) return;
		isSoon = false;
		announcing = announce(false)
			.catch((error: unknown) => report('This reactor cannot announce itself to the other reactors.', error))
			.then(() => {
				if (!isOver && !isSoon) cancel = clock.after(heartbeatIntervalMs, sendHeartbeat);
			});
	};
	sendHeartbeat();
	return {
		changed: () => {
			if (isOver || isSoon || isDeepStrictEqual(readStatus(), announced)) return;
			isSoon = true;
			cancel();
			cancel = clock.after(changeDelayMs, () => void announcing.then(sendHeartbeat));
		},
		leave: async () => {
			isOver = true;
			cancel();
			await announcing;
			await announce(true).catch(() => {});
		},
	};
};

/**
 * Watches the places of a colony until the signal. The returned function gives their current state. A place
 * is dead if it was not announced for `heartbeatTimeoutMs`. The store says how old its announcement was at
 * the first look, and the local monotonic clock counts from there.
 *
 * @param present the known places before the watch yields any
 */
export const watchMachines = (
	{bus, clock, report}: Ports,
	signal: AbortSignal,
	changed = (): void => {},
	present?: readonly AgedHeartbeat[],
): (() => readonly KnownMachine[]) => {
	const latest = new Map<string, AgedHeartbeat & {readonly at: number; readonly heardAt: string}>();
	const note = (heartbeat: AgedHeartbeat): void => {
		const {checkout, revision, age} = heartbeat;
		// A watch that begins again yields what is known already.
		if (latest.get(checkout)?.revision === revision) return;
		const heardAt = timestamp(clock, age);
		latest.set(checkout, {...heartbeat, heardAt, at: clock.elapsed() - age});
	};
	for (const heartbeat of present ?? []) note(heartbeat);
	const watch = async (): Promise<void> => {
		if (present === undefined) for (const heartbeat of await readHeartbeats(bus)) note(heartbeat);
		for await (const {key, entry} of bus.bucket(bucketName).watch(signal)) {
			const heartbeat = decodeHeartbeat(entry?.value ?? '');
			if (heartbeat === undefined || entry === undefined) latest.delete(key);
			else note({...heartbeat, revision: entry.revision, age: 0});
			changed();
		}
	};
	const retryWatching = (): void =>
		void watch().catch((error: unknown) => {
			if (signal.aborted) return;
			report('The other reactors of this colony cannot be seen.', error);
			const cancel = clock.after(heartbeatIntervalMs, retryWatching);
			signal.addEventListener('abort', cancel, {once: true});
		});
	retryWatching();
	return () =>
		[...latest.values()].map(({at, revision: _, age: __, ...heartbeat}) =>
			knownMachine(heartbeat, clock.elapsed() - at),
		);
};

const knownMachine = (heartbeat: Heartbeat, silentMs: number): KnownMachine => ({
	...heartbeat,
	...{isAlive: !heartbeat.hasLeft && silentMs < heartbeatTimeoutMs, silentMs},
});

/** Reads which machines are alive, once. The ages are the store's, so no wall clock of a machine counts. */
export const readKnownMachines = async ({
	bus,
	clock,
}: Pick<Ports, 'bus' | 'clock'>): Promise<readonly KnownMachine[]> =>
	(await readHeartbeats(bus)).map(({revision: _, age, ...heartbeat}) =>
		knownMachine({...heartbeat, heardAt: timestamp(clock, age)}, age),
	);

/** The last announcement of a place; `revision` is absent if there was none. */
export type LastHeartbeat = {readonly revision: number | undefined; readonly hasLeft: boolean};

export const readLastHeartbeat = async (
	{bucket}: Pick<Bus, 'bucket'>,
	checkout: string,
): Promise<LastHeartbeat> => {
	const entry = await bucket(bucketName).get(checkout);
	const hasLeft = entry === undefined || decodeHeartbeat(entry.value)?.hasLeft !== false;
	return {revision: entry?.revision, hasLeft};
};

/**
 * Returns the last announcement of a place without a live reactor. It has left, or does not announce itself
 * for `heartbeatTimeoutMs` on the local clock. The function waits for that time. Returns `undefined` if one
 * is alive.
 */
export const awaitMachineGone = async (
	{bus, clock}: Omit<Ports, 'report'>,
	checkout: string,
): Promise<LastHeartbeat | undefined> => {
	const last = await readLastHeartbeat(bus, checkout);
	if (last.hasLeft) return last;
	await new Promise<void>(resolve => clock.after(heartbeatTimeoutMs, resolve));
	// This process may have been paused, and sees an announcement from that time only now.
	const now = await readLastHeartbeat(bus, checkout);
	return now.hasLeft || now.revision === last.revision ? now : undefined;
};

/** An announcement, with its revision and the milliseconds since it was written. */
export type AgedHeartbeat = Heartbeat & {readonly revision: number; readonly age: number};

/** The last announcement of each place. */
export const readHeartbeats = async (bus: Pick<Bus, 'bucket'>): Promise<readonly AgedHeartbeat[]> =>
	(await bus.bucket(bucketName).entries()).flatMap(({value, revision, age = 0}) => {
		const heartbeat = decodeHeartbeat(value);
		return heartbeat === undefined ? [] : {...heartbeat, revision, age};
	});
