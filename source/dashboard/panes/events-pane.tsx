import {memo} from 'react';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane} from '../components/pane.tsx';
import {RichText} from '../components/safe-text.tsx';
import {type Column, Table} from '../components/table.tsx';
import {filterNote, useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import {span} from '../parts/line.ts';
import {clockTime, shortId} from '../parts/words.ts';
import {eventText} from '../store/event-text.ts';
import {eventList, isNotice} from '../store/selectors.ts';
import type {EventRow} from '../store/state.ts';
import type {PaneProps} from './pane-props.ts';

/** The log, newest first; `p` holds it still and counts what arrives. */
export const EventsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const {all, rows, selected, filter} = useList('events', eventList, height - 1);
	const isPaused = useSelector(state => state.frozenEvents !== undefined);
	const arrived = useSelector(state => state.arrivedWhilePaused);
	const title = [
		span(`Events ${all.length}${filterNote(filter)}`, 'strong'),
		...(isPaused ? [span(` · PAUSED +${arrived} (p resumes)`, 'accent')] : []),
	];
	return (
		<Pane area={area} isFocused={isFocused} title={<RichText line={title} />}>
			{all.length === 0 ? (
				<EmptyList filter={filter} otherwise={['No events yet.', 'c runs a cue.']} />
			) : (
				<Table columns={columns} width={width} rows={rows} idOf={idOf} selected={selected} />
			)}
		</Pane>
	);
});

const idOf = (row: EventRow): string => (isNotice(row) ? `notice ${row.number}` : String(row.sequence));

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
