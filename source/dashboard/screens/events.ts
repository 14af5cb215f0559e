import {type Area, inside, type PaneView} from '../parts/frame.ts';
import {line, span} from '../parts/line.ts';
import {type Column, tableHead, tableRow} from '../parts/table.ts';
import {windowAround} from '../parts/window.ts';
import {clockTime, shortId} from '../parts/words.ts';
import {eventText} from '../store/event-text.ts';
import {eventList, isNotice} from '../store/selectors.ts';
import type {EventRow, State} from '../store/state.ts';
import {emptyBody, filterNote} from './empty.ts';

const columns: readonly Column<EventRow>[] = [
	{title: 'TIME', width: 8, cell: ({at}) => [clockTime(at), 'dim']},
	{title: 'TRACE', width: 9, from: 90, cell: row => [isNotice(row) ? '' : shortId(row.traceId), 'dim']},
	{title: 'TYPE', width: 12, from: 70, cell: row => [isNotice(row) ? 'dashboard' : row.type]},
	{title: 'KIND', width: 22, cell: row => [isNotice(row) ? 'said here' : row.payload.kind, 'strong']},
	{
		title: 'WHAT',
		width: 'grow',
		cell: row => (isNotice(row) ? [row.text, row.tone] : [eventText(row)]),
	},
];

/** The log, newest first; `p` holds it still and counts what arrives. */
export const eventsPane = (state: State, area: Area): PaneView => {
	const {width, height} = inside(area);
	const rows = eventList.rows(state);
	const filter = state.filters.events ?? '';
	const title = [
		span(`Events ${rows.length}${filterNote(filter)}`, 'strong'),
		...(state.frozenEvents ? [span(` · PAUSED +${state.arrivedWhilePaused} (p resumes)`, 'accent')] : []),
	];
	if (rows.length === 0) return {title, body: emptyBody(filter, ['No events yet.', 'c runs a cue.'])};
	const at = eventList.position(state);
	const {start, end} = windowAround(at, rows.length, height - 1);
	const list = rows
		.slice(start, end)
		.map((event, index) => tableRow(columns, width, event, start + index === at));
	return {title, body: [tableHead(columns, width), ...list]};
};

/** An event as indented JSON, one row per line; what the dashboard said as it is. */
export const eventDetails = (row: EventRow) =>
	isNotice(row)
		? {title: 'Said by the dashboard', lines: [line(row.text, row.tone)]}
		: {
				title: `Event ${row.sequence} · ${row.payload.kind} · ${shortId(row.traceId)}`,
				lines: JSON.stringify(row, undefined, 2)
					.split('\n')
					.map(text => line(text)),
			};
