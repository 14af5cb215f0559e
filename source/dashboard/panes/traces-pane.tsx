import {memo} from 'react';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {Table} from '../components/table.tsx';
import {filterNote} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {type Line, span} from '../parts/line.ts';
import {idsFrom, inside} from '../store/layout.ts';
import {type State, traceSorts} from '../store/state.ts';
import {type TraceSection, traceList, tracePosition} from '../store/trace-list.ts';
import {type SectionCount, traceWindow} from '../store/trace-window.ts';
import type {PaneProps} from './pane-props.ts';
import {traceColumns} from './trace-columns.ts';

/** All traces in sections, one row each. What runs stays visible, however much waits. */
export const TracesPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const hasIds = useSelector(({size}) => size.columns >= idsFrom);
	const all = useSelector(traceList.rows);
	const selectedAt = useSelector(traceList.position);
	const filter = useSelector(({filters}) => filters.traces ?? '');
	const {rows, headings, counts, hasHeadings} = traceWindow(all, selectedAt, height - 1);
	const position = useSelector(formatPosition);
	const isExpanded = useSelector(state => state.isExpanded);
	const sort = useSelector(state => state.sort);
	const now = useSelector(state => state.now);
	const isLoaded = useSelector(state => state.loaded);
	const machines = useSelector(state => state.status.places);
	const overlaps = useSelector(({clashes}) => clashes.overlaps);
	const traces = useSelector(state => state.traces);
	const facts = {now, places: machines, overlaps, traces, all, hasIds, isUnfolded: isExpanded};
	const order = sort === traceSorts[0] ? '' : ` · ${sort}`;
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={
				<PaneTitle>{`Traces ${position}${filterNote(filter)}${order}${hasHeadings ? '' : formatCounts(counts)}`}</PaneTitle>
			}
		>
			{!isLoaded ? (
				<SafeText tone="dim"> Reading the log…</SafeText>
			) : all.length === 0 ? (
				<EmptyList filter={filter} otherwise={['No traces yet.', 'Press c and say what you want.']} />
			) : (
				<Table
					columns={traceColumns(facts)}
					width={width}
					rows={rows}
					idOf={({trace}) => trace?.traceId ?? ''}
					selected={all[selectedAt]}
					isFocused={isFocused}
					above={index => headingLine(headings.get(index))}
				/>
			)}
		</Pane>
	);
});

const headingLine = (heading: SectionCount | undefined): Line | undefined =>
	heading && [
		span(` ${heading.section} ${heading.count}`, heading.section === 'Needs you' ? 'accent' : 'dim'),
	];

/** The sizes of the sections, for a pane without room for headings. */
const formatCounts = (counts: readonly SectionCount[]): string =>
	counts.length < 2
		? ''
		: counts.map(({section, count}) => ` · ${count} ${countWords[section](count)}`).join('');

const countWords: Readonly<Record<TraceSection, (count: number) => string>> = {
	'Needs you': count => (count === 1 ? 'needs you' : 'need you'),
	Running: () => 'running',
	Waiting: () => 'waiting',
	Finished: () => 'finished',
};

const formatPosition = (state: State): string => {
	const {at, of} = tracePosition(state);
	return at === undefined ? String(of) : `${at} of ${of}`;
};
