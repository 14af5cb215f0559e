import {isDeepStrictEqual} from 'node:util';
import {type Beat, type NewerHive, newerHive, type SeenPlace} from '../../domain/place.ts';
import {versionWords} from '../../host/waits/waits.ts';
import {foldVersion} from '../../ledger/checkpoint.ts';
import {readBeats, watchPlaces} from '../../ledger/places.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import type {ReportError} from './report-errors.ts';

type Watching = {
	readonly bus: Bus;
	readonly clock: Clock;
	readonly checkout: string;
	readonly report: (message: string) => void;
	readonly reportError: ReportError;
	/** Called when no place has a newer hive any more. */
	readonly isNewest: () => void;
	readonly signal: AbortSignal;
};

/**
 * Watches the places of a shared log until the signal aborts, and reports newer versions of hive. Resolves
 * with undefined if this checkout has the log for itself. It is known before the first decision whether a
 * newer hive has worked on the log.
 */
export const watchOtherPlaces = async ({
	bus,
	clock,
	checkout,
	report,
	reportError,
	isNewest,
	signal,
}: Watching): Promise<(() => readonly SeenPlace[]) | undefined> => {
	if (!bus.isShared) return undefined;
	const beats = await readBeats(bus);
	const tellNewer = createNewerWords(report, isNewest);
	const tell = (places: readonly Beat[]): void => tellNewer(newerHive(places, {checkout, foldVersion}));
	const others = watchPlaces({bus, clock, report: reportError}, signal, () => tell(others()), beats);
	tell(beats);
	return others;
};

/**
 * Reports that a newer hive has worked on the log, or that it no longer does. Calls `over` in the latter
 * case.
 */
const createNewerWords = (report: (message: string) => void, over: () => void) => {
	let told: NewerHive | undefined;
	return (newer: NewerHive | undefined): void => {
		if (isDeepStrictEqual(newer, told)) return;
		told = newer;
		if (newer === undefined) over();
		report(
			newer === undefined
				? 'No hive of another machine is newer any more; this one goes on.'
				: `Update hive on this machine: ${versionWords(newer)}. Until then nothing new is started here; open runs are seen to their end.`,
		);
	};
};
