import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Departures} from './machines/hand-over.ts';
import type {OtherPlaces} from './machines/other-places.ts';
import type {Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {Projector} from './projector.ts';
import type {Rested} from './rested.ts';

/** What a reactor writes beside the log: files, the cursor of pending runs, and checkpoints. */
export type Records = {
	/**
	 * Writes all of it that is behind; checkpoints once enough events came, and only those that are worth it.
	 */
	readonly writeDown: () => Promise<void>;
	/** Writes every checkpoint that is behind. */
	readonly checkpointAll: () => Promise<void>;
};

type Parts = Pick<ReactorPorts, 'bus' | 'reach' | 'checkpointEvery'> & {
	readonly ledger: Ledger;
	readonly pending: Pending;
	readonly projector: Pick<Projector, 'flush'>;
	readonly departures: Pick<Departures, 'isBusy'>;
	readonly places: Pick<OtherPlaces, 'isAlive'>;
	readonly rested: Pick<Rested, 'isLive' | 'checkpointed'>;
};

export const createRecords = ({
	bus: {isShared},
	reach,
	// The checkpoints of a log that is shared are for others to read too, so they follow each event.
	checkpointEvery = isShared ? 1 : 200,
	...parts
}: Parts): Records => {
	const {ledger, pending, projector, departures, places, rested} = parts;
	const thrift = {worthOfEvent: isShared ? 250 : 4, isOurs: ({place}: Trace) => !places.isAlive(place)};
	let checkpointed = ledger.position();
	const checkpoint = async (isThrifty: boolean): Promise<void> => {
		reach('checkpoint.due');
		checkpointed = ledger.position();
		await ledger.checkpoint(rested.isLive, isThrifty ? thrift : undefined);
		rested.checkpointed();
		reach('checkpoint.written');
	};
	return {
		writeDown: async () => {
			const cursor = pending.cursor();
			await projector.flush();
			// Until then the next start looks again.
			if (!departures.isBusy()) await pending.save(cursor);
			reach('cursor.saved');
			if (ledger.position() - checkpointed >= checkpointEvery) await checkpoint(true);
		},
		checkpointAll: () => checkpoint(false),
	};
};
