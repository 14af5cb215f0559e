import {Box} from 'ink';
import {memo} from 'react';
import {exhausted} from '../../domain/reserve.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {type Column, Table} from '../components/table.tsx';
import {filterNote, useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import type {Tone} from '../parts/line.ts';
import {age, honeyBar, shortId, stateMarks, untilTime} from '../parts/words.ts';
import {machineOf} from '../store/places.ts';
import {type TraceRow, traceList} from '../store/selectors.ts';
import type {PaneProps} from './pane-props.ts';

/** All traces; two rows each where the pane is narrow and tall. */
export const TracesPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const isTall = width < 70;
	const {all, rows, selected, filter} = useList(
		'traces',
		traceList,
		Math.floor((height - 1) / (isTall ? 2 : 1)),
	);
	const sort = useSelector(state => state.sort);
	const now = useSelector(state => state.now);
	const isLoaded = useSelector(state => state.loaded);
	const places = useSelector(state => state.status.places);
	const words = (row: TraceRow) => titleOrNote(row, machineOf(places, row.trace), now);
	const order = sort === 'newest' ? '' : ` · ${sort}`;
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Traces ${all.length}${filterNote(filter)}${order}`}</PaneTitle>}
		>
			{!isLoaded ? (
				<SafeText tone="dim"> Reading the log…</SafeText>
			) : all.length === 0 ? (
				<EmptyList
					filter={filter}
					otherwise={['No traces yet.', 'c runs a cue, or:', '  hive cue run feature']}
				/>
			) : (
				<Table
					columns={traceColumns(now, isTall, words)}
					width={width}
					rows={rows}
					idOf={({trace}) => trace.traceId}
					selected={selected}
					{...(isTall ? {below: underneath(words)} : {})}
				/>
			)}
		</Pane>
	);
});

type Words = (row: TraceRow) => readonly [string, Tone];

const traceColumns = (now: number, isTall: boolean, words: Words): readonly Column<TraceRow>[] => [
	{title: 'ST', width: 2, cell: traceMark},
	{title: 'TRACE', width: isTall ? 10 : 16, cell: ({trace}) => [shortId(trace.traceId)]},
	{title: 'HONEY', width: isTall ? 9 : 6, cell: row => [honey(row, isTall ? 3 : 0), honeyTone(row)]},
	{
		title: isTall ? 'TASKS' : 'DONE',
		width: 5,
		align: 'right',
		cell: ({trace, done}) => [`${done}/${trace.tasks.size}`],
	},
	{title: 'AGE', width: 4, align: 'right', cell: ({trace}) => [age(trace.createdAt, now), 'dim']},
	...(isTall ? [] : [{title: 'TITLE', width: 'grow' as const, cell: words}]),
];

const honey = ({trace}: TraceRow, cells: number): string => {
	const {energyRemaining, energyBudget} = trace;
	if (energyBudget === undefined) return '-';
	const bar = cells > 0 ? `${honeyBar(energyRemaining, energyBudget, cells)} ` : '';
	return `${bar}${energyRemaining}/${energyBudget}`;
};

const honeyTone = ({trace}: TraceRow): Tone =>
	trace.energyBudget !== undefined && exhausted(trace) !== undefined ? 'bad' : 'plain';

/** What the trace does, and a second mark when it also waits for a person. */
const traceMark = ({status, isWaiting}: TraceRow): readonly [string, Tone] => {
	const [glyph, tone] = stateMarks[status];
	return isWaiting && status === 'running'
		? [`${glyph}${stateMarks.waiting_review[0]}`, 'accent']
		: [glyph, tone];
};

/** The title of a trace, or why it does not move, behind the other machine that has it. One that is paused goes on by itself. */
const titleOrNote = (
	{title, note, pausedUntil}: TraceRow,
	machine: string,
	now: number,
): readonly [string, Tone] => {
	const at = machine === '' ? '' : `@${machine} `;
	if (pausedUntil !== undefined)
		return [`${at}until ${untilTime(pausedUntil, now)} · ${title || '(no title yet)'}`, 'plain'];
	return note ? [`${at}${note}`, 'bad'] : title ? [`${at}${title}`, 'plain'] : [`${at}(no title yet)`, 'dim'];
};

const underneath = (words: Words) => (row: TraceRow, isSelected: boolean) => {
	const [text, tone] = words(row);
	return (
		<Box height={1} flexShrink={0} paddingLeft={4}>
			<SafeText tone={tone === 'plain' && isSelected ? 'strong' : tone}>{text}</SafeText>
		</Box>
	);
};
