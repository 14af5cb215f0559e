import {localMoment} from '../../host/views/local-time.ts';
import {line} from '../parts/line.ts';
import {type Traces, traceTitle} from './names.ts';
import {isNotice} from './selectors.ts';
import type {EventRow} from './state.ts';

/** An event as indented JSON, one row per line. A notice of the dashboard is shown as text. */
export const eventDetails = (row: EventRow, traces: Traces) =>
	isNotice(row)
		? {title: 'Said by the dashboard', lines: [line(row.text, row.tone)]}
		: {
				title: `Event ${row.sequence} · ${row.payload.kind} · ${nameIn(traces, row.traceId)} · ${localMoment(row.at)}`,
				lines: JSON.stringify(row, undefined, 2)
					.split('\n')
					.map(text => line(text)),
			};

const nameIn = (traces: Traces, traceId: string): string => {
	const trace = traces.get(traceId);
	return trace === undefined ? traceId : traceTitle(traces, trace);
};
