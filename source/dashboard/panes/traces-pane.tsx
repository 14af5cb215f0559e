import {memo} from 'react';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {Table} from '../components/table.tsx';
import {filterNote, useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {idsFrom, inside} from '../store/layout.ts';
import {type State, traceSorts} from '../store/state.ts';
import {traceList, tracePosition} from '../store/trace-list.ts';
import type {PaneProps} from './pane-props.ts';
import {traceColumns, underTrace} from './trace-columns.ts';

/** From this many columns a trace fits in one row. */
const roomForRow = 54;

/** All traces. Each has two rows if the pane is narrow and the screen is large enough. */
export const TracesPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const hasIds = useSelector(({size}) => size.columns >= idsFrom);
	const isTall = hasIds && width < roomForRow;
	const shownRows = Math.floor((height - 1) / (isTall ? 2 : 1));
	const {all, rows, selected, filter} = useList('traces', traceList, shownRows);
	const position = useSelector(formatPosition);
	const isExpanded = useSelector(state => state.isExpanded);
	const sort = useSelector(state => state.sort);
	const now = useSelector(state => state.now);
	const isLoaded = useSelector(state => state.loaded);
	const machines = useSelector(state => state.status.places);
	const overlaps = useSelector(({clashes}) => clashes.overlaps);
	const traces = useSelector(state => state.traces);
	const facts = {now, places: machines, overlaps, traces, all, isTall, hasIds, isUnfolded: isExpanded};
	const order = sort === traceSorts[0] ? '' : ` · ${sort}`;
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Traces ${position}${filterNote(filter)}${order}`}</PaneTitle>}
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
					columns={traceColumns(facts)}
					width={width}
					rows={rows}
					idOf={({trace}) => trace?.traceId ?? ''}
					selected={selected}
					isFocused={isFocused}
					{...(isTall ? {below: underTrace(facts, width)} : {})}
				/>
			)}
		</Pane>
	);
});

const formatPosition = (state: State): string => {
	const {at, of} = tracePosition(state);
	return at === undefined ? String(of) : `${at} of ${of}`;
};
