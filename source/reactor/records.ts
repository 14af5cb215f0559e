import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Departures} from './machines/hand-over.ts';
import type {OtherPlaces} from './machines/other-places.ts';
import type {Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {Projector} from './projector.ts';
import type {Rested} from './rested.ts';

/** The state that a reactor writes beside the log: files, the cursor of pending runs, and checkpoints. */
export type Records = {
	/**
	 * Writes all state that is behind. Checkpoints are written only after enough events, and only those that
	 * are small compared with their new events.
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
	// Other machines read the checkpoints of a shared log too, so they are written after each event.
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
			// Until the hand-over ends, the cursor stays, so that the next start considers its event again.
			if (!departures.isBusy()) await pending.save(cursor);
			reach('cursor.saved');
			if (ledger.position() - checkpointed >= checkpointEvery) await checkpoint(true);
		},
		checkpointAll: () => checkpoint(false),
	};
};
