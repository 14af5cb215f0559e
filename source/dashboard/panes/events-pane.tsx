import {memo} from 'react';
import type {Trace} from '../../domain/trace.ts';
import {traceName} from '../../host/views/name.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane} from '../components/pane.tsx';
import {RichText} from '../components/safe-text.tsx';
import {type Column, Table} from '../components/table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {widthOf} from '../parts/cells.ts';
import {formatTime, shortId} from '../parts/format.ts';
import {type ColourToken, span} from '../parts/line.ts';
import {eventText} from '../store/event-text.ts';
import {idsFrom, inside} from '../store/layout.ts';
import {memoized, perObject} from '../store/memo.ts';
import {eventList, isNotice} from '../store/selectors.ts';
import type {EventRow} from '../store/state.ts';
import type {PaneProps} from './pane-props.ts';

/** The log, newest first. `p` pauses it and counts new events. */
export const EventsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const {all, rows, selected, filter, place: position} = useList('events', eventList, height - 1);
	const isPaused = useSelector(state => state.frozenEvents !== undefined);
	const traces = useSelector(state => state.traces);
	const arrived = useSelector(state => state.arrivedWhilePaused);
	const title = [
		span(`Events ${position}`, 'strong'),
		...(isPaused ? [span(` · PAUSED +${arrived} (p resumes)`, 'accent')] : []),
	];
	return (
		<Pane area={area} isFocused={isFocused} title={<RichText line={title} />}>
			{all.length === 0 ? (
				<EmptyList filter={filter} otherwise={['No events yet.', 'c runs a cue.']} />
			) : (
				<Table
					columns={columnsFor(width, traces)}
					width={width}
					rows={rows}
					idOf={idOf}
					selected={selected}
					isFocused={isFocused}
				/>
			)}
		</Pane>
	);
});

const idOf = (row: EventRow): string => (isNotice(row) ? `notice ${row.number}` : String(row.sequence));

type Traces = ReadonlyMap<string, Trace>;

const maxIdWidth = perObject((traces: Traces): number =>
	[...traces.keys()].reduce((most, traceId) => Math.max(most, widthOf(shortId(traceId))), 2),
);

const columnsFor = memoized((width: number, traces: Traces): readonly Column<EventRow>[] => [
	{title: 'TIME', width: 8, cell: ({at}) => [formatTime(at), 'dim']},
	{title: 'TRACE', width: Math.max(18, Math.floor(width / 4)), cell: row => [ofTrace(row, traces)]},
	{title: 'TYPE', width: 12, from: 120, cell: row => [isNotice(row) ? 'dashboard' : row.type, 'dim']},
	{title: 'KIND', width: 22, from: 72, cell: row => [kindOf(row), 'strong']},
	{
		title: 'WHAT',
		width: 'grow',
		cell: row => {
			const [text, tone] = authorOf(row, traces);
			return width < 72 ? [kindOf(row), 'strong', [text, tone]] : [text, tone];
		},
	},
	{
		title: 'ID',
		width: maxIdWidth(traces),
		from: idsFrom - 2,
		cell: row => [isNotice(row) ? '' : shortId(row.traceId), 'dim'],
	},
]);

const ofTrace = (row: EventRow, traces: Traces): string => {
	const trace = isNotice(row) ? undefined : traces.get(row.traceId);
	return trace === undefined ? '' : traceName(trace);
};

const kindOf = (row: EventRow): string => (isNotice(row) ? 'said here' : row.payload.kind);

const authorOf = (row: EventRow, traces: Traces): readonly [string, ColourToken] =>
	isNotice(row) ? [row.text, row.tone] : [eventText(row, traces.get(row.traceId)), 'plain'];
