import {version} from '../../../package.json';
import type {Surroundings} from '../../host/host.ts';
import type {Clock} from '../../ports/clock.ts';
import type {ReactorPorts} from '../../reactor/ports.ts';
import {createSpanExporter} from '../../telemetry/exporter.ts';
import {readTelemetry} from '../../telemetry/settings.ts';
import {spansEndedBy} from '../../telemetry/spans.ts';

type Telemetry = {
	readonly observe: NonNullable<ReactorPorts['observe']>;
	readonly close: () => Promise<void>;
};

/** Sends the spans of this machine's work. Undefined if the environment names no collector. */
export const openTelemetry = (
	environment: Surroundings['env'],
	{
		clock,
		checkout,
		report,
	}: {readonly clock: Clock; readonly checkout: string; readonly report: (message: string) => void},
): Telemetry | undefined => {
	const settings = readTelemetry(environment);
	if (settings === undefined) return undefined;
	if ('problem' in settings) {
		report(settings.problem);
		return undefined;
	}
	const exporter = createSpanExporter(settings, {clock, version, report});
	return {
		observe: (event, trace) => {
			for (const span of spansEndedBy(event, trace, checkout)) exporter.add(span);
		},
		close: exporter.close,
	};
};
