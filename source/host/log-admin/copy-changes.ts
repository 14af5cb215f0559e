import type {StoredEvent} from '../../domain/event.ts';
import {isName} from '../../domain/ids.ts';
import {createSerialQueue} from '../../domain/serial-queue.ts';
import {writeCheckpoint} from '../../ledger/checkpoint-store.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import {newestSequence, type OwnCheckout, writeNewest} from '../../runs/newest-event.ts';
import {copyTrace} from './rebuild-projection.ts';

type Ports = OwnCheckout & {
	readonly bus: Bus;
	readonly files: Files;
	readonly clock: Clock;
	/** True if a reactor of this checkout is alive: it then writes the copies. */
	readonly isAttended: () => Promise<boolean>;
};

export type CopiedBus = {
	/** The bus, with copies written for its appends. */
	readonly bus: Bus;
	/** Resolves when the copies of everything that was appended are written. */
	readonly settled: () => Promise<void>;
};

/**
 * Delay after an append at which a long-lived process writes the copies, together with those of later
 * appends.
 */
const minIntervalMs = 250;

/** Maximum number of uncopied events that are caught up. More are left to the next reactor. */
const maxEvents = 100;

/**
 * Writes the copies (files and checkpoints) of the traces to which this process appends. It does so while no
 * reactor of the checkout is alive (docs/architecture.md §2).
 */
export const copyChanges = (ports: Ports): CopiedBus => {
	const {bus, clock, isAttended} = ports;
	const changed = new Set<string>();
	let stopTimer = (): void => {};
	const queue = createSerialQueue();
	const copy = async (): Promise<void> => {
		stopTimer();
		const traceIds = [...changed];
		changed.clear();
		if (traceIds.length > 0 && !(await isAttended())) await writeCopies(ports, traceIds);
	};
	// The event is in the log, so the action is done. The next reactor or command writes these copies.
	const settled = (): Promise<void> => queue(copy).catch(() => {});
	const noted = (traceId: string | undefined): void => {
		if (traceId === undefined) return;
		changed.add(traceId);
		stopTimer();
		stopTimer = clock.after(minIntervalMs, () => void settled());
	};
	return {
		settled,
		bus: {
			...bus,
			append: async (event, options) => {
				const appended = await bus.append(event, options);
				if (appended.ok) noted(event.traceId);
				return appended;
			},
			appendAll: async (events, after) => {
				const appended = await bus.appendAll(events, after);
				// Of a refused batch, the first event may be in the log.
				noted(events[0]?.event.traceId);
				return appended;
			},
		},
	};
};

const writeCopies = async (ports: Ports, changed: readonly string[]): Promise<void> => {
	const {bus, files} = ports;
	const copied = await newestSequence(files, ports);
	const uncopied = await readFew(bus, copied);
	const traces = [];
	const behind = (uncopied ?? []).map(({traceId}) => traceId).filter(isName);
	for (const traceId of new Set([...changed, ...behind])) {
		const known = await loadTrace(bus, traceId, copied);
		traces.push((await copyTrace(ports, known, known.sequence <= copied ? known : undefined)).trace);
	}
	const newest = uncopied?.at(-1);
	if (newest !== undefined && newest.sequence > (await newestSequence(files, ports)))
		await writeNewest(files, ports, newest, bus.address);
	for (const trace of traces) await writeCheckpoint(bus, trace);
};

/** The events after a sequence, in order; undefined if there are too many. */
const readFew = async (bus: Bus, after: number): Promise<readonly StoredEvent[] | undefined> => {
	const few: StoredEvent[] = [];
	for await (const events of bus.read({after})) {
		few.push(...events);
		if (few.length > maxEvents) return undefined;
	}
	return few;
};
