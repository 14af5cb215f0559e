import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Evictions} from './machines/evictions.ts';
import type {OtherMachines} from './machines/other-machines.ts';
import type {Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {Projector} from './projector.ts';
import type {SettledTraces} from './settled-traces.ts';

/** The state that a reactor writes beside the log: files, the cursor of pending runs, and checkpoints. */
export type Records = {
	/**
	 * Writes all state that is behind. Checkpoints are written only after enough events, and only those that
	 * are small compared with their new events.
	 */
	readonly save: () => Promise<void>;
	/** Writes every checkpoint that is behind. */
	readonly checkpointAll: () => Promise<void>;
};

type Parts = Pick<ReactorPorts, 'bus' | 'failpoint' | 'checkpointEvery'> & {
	readonly ledger: Ledger;
	readonly pending: Pending;
	readonly projector: Pick<Projector, 'flush'>;
	readonly evictions: Pick<Evictions, 'isBusy'>;
	readonly otherMachines: Pick<OtherMachines, 'isAlive'>;
	readonly settledTraces: Pick<SettledTraces, 'isLive' | 'checkpointed'>;
};

export const createRecords = ({
	bus: {isShared},
	failpoint,
	// Other machines read the checkpoints of a shared log too, so they are written after each event.
	checkpointEvery = isShared ? 1 : 200,
	...parts
}: Parts): Records => {
	const {ledger, pending, projector, evictions, otherMachines, settledTraces} = parts;
	const policy = {eventWeight: isShared ? 250 : 4, isOwn: ({place}: Trace) => !otherMachines.isAlive(place)};
	let checkpointed = ledger.position();
	const checkpoint = async (isSelective: boolean): Promise<void> => {
		failpoint('checkpoint.due');
		checkpointed = ledger.position();
		await ledger.checkpoint(settledTraces.isLive, isSelective ? policy : undefined);
		settledTraces.checkpointed();
		failpoint('checkpoint.written');
	};
	return {
		save: async () => {
			const cursor = pending.cursor();
			await projector.flush();
			// Until the hand-over ends, the cursor stays, so that the next start considers its event again.
			if (!evictions.isBusy()) await pending.save(cursor);
			failpoint('cursor.saved');
			if (ledger.position() - checkpointed >= checkpointEvery) await checkpoint(true);
		},
		checkpointAll: () => checkpoint(false),
	};
};
