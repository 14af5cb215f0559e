import {errorMessage} from '../../domain/error-message.ts';
import {refusalOf} from '../../domain/errors.ts';
import {exhaustedHint, isExhausted} from '../../domain/exhausted.ts';
import type {Surroundings} from '../../host/host.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Clock} from '../../ports/clock.ts';
import {reportOnce} from '../../reactor/report-once.ts';

/**
 * Reports a failure. An error without a refusal leaves a report in a file, which the message names. Only an
 * exhausted resource of the machine leaves none.
 */
export type ReportError = (message: string, error?: unknown) => void;

type Ports = Pick<Surroundings, 'faults'> & {
	readonly bus: Pick<Bus, 'watchConnection'>;
	readonly clock: Clock;
	readonly report: (message: string) => void;
	/** The connection of the bus is watched until this signal aborts. */
	readonly signal: AbortSignal;
};

export const createErrorReport = ({bus, clock, faults, report, signal}: Ports): ReportError => {
	const reportRepeated = reportOnce(clock, report);
	let isConnected = true;
	bus.watchConnection(signal, isThere => {
		isConnected = isThere;
	});
	return (message, error) => {
		if (error === undefined) return report(message);
		// Everything tried meanwhile fails for the same reason, which the owner of the reactor reports.
		if (!isConnected && refusalOf(error)?.code === 'bus_unreachable') return;
		const words = errorMessage(error);
		if (isExhausted(error)) return reportRepeated(`${message} ${words}. ${exhaustedHint}`);
		const file = refusalOf(error) === undefined ? faults.report(error) : undefined;
		const where = file === undefined ? '' : ` (${file} has the details.)`;
		reportRepeated(`${message} ${words}${where}`);
	};
};
