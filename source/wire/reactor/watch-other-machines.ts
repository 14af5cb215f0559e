import {isDeepStrictEqual} from 'node:util';
import {type Heartbeat, type KnownMachine, type NewerHive, newerHive} from '../../domain/machine-status.ts';
import {formatVersions} from '../../host/waits/format-reason.ts';
import {foldVersion} from '../../ledger/checkpoint.ts';
import {readHeartbeats, watchMachines} from '../../ledger/heartbeats.ts';
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
	readonly noNewerHiveLeft: () => void;
	readonly signal: AbortSignal;
};

/**
 * Watches the places of a shared log until the signal aborts, and reports newer versions of hive. Resolves
 * with undefined if this checkout has the log for itself. It is known before the first decision whether a
 * newer hive has worked on the log.
 */
export const watchOtherMachines = async ({
	bus,
	clock,
	checkout,
	report,
	reportError,
	noNewerHiveLeft,
	signal,
}: Watching): Promise<(() => readonly KnownMachine[]) | undefined> => {
	if (!bus.isShared) return undefined;
	const heartbeats = await readHeartbeats(bus);
	const reportIfChanged = createNewerReport(report, noNewerHiveLeft);
	const reportNewer = (machines: readonly Heartbeat[]): void =>
		reportIfChanged(newerHive(machines, {checkout, foldVersion}));
	const others = watchMachines(
		{bus, clock, report: reportError},
		signal,
		() => reportNewer(others()),
		heartbeats,
	);
	reportNewer(heartbeats);
	return others;
};

/**
 * Reports that a newer hive has worked on the log, or that it no longer does. Calls `over` in the latter
 * case.
 */
const createNewerReport = (report: (message: string) => void, over: () => void) => {
	let reported: NewerHive | undefined;
	return (newer: NewerHive | undefined): void => {
		if (isDeepStrictEqual(newer, reported)) return;
		reported = newer;
		if (newer === undefined) over();
		report(
			newer === undefined
				? 'No hive of another machine is newer any more; this one goes on.'
				: `Update hive on this machine: ${formatVersions(newer)}. Until then nothing new is started here, but open runs continue to their end.`,
		);
	};
};
